"""A sound method, and methods that each break one promise."""

import numpy as np


class Sound:
    """The loadings of PCA, all but the largest set to zero."""

    def __init__(self, n_components=2, n_nonzero=1, random_state=None, init="pca"):
        self.n_components, self.n_nonzero = n_components, n_nonzero
        self.random_state, self.init = random_state, init

    def fit(self, X, y=None):
        if X.ndim != 2 or not np.isfinite(X).all():
            raise ValueError("a matrix of finite samples is wanted")
        self.components_ = self.kept(self.dense(X))
        return self

    def dense(self, X):
        return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: self.n_components]

    def kept(self, rows):
        rows = rows.copy()
        for row, kept in zip(rows, np.broadcast_to(self.n_nonzero, len(rows)), strict=True):
            row[np.abs(row).argsort()[: len(row) - kept]] = 0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class NoFit:
    def __init__(self, n_components=2, n_nonzero=1):
        self.n_components, self.n_nonzero = n_components, n_nonzero


class OtherKnob(Sound):
    def __init__(self, n_components=2, cardinality=1):
        super().__init__(n_components, cardinality)


class Transposed(Sound):
    def kept(self, rows):
        return super().kept(rows).T


class Listed(Sound):
    def kept(self, rows):
        return super().kept(rows).tolist()


class NotFinite(Sound):
    def kept(self, rows):
        return np.log(super().kept(rows))


class NotUnit(Sound):
    def kept(self, rows):
        return 2 * super().kept(rows)


class Unseeded(Sound):
    def dense(self, X):
        return super().dense(X + 1e-3 * np.random.default_rng().standard_normal(X.shape))


class InPlace(Sound):
    def dense(self, X):
        X -= X.mean(axis=0)
        return super().dense(X)


class SeedsAll(Sound):
    def dense(self, X):
        np.random.seed(self.random_state)  # noqa: NPY002
        return super().dense(X)


class Unpicklable(Sound):
    def fit(self, X, y=None):
        self.transform = lambda Y: Y @ self.components_.T
        return super().fit(X)


class OneSided(Sound):
    def dense(self, X):
        return super().dense(np.maximum(X, 0))


class NotCentred(Sound):
    def dense(self, X):
        return np.linalg.svd(X, full_matrices=False)[2][: self.n_components]


class FirstSamples(Sound):
    def dense(self, X):
        return super().dense(X[: len(X) // 2 + 1])


class Upright(Sound):
    def kept(self, rows):
        return super().kept(rows * np.where(rows > 0, 2.0, 1.0))


class FirstFeatures(Sound):
    def kept(self, rows):
        return super().kept(rows * np.arange(rows.shape[1], 0, -1) ** 2)


class Absolute(Sound):
    def dense(self, X):
        return super().dense(np.where(np.abs(X - X.mean(axis=0)) > 0.5, X - X.mean(axis=0), 0))


class OneTooMany(Sound):
    def kept(self, rows):
        self.n_nonzero = np.minimum(np.asarray(self.n_nonzero) + 1, rows.shape[1])
        return super().kept(rows)


class NeverAll(Sound):
    def kept(self, rows):
        self.n_nonzero = np.minimum(self.n_nonzero, 3)
        return super().kept(rows)


class Penalised(Sound):
    """Has a penalty that leaves all loadings, whatever its size."""

    def __init__(self, n_components=2, alpha=0.1):
        super().__init__(n_components, 1)
        self.alpha = alpha

    def kept(self, rows):
        return rows


class OneStep(Sound):
    def dense(self, X):
        A = X - X.mean(axis=0)
        return np.tile(A[np.linalg.norm(A, axis=1).argmax()], (self.n_components, 1))


class Smallest(Sound):
    def kept(self, rows):
        return super().kept(np.where(rows == 0, 0, 1e-3 / rows)) if self.n_nonzero < rows.shape[1] else rows


class Careless(Sound):
    def fit(self, X, y=None):
        return super().fit(np.nan_to_num(np.atleast_2d(X), posinf=0, neginf=0))


class OtherScale(Sound):
    def __init__(self, n_components=2, n_nonzero=1, covariance=None):
        super().__init__(n_components, n_nonzero)
        self.covariance = covariance

    def dense(self, X):
        return X[: self.n_components] if self.covariance else super().dense(X)


class OneStart(Sound):
    def dense(self, X):
        if self.init != "pca":
            raise ValueError(f"unknown start {self.init}")
        return super().dense(X)
