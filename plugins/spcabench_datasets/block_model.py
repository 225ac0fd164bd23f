"""Block models whose loadings are sparse, or whose weights are: the two meanings of a sparse component."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import Dataset, DatasetSpec, Number, OneOf, Whole, hookimpl


def load(
    rng: np.random.Generator,
    n: Annotated[int, Whole(2)] = 100,
    d: Annotated[int, Whole(2)] = 100,
    r: Annotated[int, Whole(1)] = 3,
    block: Annotated[int, Whole(1)] = 20,
    overlap: Annotated[int, Whole(0)] = 5,
    sparse: Annotated[str, OneOf("loadings", "weights")] = "loadings",
    noise_share: Annotated[float, Number(0, 0.99)] = 0.2,
    n_test: Annotated[int, Whole()] = 0,
) -> Dataset:
    """Draw the sparse matrix, then the samples; the supports are its columns, the component of most variance first.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    n : int
        Samples.
    d : int
        Features.
    r : int
        Components; their variances are r, r - 1, ..., 1.
    block : int
        Features of a block, each component having one.
    overlap : int
        Features that neighbouring blocks share.
    sparse : {"loadings", "weights"}
        Loadings: the samples are T P' and noise, P sparse; weights: T = X W of the signal X, W sparse.
    noise_share : float
        Of the variance that is noise.
    n_test : int
        Held-out samples.

    Raises
    ------
    ValueError
        If the blocks do not fit into the features, or overlap wholly.
    """
    if not overlap < block:
        raise ValueError(f"overlap is {overlap}; valid is less than block, which is {block}")
    if (needed := block + (r - 1) * (block - overlap)) > d:
        raise ValueError(f"{r} blocks need {needed} features, and d is {d}")
    W = np.zeros((d, r))
    for j in range(r):
        rows = slice(j * (block - overlap), j * (block - overlap) + block)
        W[rows, j] = rng.choice([-1.0, 1.0], block) * rng.uniform(0.5, 1.0, block)
    W /= np.linalg.norm(W, axis=0)
    # Of weights, X W = T for the signal X = T P' if P = W (W'W)^-1; then P is sparse only if no blocks overlap.
    P = W if sparse == "loadings" else W @ np.linalg.inv(W.T @ W)
    deviations = np.sqrt(np.arange(r, 0, -1.0))
    noise = np.sqrt(float(((P * deviations) ** 2).sum()) * noise_share / (1.0 - noise_share) / d)

    def draw(count: int) -> NDArray[np.float64]:
        T = rng.standard_normal((count, r)) * deviations
        return np.asarray(T @ P.T + noise * rng.standard_normal((count, d)))

    return Dataset(X=draw(n), X_test=draw(n_test) if n_test else None, supports=W.T != 0)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the model."""
    return [
        DatasetSpec(
            name="block_model",
            load="spcabench_datasets.block_model:load",
            title="blocks of features with sparse loadings or sparse weights",
            provides=frozenset({"samples", "test", "supports"}),
            n_features="d",
            source="Guerra-Urzola, Van Deun, Vera and Sijtsma 2021, Psychometrika 86, 893-919: loadings or weights",
            exempt={"provides": "held-out samples come with n_test"},
        )
    ]
