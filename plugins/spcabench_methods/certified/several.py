"""How far several sparse loadings together are from the best ones of their cardinalities."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench_methods.certified.certify import Certificate, certify, moments_of
from spcabench_methods.certified.joint_bounds import Disjoint, disjoint_bound, eigenvalue_bound, split_bound
from spcabench_methods.core.arrays import Indices

DISJOINT_STEPS = 10
"""Steps towards the bound of disjoint supports, for each step of the split: they cost far less."""


@dataclass(frozen=True, eq=False)
class JointCertificate:
    """What is proved of several loadings, the rows of W.

    Parameters
    ----------
    each : tuple of Certificate
        What is proved of each loading on its own.
    value : float
        The sum of their w'Sw.
    violation : float
        The sum of magnitudes of WW' - I.  Where it is not small, `value` may exceed the bound.
    upper_bound : float
        No orthogonal loadings with as many nonzeros, or none with disjoint supports, have a larger sum.
    bound_kind : str
        How that was proved: ``singles``, the sum of what each alone can reach; ``eigenvalues``, the sum of the largest
        ones; ``split``, a sum of two such bounds for parts of S; or ``disjoint``.
    gap : float
        ``(upper_bound - value) / upper_bound``.
    certified : bool
        Whether loadings that are orthogonal, or disjoint, up to `tol` are within `tol` of the bound.
    best_value : float
        The largest sum that is known.
    best_supports : ndarray of int, shape (n_components, k)
        Its supports, where disjoint supports better than those of W are known; otherwise empty.
    """

    each: tuple[Certificate, ...]
    value: float
    violation: float
    upper_bound: float
    bound_kind: str
    gap: float
    certified: bool
    best_value: float
    best_supports: Indices


def certify_many(
    S: Any,
    W: Any,
    *,
    disjoint: bool = False,
    tol: float = 1e-7,
    time_limit: float = 10.0,
    n_steps: int = 300,
) -> JointCertificate:
    """Prove how far several loadings together are from the best ones with as many nonzeros.

    Parameters
    ----------
    S : array_like of shape (n_features, n_features) or (n_samples, n_features)
        A covariance, symmetric and positive semidefinite; or samples, which are centred, and of which X'X/n is taken.
        A square matrix is a covariance.
    W : array_like of shape (n_components, n_features)
        The loadings in rows, such as ``components_``; none is zero, and each is normalised.
    disjoint : bool, default=False
        Compare with loadings that share no feature, instead of orthogonal ones.
    tol : float, default=1e-7
        The relative gap that counts as none, at least 1e-12.
    time_limit : float, default=10.0
        Seconds for the loadings on their own, and again for the split.
    n_steps : int, default=300
        Steps of the split in each of four rounds; ten times as many towards the bound of disjoint supports.

    Returns
    -------
    JointCertificate

    Raises
    ------
    ValueError
        As `certify` does, or if W is not a matrix.

    Notes
    -----
    For each symmetric M, with the largest value phi_k of k nonzeros, no orthogonal loadings exceed
    ``sum_t phi_{k_t}(S - M)`` and the sum of the r largest eigenvalues of M.  M = 0 gives ``singles``, M = S
    ``eigenvalues``; steps along a subgradient give ``split``.  For r disjoint supports of equal cardinality, prices
    mu >= 0 of the features bound by ``r max_I [l_max(S_II) - mu(I)] + sum mu``, over all supports I, if these are at
    most 100,000.  No program prints these bounds; they were derived for this package.

    References
    ----------
    R. Cory-Wright and J. Pauphilet, Sparse PCA with multiple components, arXiv:2209.14790, 2022: the problem.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import certify_many
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> proof = certify_many(S, [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])
    >>> round(proof.value, 6), proof.gap < 0.02
    (8.0, True)
    """
    loadings = np.atleast_2d(np.asarray(W, dtype=float))
    if loadings.ndim != 2 or not loadings.size:
        raise ValueError(f"W has shape {loadings.shape}; valid is a matrix with a loading in each row")
    matrix, r = moments_of(S).S, len(loadings)
    each = tuple(certify(S, w, tol=tol, time_limit=time_limit / r) for w in loadings)
    unit = loadings / np.linalg.norm(loadings, axis=1, keepdims=True)
    value = sum(one.value for one in each)
    violation = float(np.abs(unit @ unit.T - np.eye(r)).sum())
    shared = bool((np.count_nonzero(unit, axis=0) > 1).any())
    bounds = {"singles": sum(one.upper_bound for one in each), "eigenvalues": eigenvalue_bound(matrix, r)}
    counts = [len(one.support) for one in each]
    found = Disjoint(np.inf, value if not shared else 0.0, np.empty((0, 0), dtype=np.intp))
    if disjoint and len(set(counts)) == 1:
        found = disjoint_bound(matrix, counts[0], r, found.value, DISJOINT_STEPS * n_steps)
        bounds["disjoint"] = found.bound
    if min(bounds.values()) > max(value, found.value) * (1 + tol):
        end = time.monotonic() + time_limit
        bounds["split"] = split_bound(matrix, counts, max(value, found.value), n_steps, end)
    kind = min(bounds, key=lambda name: bounds[name])
    gap = _gap(bounds[kind], value)
    feasible = not shared if disjoint else violation <= tol
    return JointCertificate(
        each=each,
        value=value,
        violation=violation,
        upper_bound=bounds[kind],
        bound_kind=kind,
        gap=gap,
        certified=feasible and gap <= tol,
        best_value=max(found.value, value if feasible else 0.0),
        best_supports=found.supports,
    )


def _gap(bound: float, value: float) -> float:
    return (bound - value) / bound if bound > 0.0 else 0.0
