"""Prove bounds of orthogonal components, and print them as the track span of suites/leaderboard.yaml has them.

::

    python tools/orthogonal.py [DATASET...]

No orthogonal loadings with the nonzeros of the target span a larger share of the variance of the data set.  The bound
depends on the seconds that are given, and holds whatever they are.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Collection, Iterator

import numpy as np
from shipped import shipped
from spcabench_methods import MultiExactSPCA, certify_many

from spcabench.run.dataset_store import draw_task
from spcabench.run.worker.draw import drawn

TRACK = "span"
SECONDS = 20.0
DIGITS = 5
"""Decimals of a bound, which is rounded up."""


def targets(wanted: Collection[str] = ()) -> Iterator[tuple[str, np.ndarray, int, int]]:
    """Yield the data sets of the track, or those that are named: their covariance, components and nonzeros."""
    loaded = shipped("leaderboard")
    known = {label for track in loaded.suite.tracks if track.name == TRACK for label in track.datasets}
    cells = {cell.draw.variant.label: cell for cell in loaded.plan.cells if cell.n_components > 1 and cell.n_nonzero}
    for label, cell in cells.items():
        if label in known and (label in wanted or not wanted):
            data = drawn(draw_task(cell.draw.variant, cell.draw.seed))
            S = data.covariance if data.X is None else np.cov(data.X, rowvar=False, bias=True)
            yield label, S, cell.n_components, cell.n_nonzero


def bound(S: np.ndarray, r: int, k: int, seconds: float = SECONDS) -> float:
    """Return a share of the variance that no r orthogonal loadings of k nonzeros exceed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a search that is stopped has loadings all the same
        exact = MultiExactSPCA(r, n_nonzero=k, time_limit=seconds, covariance="precomputed").fit(S)
    W = exact.components_
    for w in W:  # the bound is that of k nonzeros in each
        w[np.flatnonzero(w == 0)[: k - np.count_nonzero(w)]] = 1e-9
    proof = certify_many(S, W, time_limit=seconds)
    return math.ceil(proof.upper_bound / np.trace(S) * 10**DIGITS) / 10**DIGITS


if __name__ == "__main__":
    for label, *target in targets(sys.argv[1:]):
        print(f"{label}: {bound(*target):.{DIGITS}f}", flush=True)
