"""Which methods may be the best."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.inference import ranked

Matrix = NDArray[np.float64]

ALL_FLIPS_UP_TO, RANDOM_FLIPS = 10, 999
"""All flips of signs are tried up to so many draws, and so many random ones beyond."""

LEAST_DRAWS = 5
"""With fewer draws no method can be excluded at the 5 % level: 1/2^4 is above it."""

ROUNDING = 1e-9


def may_be_best(values: Matrix, margin: float = 0.0, tolerance: float = 0.0, level: float = 0.05) -> NDArray[np.bool_]:
    """Return the methods that cannot be ruled out as the best.

    Parameters
    ----------
    values : ndarray of shape (n_draws, n_methods)
        Paired by row, larger is better; nan is a failure.
    margin : float
        The smallest difference that matters.
    tolerance : float
        Values closer than this are the same.
    level : float
        How often the true best may be left out.

    Returns
    -------
    ndarray of bool, shape (n_methods,)
        A method that failed in half of the draws or more is never among them: its median is a failure.

    Notes
    -----
    Method i is tested against all others at once: of ``d_sj = v_sj - v_si - margin`` the largest ``t_j = mean/se``
    is set beside those with the signs of whole rows flipped; i is out if at most the share `level` of flips reaches
    as much.
    It is a paired form of the comparison with the best (Hsu 1984), valid whatever the number of methods and however
    they are correlated, if differences are symmetric.  Where they are not it leaves out too many: of a method without
    noise beside rivals with the same mean and one-sided noise, 1 - Exp(1), over 8 draws in 12 % of cases (one rival)
    and 33 % (ten).  With fewer than five draws no test can exclude at 5 %: then the methods within the margin of
    the best mean are left.  Methods that failed in half of the draws are left out first.  If any other failed in a
    draw, the values are replaced by their ranks within the draw; those within the margin share a place.
    """
    chosen: NDArray[np.bool_] = np.isnan(values).mean(axis=0) < 0.5
    if chosen.any():
        chosen[chosen] = _may_be_best(values[:, chosen], margin, tolerance, level)
    return chosen


def _may_be_best(values: Matrix, margin: float, tolerance: float, level: float) -> NDArray[np.bool_]:
    if np.isnan(values).any():
        worst = np.nanmin(values) - 2 * (margin + tolerance) - 1
        values = -np.array([ranked(row, max(tolerance, margin)) for row in np.where(np.isnan(values), worst, values)])
        margin, tolerance = 0.0, ROUNDING
    means = values.mean(axis=0)
    near: NDArray[np.bool_] = np.asarray(
        means >= means.max() - max(tolerance, margin if len(values) < LEAST_DRAWS else 0)
    )
    if len(values) < LEAST_DRAWS:
        return near
    flips = _flips(len(values))
    for i in np.flatnonzero(~near):
        near[i] = _kept(values - values[:, [i]] - margin, int(i), flips, level)
    return near


def _flips(n: int) -> Matrix:
    """Return signs of rows, shape (n_flips, n); the first leaves all as they are."""
    if n <= ALL_FLIPS_UP_TO:
        return np.array(list(itertools.product((1.0, -1.0), repeat=n)))
    random = np.random.default_rng(0).choice((1.0, -1.0), size=(RANDOM_FLIPS, n))
    return np.vstack([np.ones(n), random])


def _kept(differences: Matrix, i: int, flips: Matrix, level: float) -> bool:
    """Return whether no other method is surely better than method i."""
    others = np.delete(differences, i, axis=1)
    if not others.shape[1]:
        return True
    n = len(others)
    means = flips @ others / n
    variances = np.maximum((others**2).sum(axis=0) - n * means**2, 0.0) / (n - 1)
    scale = np.abs(others).max(axis=0)
    flat = variances <= (ROUNDING * scale) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(flat, np.where(means == 0, 0.0, np.sign(means) * np.inf), means / np.sqrt(variances / n))
    largest = t.max(axis=1)
    reached = largest >= largest[0] - ROUNDING * abs(largest[0]) if np.isfinite(largest[0]) else largest >= largest[0]
    return bool(reached.mean() > level)
