"""A matrix that was read, as a data set; what is wrong with it is said by file, column and row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spcabench import Dataset

Matrix = NDArray[np.float64]

ROUNDING = 1e-6
REMEDY = "; leave out such rows by missing: drop, fill them by missing: median, or fit second moments by missing: em"
"""What a message on a missing value of a table ends with."""

ONE_SAMPLE = "{} has one sample only; valid are two or more"


MAX_ITER, TOL = 1000, 1e-5
"""Iterations end when no second moment changes by more than this share of the largest."""


def dataset_of_moments(
    file: Path, matrix: Matrix, names: tuple[str, ...], factors: int, notes: Sequence[str]
) -> Dataset:
    """Return the second moments that `MomentSPCA` estimates of samples that lack values, by expectation maximisation.

    The model has one variance of noise for all features.  So they are divided by their standard deviations first, those
    of the values that are there, and the moments are multiplied by them: the unit of a feature changes nothing else.

    Raises
    ------
    ValueError
        If there is one sample only, or a value is infinite.
    """
    from spcabench_methods.incomplete.moments import em_moments

    if len(matrix) < 2:
        raise ValueError(ONE_SAMPLE.format(file))
    _check_finite(file, np.where(np.isnan(matrix), 0.0, matrix), names)
    scale = np.nanstd(matrix, axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    scaled = (matrix - np.nanmean(matrix, axis=0)) / scale
    weights = np.full(len(matrix), 1.0 / len(matrix))
    _, S, _, converged = em_moments(scaled, weights, factors, MAX_ITER, TOL)
    said = f"only second moments, by expectation maximisation, as {np.isnan(matrix).sum()} values are missing"
    unsure = "" if converged else f", which did not converge in {MAX_ITER} iterations"
    covariance = S * np.outer(scale, scale)
    return Dataset(covariance=covariance, feature_names=names, files=(file,), notes="; ".join((*notes, said + unsure)))


def dataset_of(
    file: Path,
    matrix: Matrix,
    kind: str,
    names: tuple[str, ...] = (),
    y: NDArray[np.int64] | None = None,
    remedy: str = "",
) -> Dataset:
    """Return a matrix as a data set.

    Raises
    ------
    ValueError
        If it is no matrix, has a value that is not finite (the message ends with `remedy` if it is missing), or is not
        what its kind says.
    """
    if matrix.ndim != 2 or min(matrix.shape) == 0:
        raise ValueError(f"{file} has the shape {matrix.shape}; valid is (samples, features), neither zero")
    _check_finite(file, matrix, names, remedy)
    if kind == "covariance":
        _check_covariance(file, matrix)
        return Dataset(covariance=(matrix + matrix.T) / 2, feature_names=names, files=(file,))
    if len(matrix) < 2:
        raise ValueError(ONE_SAMPLE.format(file))
    return Dataset(X=matrix, y=y, feature_names=names, files=(file,))


def _check_finite(file: Path, matrix: Matrix, names: tuple[str, ...], remedy: str = "") -> None:
    bad = np.argwhere(~np.isfinite(matrix))
    if len(bad):
        row, column = bad[0]
        name = f"'{names[column]}'" if names else str(column + 1)
        others = f", and {len(bad) - 1} more like it" if len(bad) > 1 else ""
        lacks = remedy if np.isnan(matrix[row, column]) else ""
        raise ValueError(f"{file}: column {name}, row {row + 1} is {matrix[row, column]}{others}{lacks}")


def _check_covariance(file: Path, matrix: Matrix) -> None:
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{file} has the shape {matrix.shape}; a covariance is square")
    tolerance = ROUNDING * float(np.abs(matrix).max())
    row, column = np.unravel_index(np.abs(matrix - matrix.T).argmax(), matrix.shape)
    if abs(matrix[row, column] - matrix[column, row]) > tolerance:
        raise ValueError(
            f"{file} is not symmetric: row {row + 1}, column {column + 1} is {matrix[row, column]}, "
            f"and row {column + 1}, column {row + 1} is {matrix[column, row]}"
        )
    smallest = float(np.linalg.eigvalsh(matrix)[0])
    if smallest < -tolerance * len(matrix):
        raise ValueError(f"{file} is not a covariance: its smallest eigenvalue is {smallest:.6g}")
