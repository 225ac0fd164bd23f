"""Leading eigenvectors of symmetric matrices."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dsyevr
from scipy.sparse.linalg import ArpackError, LinearOperator, aslinearoperator, eigsh

from spcabench_methods.core.arrays import Array

ITERATIVE = 400
"""From this order on eigenvectors are found by iterations, and verified."""
COPY = 1e-6
"""The iterations missed an eigenvalue if one that is larger by this share is left."""
SETTLED = 1e-10
"""The largest residual of an eigenvector, as a share of the largest eigenvalue."""
SMALL = 128
"""Up to this order LAPACK is called directly, as SciPy's own checks would take longer."""


def leading_eigenvectors(S: Array, r: int) -> tuple[Array, Array]:
    """Return the r largest eigenvalues of a symmetric matrix, descending, and unit eigenvectors as columns."""
    d = len(S)
    if d <= SMALL:
        values, vectors, _, _, unsettled = dsyevr(S, range="I", il=d - r + 1, iu=d, lower=1)
        if not unsettled:
            return values[:r][::-1], vectors[:, ::-1]
    found = iterated_eigenvectors(aslinearoperator(S), r)
    if found is None:
        values, vectors = eigh(S, subset_by_index=(d - r, d - 1))
        return values[::-1], vectors[:, ::-1]
    return found


def iterated_eigenvectors(S: LinearOperator[np.float64], r: int, rounding: float = 0.0) -> tuple[Array, Array] | None:
    """Return the same for an operator, by Lanczos iterations; None if they do not pay or do not converge.

    `rounding` is the error of its products, as a share of the largest eigenvalue, beyond that of double precision.
    """
    d = S.shape[0]
    if d >= ITERATIVE and r <= d // 50:
        with suppress(ArpackError):
            values, vectors = eigsh(S, k=r, which="LA", v0=np.random.default_rng(0).standard_normal(d), tol=rounding)
            settled = np.linalg.norm(S @ vectors - vectors * values) <= max(SETTLED, rounding) * values[-1]
            if settled and (r == 1 or not _copies_are_missing(S, values, vectors)):
                return values[::-1], vectors[:, ::-1]
    return None


def _copies_are_missing(S: LinearOperator[np.float64], values: Array, vectors: Array) -> bool:
    """Return whether an eigenvalue on the complement of the eigenvectors exceeds the smallest one found.

    From a single start only rounding errors bring up the further copies of a multiple eigenvalue, so that some may be
    missing.
    """
    d = S.shape[0]

    def rest(y: Array) -> Array:
        y = y.ravel()
        return np.asarray(S @ y - vectors @ (values * (y @ vectors)))

    start = np.random.default_rng(1).standard_normal(d)
    operator = LinearOperator((d, d), matvec=rest, dtype=np.dtype(np.float64))
    largest = eigsh(operator, k=1, which="LA", v0=start, tol=COPY, return_eigenvectors=False)[0]
    return bool(largest > (1.0 + COPY) * values[0])
