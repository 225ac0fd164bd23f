"""The best loadings on given supports, so that the choice of variables is told apart from the size of loadings."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from spcabench.dataset import Moments
from spcabench.specs import Array

TOLERANCE = 1e-12
"""A loading stays as it is if another explains more by at most this share of the total variance."""


SPAN_TOLERANCE = 1e-9
"""The same for loadings that together span the most."""

SINGULAR = 1e-10
"""Directions of loadings shorter than this share of the longest are none."""

NEAR = 1e-3
"""Loadings as returned are a second start if they span more or less than those found one by one by this share."""

STEPS, ROUNDS, FLAT = 50, 20, 1e-4
"""A search makes rounds of so many steps, each from unit loadings, until a round adds no more than the last share."""

WORK = 10_000_000
"""As many rounds at most as keep the entries of the loadings in all steps below this; at least one."""

MANY = 300
"""Of a matrix of more rows the leading eigenvector is found by the Lanczos method."""

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


def together(components: Array, one_by_one: Array, moments: Moments) -> Array:
    """Return loadings on the supports of some loadings whose span keeps the most variance, tr(P S).

    It is a local maximum, reached from the loadings as returned and from those found one after the other; loadings that
    span no less, to rounding, stay as they are.  With G = W'W and M = W'SW the span keeps tr(inv(G) M), whose gradient
    is ``2 (S W - W inv(G) M) inv(G)`` on the supports.

    Parameters
    ----------
    components, one_by_one : ndarray of shape (n_components, n_features)
        Loadings as rows, and the same refitted one after the other.
    moments : Moments
        The second moments S that were fitted to.

    Returns
    -------
    ndarray of shape (n_components, n_features)
        The loadings as they were, or unit rows, and zero rows where they were.

    References
    ----------
    Shen and Huang 2008, the variance that a span keeps.
    """
    if np.count_nonzero(components.any(axis=1)) < 2 or components.all() or not moments.total_variance:
        return one_by_one
    inside = components.T != 0
    F = _factor(components, moments) / np.sqrt(moments.total_variance)

    def lost(w: Vector) -> tuple[float, Vector]:
        W = np.zeros(inside.shape)
        W[inside] = w
        SW, inverse = F.T @ (F @ W), np.linalg.pinv(W.T @ W, rcond=SINGULAR, hermitian=True)
        share = inverse @ (W.T @ SW)
        gradient = 2.0 * (SW - W @ share) @ inverse
        return -float(np.trace(share)), -gradient[inside]

    def of_unit_length(w: Vector) -> Array:
        W = np.zeros(inside.shape)
        W[inside] = w
        lengths = np.linalg.norm(W, axis=0)
        return np.asarray(W / np.where(lengths > 0.0, lengths, 1.0))

    def climbed(w: Vector) -> Vector:
        value = lost(w)[0]
        for _ in range(max(1, min(ROUNDS, WORK // (STEPS * inside.size)))):
            end = minimize(lost, of_unit_length(w)[inside], jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
            before, value, w = value, float(end.fun), end.x
            if value > (1.0 + FLAT) * before:
                break
        return w

    starts: list[Vector] = [np.asarray(W, dtype=np.float64).T[inside] for W in (components, one_by_one)]
    kept, refound = (lost(w)[0] for w in starts)
    begins = starts if abs(refound - kept) > NEAR * abs(kept) else starts[1:]
    best, least = starts[0], kept
    for w in (starts[1], *(climbed(w) for w in begins)):
        if (value := lost(w)[0]) < (1.0 + SPAN_TOLERANCE) * least:
            best, least = w, value
    return components if best is starts[0] else of_unit_length(best).T


def refitted(components: Array, moments: Moments) -> Array:
    """Return the best loadings on the supports of some loadings, one after the other.

    In the order returned, component j is the leading eigenvector of S_j on its support, where S_1 = S,
    S_{j+1} = P_j S_j P_j and P_j = I - w_j w_j' of the refitted w_j.  This projection deflation is that of the metric
    ``deflated_variance``.  What a method itself deflated with does not matter.

    A loading that explains as much as the best one, to rounding, stays as it is.  So does a zero loading.

    Parameters
    ----------
    components : ndarray of shape (n_components, n_features)
        Loadings as rows, of any length.
    moments : Moments
        The second moments S that were fitted to.

    Returns
    -------
    ndarray of shape (n_components, n_features)
        Unit rows, or zero rows where they were.

    Notes
    -----
    One component explains at least as much as before.  Several together may explain less than before, since each is
    refitted without regard to those after it.

    References
    ----------
    Moghaddam, Weiss and Avidan 2006, Spectral bounds for sparse PCA, variational renormalization;
    Mackey 2008, Deflation methods for sparse PCA, projection deflation.
    """
    new = np.array(components, dtype=np.float64)
    F = _factor(new, moments)
    slack = TOLERANCE * moments.total_variance
    for row in new:
        support = np.flatnonzero(row)
        if not support.size:
            continue
        part = F[:, support]
        w = row[support] / np.linalg.norm(row[support])
        best = _leading(part)
        if np.sum((part @ best) ** 2) - np.sum((part @ w) ** 2) > slack:
            w = row[support] = best if best @ w >= 0 else -best
        F[:, support] = part - np.outer(part @ w, w)
    return new


def _factor(components: Array, moments: Moments) -> Array:
    """Return a matrix F with F'F = S: the centred samples, or as many rows as features where that costs less."""
    d = components.shape[1]
    if moments.X is not None:
        centred = np.asarray((moments.X - moments.mean) / np.sqrt(len(moments.X)), dtype=np.float64)
        blocks = (np.count_nonzero(components, axis=1) ** 2).sum()
        if len(centred) <= d or blocks <= d * d:
            return centred
        moments = Moments(covariance=centred.T @ centred)
    return np.asarray(moments.scores(np.eye(d)) / np.sqrt(d))


def _leading(F: Array) -> Array:
    """Return the leading eigenvector of F'F by way of the smaller of F'F and FF'."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh

    n, d = F.shape
    A = F.T @ F if d <= n else F @ F.T
    if len(A) > MANY and A.any():
        _, vectors = eigsh(A, 1, which="LA", v0=np.random.default_rng(0).standard_normal(len(A)))
    else:
        _, vectors = eigh(A, subset_by_index=[len(A) - 1, len(A) - 1], driver="evx", check_finite=False)
    w = vectors[:, 0] if d <= n else F.T @ vectors[:, 0]
    size = np.linalg.norm(w)
    return np.asarray(w / size if size > 0 else np.eye(1, d)[0])
