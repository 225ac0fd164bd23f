"""The smallest penalty of GPower that leaves as many nonzeros: more shrinkage mostly explains less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.penalty_search import Calibration
from spcabench_methods.power.ascent import ALONE
from spcabench_methods.power.passed import Passed
from spcabench_methods.power.rho_search import Ascend, correlations, threshold_for
from spcabench_methods.truncations import Threshold

FITS = 3
"""So many fits find it."""
EDGE = 3e-3
"""How far above the next entry its threshold lies, as a share of the gap to the smallest that stays."""
TOL = 1e-5
LEFT = 0.5
"""A fit is followed by another one if the next entry is still so far below its threshold, as a share of the step."""


def mildest_rho(
    moments: SecondMoments, penalty: Threshold, found: Calibration[Component], ascend: Ascend
) -> Calibration[Component]:
    """Lower a penalty as far as its cardinality stays, and keep the result of largest variance.

    As the threshold falls, the largest entry that it removes comes up to it.  Where they meet is predicted by
    `threshold_for`, then by the secant of two fits.  Where a prediction has another cardinality, the next fit lies
    halfway back.

    Parameters
    ----------
    moments : SecondMoments
    penalty : Threshold
    found : Calibration
        Of a search that reached its target.
    ascend : callable
        The fit.
    """
    k, w, peak = found.n_nonzero, found.result.loading, float(np.sqrt(moments.diagonal.max()))
    high, share = penalty.of_penalty(found.penalty), threshold_for(moments, penalty, k, w, EDGE, TOL) / peak
    gap, best, most, n_fits = high - next_entry(moments, k, w) / peak, found, moments.quadratic(w), found.n_fits
    while n_fits < found.n_fits + FITS and share < high * (1.0 - TOL):
        rho = penalty.to_penalty(share)
        component = ascend(rho, Passed(), ALONE)
        n_fits += 1
        if np.count_nonzero(component.loading) != k:
            share = 0.5 * (share + high)
            continue
        variance = moments.quadratic(component.loading)
        if variance > most:
            best, most = replace(found, penalty=rho, result=component), variance
        left = share - next_entry(moments, k, component.loading) / peak
        if not LEFT * (high - share) < left < gap:
            break
        step = (1.0 - EDGE) * left * (high - share) / (gap - left)
        high, gap, share = share, left, share - step
    return replace(best, n_fits=n_fits)


def next_entry(moments: SecondMoments, k: int, w: Array) -> float:
    """Return the entry of ``S w / sqrt(w'Sw)`` that is the largest but k."""
    return float(np.partition(np.abs(correlations(moments, w)), -k - 1)[-k - 1])
