"""The spiked covariance model: a few sparse directions of large variance in white noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spcabench import Dataset, DatasetSpec, Either, ListOf, Number, Parameter, Whole, hookimpl


def load(
    rng: np.random.Generator,
    n: int,
    d: int,
    spikes: Sequence[float],
    support_size: int | Sequence[int],
    noise_variance: float,
    n_test: int,
) -> Dataset:
    """Draw the directions, then the samples; the supports are those of the spikes in decreasing order."""
    variances = np.asarray(spikes, dtype=np.float64)
    sizes = np.asarray(support_size)
    if sizes.ndim and len(sizes) != len(spikes):
        raise ValueError(f"support_size has {len(sizes)} sizes for {len(spikes)} spikes; valid is one, or one for each")
    sizes = np.broadcast_to(sizes, variances.shape)
    if sizes.sum() > d:
        raise ValueError(f"the disjoint supports need {sizes.sum()} features, and d is {d}")
    decreasing = np.argsort(-variances, kind="stable")
    variances, sizes = variances[decreasing], sizes[decreasing]

    V = np.zeros((len(variances), d))
    supports = np.split(rng.permutation(d)[: sizes.sum()], np.cumsum(sizes)[:-1])
    for v, support in zip(V, supports, strict=True):
        v[support] = rng.choice([-1.0, 1.0], len(support)) / np.sqrt(len(support))

    def draw(count: int) -> NDArray[np.float64]:
        signal = rng.standard_normal((count, len(variances))) * np.sqrt(variances) @ V
        return np.asarray(signal + np.sqrt(noise_variance) * rng.standard_normal((count, d)))

    return Dataset(X=draw(n), X_test=draw(n_test) if n_test else None, supports=V != 0)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the model."""
    return [
        DatasetSpec(
            name="spiked",
            load="spcabench_datasets.spiked:load",
            title="sparse spikes in white noise",
            parameters={
                "n": Parameter(200, Whole(2), "samples"),
                "d": Parameter(500, Whole(1), "features"),
                "spikes": Parameter(
                    [20.0, 10.0],
                    ListOf(Number(0, low_open=True)),
                    "variance that each direction adds to that of the noise",
                ),
                "support_size": Parameter(
                    10,
                    Either(Whole(1), ListOf(Whole(1))),
                    "nonzeros of a direction, all of one magnitude; one number for all, or one for each",
                ),
                "noise_variance": Parameter(1.0, Number(0), "variance of the noise of each feature"),
                "n_test": Parameter(0, Whole(), "held-out samples"),
            },
            provides=frozenset({"samples", "test", "supports"}),
            n_features="d",
            source="Johnstone 2001; Johnstone and Lu 2009",
            exempt={"provides": "held-out samples come with n_test"},
        )
    ]
