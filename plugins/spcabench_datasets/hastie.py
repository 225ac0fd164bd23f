"""Small models with outliers: the three hidden factors of Zou, Hastie and Tibshirani, and fifty points in the plane."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, Either, Number, Whole, hookimpl

FACTOR_VARIANCES = (290.0, 300.0, 1.0)
BLOCK_LOADINGS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-0.3, 0.925, 1.0))
Features = Annotated[int, Whole(5)]
Variance = Annotated[float, Number(0)]
NOTES = (
    "The first true component is the second block, whose factor has the larger variance (300 against 290); "
    "in a sample the two may swap."
)


def load_hastie(
    rng: np.random.Generator,
    d: Features = 10,
    n: Annotated[int, Whole(2)] = 10000,
    noise_variance: Variance = 1.0,
    outlier_variance: Annotated[float | None, Either(NOTHING, Number(0))] = None,
    outlier_fraction: Annotated[float, Number(0, 1, high_open=True)] = 0.05,
    n_test: Annotated[int, Whole()] = 0,
) -> Dataset:
    """Draw the samples, outliers last.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    d : int
        Features, a multiple of 5: 0.4 d of factor 1, 0.4 d of 2, 0.2 d of 3.
    n : int
        Samples, outliers included.
    noise_variance : float
        Variance of the noise of each feature.
    outlier_variance : float, optional
        Variance of the last 0.2 d features of outliers, the others zero; null: no outliers.
    outlier_fraction : float
        Share of outliers.
    n_test : int
        Held-out samples, without outliers.
    """
    X = _draw(rng, n, d, noise_variance)
    X_test = _draw(rng, n_test, d, noise_variance) if n_test else None
    n_clean = n
    if outlier_variance is not None:
        n_clean = max(1, n - round(outlier_fraction * n))
        first = 4 * (d // 5)
        X[n_clean:, :first] = 0.0
        X[n_clean:, first:] = rng.normal(0.0, np.sqrt(outlier_variance), (n - n_clean, d - first))
    corrupted = n_clean < n
    return Dataset(
        X=X,
        X_clean=X[:n_clean].copy() if corrupted else None,
        clean_rows=np.arange(n_clean) if corrupted else None,
        X_test=X_test,
        supports=_supports(d),
        notes=NOTES,
    )


def load_exact(rng: np.random.Generator, d: Features = 10, noise_variance: Variance = 1.0) -> Dataset:
    """Compute the covariance of the population.

    Parameters
    ----------
    rng : numpy.random.Generator
        Not used.
    d : int
        Features, a multiple of 5: 0.4 d of factor 1, 0.4 d of 2, 0.2 d of 3.
    noise_variance : float
        Variance of the noise of each feature.
    """
    loadings = _loadings(d)
    covariance = loadings * FACTOR_VARIANCES @ loadings.T + noise_variance * np.eye(d)
    return Dataset(covariance=covariance, supports=_supports(d))


def _draw(rng: np.random.Generator, n: int, d: int, noise_variance: float) -> NDArray[np.float64]:
    factors = rng.standard_normal((n, 3)) * np.sqrt(FACTOR_VARIANCES)
    noise = rng.standard_normal((n, d)) * np.sqrt(noise_variance)
    return np.asarray(factors @ _loadings(d).T + noise)


def _loadings(d: int) -> NDArray[np.float64]:
    if d % 5:
        raise ValueError(f"d is {d}; valid is a multiple of 5: the blocks are 0.4 d, 0.4 d and 0.2 d wide")
    fifth = d // 5
    return np.repeat(BLOCK_LOADINGS, [2 * fifth, 2 * fifth, fifth], axis=0)


def _supports(d: int) -> NDArray[np.bool_]:
    return np.asarray(_loadings(d)[:, [1, 0]].T == 1.0)


OUTLYING_TENTHS = (13, 15)


def load_toy_outlier(
    rng: np.random.Generator, noise_variance: Variance = 0.25, outlier: Annotated[float, Number()] = 7.0
) -> Dataset:
    """Draw the second coordinate; the first is a grid.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    noise_variance : float
        Variance of the second coordinate.
    outlier : float
        The second coordinate at x = 1.3 and x = 1.5.
    """
    tenths = np.arange(-24, 26)
    y = rng.normal(0.0, np.sqrt(noise_variance), len(tenths))
    y[np.isin(tenths, OUTLYING_TENTHS)] = outlier
    return Dataset(X=np.column_stack([tenths / 10, y]), supports=np.eye(2, dtype=bool), feature_names=("x", "y"))


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the data sets of this page."""
    source = "Zou, Hastie and Tibshirani 2006, section 5.2"
    return [
        DatasetSpec(
            name="hastie",
            load="spcabench_datasets.hastie:load_hastie",
            title="three hidden factors, sampled",
            provides=frozenset({"samples", "clean", "test", "supports"}),
            n_features="d",
            source=f"{source}; noise and outliers: Zhao, Meng and Xu 2014 (RSPCA), section 3.2",
            exempt={"provides": "clean and held-out samples come with noise or outliers, and with n_test"},
        ),
        DatasetSpec(
            name="hastie_exact",
            load="spcabench_datasets.hastie:load_exact",
            title="three hidden factors, the covariance of the population",
            provides=frozenset({"supports"}),
            n_features="d",
            random=False,
            source=source,
        ),
        DatasetSpec(
            name="toy_outlier",
            load="spcabench_datasets.hastie:load_toy_outlier",
            title="50 points in the plane, 2 of them outliers",
            provides=frozenset({"samples", "supports"}),
            n_features=2,
            source="Zhao, Meng and Xu 2014 (RSPCA), section 3.1",
        ),
    ]
