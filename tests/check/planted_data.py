"""Sound data sets and metrics, and others that each break one promise."""

import numpy as np

from spcabench import Dataset


def sound(rng, n=20):
    return Dataset(X=rng.standard_normal((n, 3)))


def needs_more(rng, n, scale):
    return Dataset(X=scale * rng.standard_normal((n, 3)))


def not_finite(rng, n=20):
    return Dataset(X=np.full((n, 3), np.nan))


def bare(rng, n=20):
    return rng.standard_normal((n, 3))


def unseeded(rng, n=20):
    return sound(np.random.default_rng(), n)


def constant(rng, n=20):
    return Dataset(X=np.eye(n, 3))


def from_global(rng, n=20):
    return Dataset(X=np.random.standard_normal((n, 3)))  # noqa: NPY002


def labelled(rng, n=20):
    return Dataset(X=rng.standard_normal((n, 3)), y=np.arange(n) % 2)


def short_labels(rng, n=20):
    return Dataset(X=rng.standard_normal((n, 3)), y=np.arange(n - 1) % 2)


def wide_supports(rng, n=20):
    return Dataset(X=rng.standard_normal((n, 3)), supports=np.ones((1, 4), dtype=bool))


def lopsided(rng):
    return Dataset(covariance=np.array([[2.0, 1.0], [0.0, 2.0]]))


def indefinite(rng):
    return Dataset(covariance=np.diag([2.0, -1.0]))


def share(evaluation):
    """Return the share of features that are used: a sound metric."""
    return np.any(evaluation.fitted.components != 0, axis=0).mean()


def verdict(evaluation):
    return "good"


def percent(evaluation):
    return 100 * share(evaluation)


def drawn(evaluation):
    return np.random.default_rng().random()


def scaled(evaluation):
    evaluation.fitted.components[:] *= 2
    return share(evaluation)


def global_drawn(evaluation):
    return share(evaluation) + 0 * np.random.random()  # noqa: NPY002


def signed(evaluation):
    return (evaluation.fitted.components > 0).mean()


def lengths(evaluation):
    lengths = [int(1 / np.linalg.norm(row)) for row in evaluation.fitted.components]
    return share(evaluation) + 0 * sum(lengths)


def classes(evaluation):
    return share(evaluation) * len(np.unique(evaluation.dataset.y)) / max(evaluation.dataset.y + 1)


def largest(evaluation):
    return np.abs(evaluation.fitted.components).max()
