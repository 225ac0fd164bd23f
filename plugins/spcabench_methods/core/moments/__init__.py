"""Second moments S = X'X/n of centred samples, in one of two forms with the same methods.

`Gram` holds the matrix S, `Data` the centred samples; `second_moments` takes S if that has no more numbers than the
samples.  `OutOfCoreData` is `Data` whose samples stay where they are, sparse or in a file.

All can be deflated: after ``deflate(w)`` they stand for P S P with P = I - w w', after ``deflate_score(w)`` for
S - S w w'S / w'Sw.  If only rounding errors are left of the variance of a feature, the feature becomes exactly zero.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpstrf

from spcabench_methods.core.arrays import EPS, Array, read_only
from spcabench_methods.core.centred import is_sparse
from spcabench_methods.core.moments.data import Data
from spcabench_methods.core.moments.form import SecondMoments
from spcabench_methods.core.moments.gram import GRAM_LIMIT, Gram
from spcabench_methods.core.moments.streamed import OutOfCoreData
from spcabench_methods.core.out_of_core import out_of_core
from spcabench_methods.core.samples import centred_rows
from spcabench_methods.core.single import ROUNDING, centred_single, in_range, stays_single

__all__ = [
    "GRAM_LIMIT",
    "Data",
    "Gram",
    "OutOfCoreData",
    "SecondMoments",
    "data_of",
    "factor",
    "second_moments",
    "small",
]


def second_moments(X: Any, mean: Array, gram_ratio: float = 1.0) -> SecondMoments:
    """Return the matrix S if it has no more numbers than the samples, or so many times as many; else the samples."""
    d = X.shape[1]
    numbers = X.nnz if is_sparse(X) else X.size
    if d <= GRAM_LIMIT and d * d <= gram_ratio * numbers:
        return Gram.of(X, mean)
    return data_of(X, mean)


def small(moments: SecondMoments) -> tuple[Array, bool] | None:
    """Return what compiled loops multiply: the matrix S, or a few samples, and whether it is S; None for others."""
    if isinstance(moments, Gram):
        return read_only(moments.S), True
    if isinstance(moments, Data) and moments.is_small:
        return read_only(np.ascontiguousarray(moments.X)), False
    return None


def data_of(X: Any, mean: Array) -> Data:
    """Centre samples, those that are out of core implicitly; large ones of single precision stay in it."""
    centred = out_of_core(X, mean)
    if centred is not None:
        return OutOfCoreData(centred)
    if stays_single(X):
        rows, variances = centred_single(X, mean)
        if in_range(variances):
            return Data(rows, variances, ROUNDING)
    return Data(*centred_rows(X, mean))


def factor(moments: SecondMoments) -> Array:
    """Return A with A'A = S: the samples over sqrt(n), or as many rows as the rank of a matrix S."""
    if isinstance(moments, Data):
        features = moments.transposed()
        features /= math.sqrt(features.shape[1])
        return features.T
    assert isinstance(moments, Gram)
    return triangular(moments.S)


def triangular(S: Array) -> Array:
    """Factorise S by Cholesky's method, largest pivot first, until only rounding errors are left."""
    triangle, order, rank, _ = dpstrf(S, tol=len(S) * EPS * S.diagonal().max())
    A = np.zeros((rank, len(S)))
    for i in range(rank):
        A[i, order[i:] - 1] = triangle[i, i:]
    return A
