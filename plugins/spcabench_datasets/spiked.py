"""Gaussian models: white noise, sparse spikes in it, and spikes with overlaps, other noise and outliers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import Dataset, DatasetSpec, Either, ListOf, Number, OneOf, Whole, hookimpl

Array = NDArray[np.float64]
Spikes = Annotated[Sequence[float], ListOf(Number(0, low_open=True))]


def load_gaussian(
    rng: np.random.Generator, n: Annotated[int, Whole(2)] = 500, d: Annotated[int, Whole(1)] = 100
) -> Dataset:
    """Draw independent standard normal entries.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    n : int
        Samples.
    d : int
        Features.
    """
    return Dataset(X=rng.standard_normal((n, d)))


def load_spiked(
    rng: np.random.Generator,
    n: Annotated[int, Whole(2)] = 200,
    d: Annotated[int, Whole(1)] = 500,
    spikes: Spikes = (20.0, 10.0),
    support_size: Annotated[int | Sequence[int], Either(Whole(1), ListOf(Whole(1)))] = 10,
    noise_variance: Annotated[float, Number(0)] = 1.0,
    n_test: Annotated[int, Whole()] = 0,
) -> Dataset:
    """Draw the directions, then the samples; the supports are those of the spikes in decreasing order.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    n : int
        Samples.
    d : int
        Features.
    spikes : sequence of float
        Variance that each direction adds to that of the noise.
    support_size : int or sequence of int
        Nonzeros of a direction, all of one magnitude; one number for all, or one for each.
    noise_variance : float
        Variance of the noise of each feature.
    n_test : int
        Held-out samples.

    Raises
    ------
    ValueError
        If the supports do not fit into the features, or there is not one size for each spike.
    """
    variances = np.asarray(spikes, dtype=np.float64)
    sizes = np.asarray(support_size)
    if sizes.ndim and len(sizes) != len(spikes):
        raise ValueError(f"support_size has {len(sizes)} sizes for {len(spikes)} spikes; valid is one, or one for each")
    sizes = np.broadcast_to(sizes, variances.shape)
    if sizes.sum() > d:
        raise ValueError(f"the disjoint supports need {sizes.sum()} features, and d is {d}")
    decreasing = np.argsort(-variances, kind="stable")
    variances, sizes = variances[decreasing], sizes[decreasing]

    V = _directions(rng, np.split(rng.permutation(d)[: sizes.sum()], np.cumsum(sizes)[:-1]), d)

    def draw(count: int) -> Array:
        signal = rng.standard_normal((count, len(variances))) * np.sqrt(variances) @ V
        return np.asarray(signal + np.sqrt(noise_variance) * rng.standard_normal((count, d)))

    return Dataset(X=draw(n), X_test=draw(n_test) if n_test else None, supports=V != 0)


SPREAD = 0.2
"""Standard deviation of the logarithm of the noise's standard deviations, where they differ."""

CORRELATION = 0.5
"""Of the noise of neighbouring features, where it is correlated."""


def load_spiked_general(
    rng: np.random.Generator,
    n: Annotated[int, Whole(2)] = 200,
    d: Annotated[int, Whole(2)] = 200,
    spikes: Spikes = (20.0, 10.0),
    support_size: Annotated[int, Whole(1)] = 10,
    overlap: Annotated[int, Whole(0)] = 0,
    noise: Annotated[str, OneOf("white", "unequal", "correlated")] = "white",
    outliers: Annotated[float, Number(0, 0.5)] = 0.0,
    outlier_variance: Annotated[float, Number(0)] = 100.0,
    n_test: Annotated[int, Whole()] = 0,
) -> Dataset:
    """Draw the directions, then the samples, outliers last; the supports are those of the spikes, largest first.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    n : int
        Samples.
    d : int
        Features.
    spikes : sequence of float
        Variance that each direction adds to that of the noise.
    support_size : int
        Nonzeros of a direction, all of one magnitude.
    overlap : int
        Features that the supports of neighbouring directions share.
    noise : {"white", "unequal", "correlated"}
        White: independent, of variance 1; unequal: standard deviations exp(0.2 N(0, 1)); correlated: 0.5 between
        neighbouring features, decaying with their distance.
    outliers : float
        Share of the samples that are outliers.
    outlier_variance : float
        Of outliers, along one direction of support_size features apart from the supports.
    n_test : int
        Held-out samples, without outliers.

    Raises
    ------
    ValueError
        If the supports do not fit into the features, or overlap wholly.
    """
    if overlap >= support_size:
        raise ValueError(f"overlap is {overlap}; valid is less than support_size, which is {support_size}")
    step = support_size - overlap
    needed = support_size + (len(spikes) - 1) * step
    spare = needed + (support_size if outliers else 0)
    if spare > d:
        raise ValueError(f"the supports, and features for outliers, need {spare} features, and d is {d}")
    features = rng.permutation(d)
    V = _directions(rng, [features[j * step :][:support_size] for j in range(len(spikes))], d)
    spread = np.exp(SPREAD * rng.standard_normal(d)) if noise == "unequal" else np.ones(d)

    def draw(count: int) -> Array:
        signal = rng.standard_normal((count, len(V))) * np.sqrt(-np.sort(-np.asarray(spikes, dtype=float))) @ V
        return np.asarray(signal + spread * _noise(rng, count, d, noise))

    X = draw(n)
    n_clean = n - round(outliers * n)
    corrupted = n_clean < n
    if corrupted:
        aside = features[needed:spare]
        X[n_clean:, aside] += rng.normal(0.0, np.sqrt(outlier_variance), (n - n_clean, 1))
    return Dataset(
        X=X,
        X_clean=X[:n_clean].copy() if corrupted else None,
        clean_rows=np.arange(n_clean) if corrupted else None,
        X_test=draw(n_test) if n_test else None,
        supports=V != 0,
    )


def _directions(rng: np.random.Generator, supports: Sequence[NDArray[np.intp]], d: int) -> Array:
    """Return unit directions with entries of one magnitude on their supports."""
    V = np.zeros((len(supports), d))
    for v, support in zip(V, supports, strict=True):
        v[support] = rng.choice([-1.0, 1.0], len(support)) / np.sqrt(len(support))
    return V


def _noise(rng: np.random.Generator, count: int, d: int, kind: str) -> Array:
    """Draw noise of variance one: independent, or correlated along the features."""
    Z = rng.standard_normal((count, d))
    if kind == "correlated":
        fresh = np.sqrt(1.0 - CORRELATION**2)
        for j in range(1, d):
            Z[:, j] = CORRELATION * Z[:, j - 1] + fresh * Z[:, j]
    return Z


_dataset = partial(DatasetSpec, n_features="d")


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the data sets of this page."""
    return [
        _dataset(
            name="gaussian",
            load="spcabench_datasets.spiked:load_gaussian",
            title="independent standard normal entries",
            source="drawn here",
        ),
        _dataset(
            name="spiked",
            load="spcabench_datasets.spiked:load_spiked",
            title="sparse spikes in white noise",
            provides=frozenset({"samples", "test", "supports"}),
            source="Johnstone 2001; Johnstone and Lu 2009",
            exempt={"provides": "held-out samples come with n_test"},
        ),
        _dataset(
            name="spiked_general",
            load="spcabench_datasets.spiked:load_spiked_general",
            title="spikes with overlapping supports, unequal or correlated noise, and outliers",
            provides=frozenset({"samples", "clean", "test", "supports"}),
            source="Johnstone and Lu 2009; overlaps, unequal noise and outliers are of this package",
            exempt={"provides": "clean samples come with outliers, held-out ones with n_test"},
        ),
    ]
