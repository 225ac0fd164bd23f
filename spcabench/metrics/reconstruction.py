"""Distance between samples, or their uncorrupted originals, and their reconstructions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.parameters import NOTHING, Either, ListOf, Whole
from spcabench.specs import Array

BLOCK = 256
RSPCA = "Zhao, Meng and Xu 2014 (RSPCA)"
Numbers = Annotated[Iterable[int] | None, Either(NOTHING, ListOf(Whole(1)))]

metrics = Metrics(range=(0.0, np.inf), better="lower", refitted=True, requires=frozenset({"samples"}))


@metrics(
    formula="mean_i ||x_i - w_1 w_1' x_i||, x_i not centred",
    on="each",
    source=f"{RSPCA}, table 1",
)
def are(evaluation: Evaluation) -> float:
    """Average reconstruction error of the first component.

    Average error of reconstructing the points, as they are, from the first component alone.
    """
    samples = np.asarray(evaluation.moments.X)
    return _mean_errors(samples, samples, evaluation.fitted.W[:, :1], np.zeros(samples.shape[1]), [1])[0]


@metrics(
    formula="mean_i ||(I - w_1 w_1')(x_i - mean)||, mean of the fit",
    on="each",
    source=f"{RSPCA}, table 1, centred",
)
def are_centred(evaluation: Evaluation) -> float:
    """Average reconstruction error of the first component, centred.

    Average error of reconstructing the points, less the fitted mean, from the first component alone.
    """
    samples = np.asarray(evaluation.moments.X)
    return _mean_errors(samples, samples, evaluation.fitted.W[:, :1], evaluation.fitted.mean, [1])[0]


@metrics(
    formula="mean_i ||x_org_i - mean - W_m W_m'(x_i - mean)|| over the originals, mean of the fit",
    source=f"{RSPCA}, equation 16, about the training mean",
)
def err(evaluation: Evaluation, m: Numbers = None) -> dict[str, float]:
    """Reconstruction error.

    Average error of reconstructing the originals from the samples, about the fitted mean.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    m : sequence of int, optional
        Numbers of leading components to use; null: all.
    """
    return _err(evaluation, evaluation.fitted.W, evaluation.fitted.mean, m)


@metrics(
    formula="mean_i ||x_org_i - W_m W_m' x_i|| over the originals",
    source=f"{RSPCA}, equation 16",
)
def err_raw(evaluation: Evaluation, m: Numbers = None) -> dict[str, float]:
    """Reconstruction error, nothing centred.

    Average error of reconstructing the originals from the samples, literally as published: nothing is centred.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    m : sequence of int, optional
        Numbers of leading components to use; null: all.
    """
    return _err(evaluation, evaluation.fitted.W, np.zeros_like(evaluation.fitted.mean), m)


def _err(evaluation: Evaluation, W: Array, mean: Array, m: Iterable[int] | None) -> dict[str, float]:
    dataset = evaluation.dataset
    X, r = np.asarray(dataset.X), len(evaluation.fitted.components)
    stops = sorted({int(number) for number in m if number <= r}) if m is not None else [r]
    # Samples that are not known to be corrupted are their own originals.
    originals = X if dataset.X_clean is None else dataset.X_clean
    rows = None if dataset.X_clean is None else dataset.clean_rows
    errors = _mean_errors(originals, X, W, mean, stops, rows)
    return {str(stop): error for stop, error in zip(stops, errors, strict=True)}


def _mean_errors(
    originals: Array, samples: Array, W: Array, mean: Array, stops: list[int], rows: NDArray[np.intp] | None = None
) -> list[float]:
    """Average over the originals ||x_org - mean - W_m W_m' (x - mean)||, for each m of `stops`.

    One pass: the residual of m components is that of the fewer before less what those between explain.
    """
    totals = np.zeros(len(stops))
    for start in range(0, len(originals), BLOCK):
        block = slice(start, min(start + BLOCK, len(originals)))
        residual = originals[block] - mean
        scores = (samples[block if rows is None else rows[block]] - mean) @ W
        done = 0
        for i, stop in enumerate(stops):
            residual -= scores[:, done:stop] @ W[:, done:stop].T
            totals[i] += np.sqrt(np.einsum("ij,ij->i", residual, residual)).sum()
            done = stop
    return [float(total) / len(originals) for total in totals]


spcabench_metrics = metrics.spcabench_metrics
