"""Samples that lack values: completed, with the second moments that a model expects of them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

from spcabench.explore.budget import Budget
from spcabench.explore.prepared import Prepared, scaled_by_what_is_there
from spcabench.importing import resolve

SHARE = 0.2
"""Of the seconds that are left, for the iterations."""
MOST, LEAST = 1000, 10
FACTORS = 5
"""Of the model, unless the user wants as many components."""


@dataclass(frozen=True)
class Completed:
    """A table without missing values, how it came about, and whether the iterations converged."""

    table: Prepared
    rank: int
    max_iter: int
    converged: bool


def completed(table: Prepared, incomplete: str, n_components: int | None, budget: Budget) -> Completed:
    """Complete a table.

    Parameters
    ----------
    table : Prepared
        With nan where a value is missing.
    incomplete : str
        ``"module:Class"`` of an estimator with the parameters and attributes of `MomentSPCA`.
    n_components : int, optional
        As the user wants.
    budget : Budget
        A share of it bounds the iterations; at least ten are done.

    Returns
    -------
    Completed
        Its table is scaled, and has the estimated second moments.
    """
    scaled = scaled_by_what_is_there(table)
    rank = min(max(FACTORS, (n_components or 0) + 1), scaled.X.shape[1] - 1)
    model = resolve(incomplete)(rank=rank, max_iter=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what does not converge is said in a finding
        model.fit(scaled.X)  # which compiles
        began = budget.clock()
        model.fit(scaled.X)
        most = int(SHARE * budget.left / max(budget.clock() - began, 1e-4))
        most = min(MOST, max(LEAST, most))
        model.set_params(max_iter=most).fit(scaled.X)
    whole = replace(scaled, X=model.complete(scaled.X), moments=model.covariance_)
    return Completed(whole, rank, most, model.n_iter_ < most)
