"""Principal component analysis, the dense limit of every method that maximises variance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.moments import SecondMoments


@dataclass(eq=False, repr=False, kw_only=True)
class PCA(MomentComponents):
    """Principal component analysis.

    Each loading w maximises the variance w'Sw among unit vectors orthogonal to those before it, where
    S = X'X/n of centred X.  The loadings are the leading eigenvectors of S.  They are found from S, or, if there
    are more features than samples, from XX'/n; by a full solver restricted to the wanted eigenvectors, or, if
    these are few, by Lanczos iterations whose residual is verified.  Loadings past the rank of S are zero.

    The cost is O(n d min(n, d)).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        The eigenvalues of S.  Others: see `SparseComponents`.

    References
    ----------
    I. T. Jolliffe, Principal Component Analysis, Springer, 1986: section 1.1 of the second edition, 2002.
    Q. Zhao, D. Meng and Z. Xu, Robust sparse principal component analysis, Science China Information Sciences 57, 2014,
    092115: equation (1) restates the model.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import PCA
    >>> S = np.array([[3.0, 1.0], [1.0, 3.0]])
    >>> pca = PCA(n_components=2, covariance="precomputed").fit(S)
    >>> pca.explained_variance_.round(6)
    array([4., 2.])
    """

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        values, vectors = moments.principal(self.n_components)
        for value, w in zip(values, vectors.T, strict=True):
            yield Component(w, objective=value, n_iter=int(value > 0.0))
