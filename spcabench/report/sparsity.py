"""How sparse the loadings were to be, and are."""

from __future__ import annotations

import math
import re

import numpy as np

from spcabench.report.groups import Group
from spcabench.report.results import Results

TOLERANCE = 1e-6


def wanted(group: Group) -> float:
    """Return the mean number of nonzeros of a component that was asked for; nan if none was."""
    numbers = [float(digits) for digits in re.findall(r"\d+", group.n_nonzero)]
    return float(np.mean(numbers)) if numbers else math.nan


def reached(results: Results, group: Group) -> float:
    """Return the mean number of nonzeros of a component that was measured; nan if no metric tells."""
    if "mean_nnz" in results.values:
        return group.spread("mean_nnz").mean
    means = [group.spread(column).mean for column in results.series("nnz@")]
    known = [mean for mean in means if not math.isnan(mean)]
    return float(np.mean(known)) if known else math.nan


def missed(results: Results, group: Group) -> bool:
    """Return whether the measured number of nonzeros is known not to be the one asked for."""
    difference = abs(reached(results, group) - wanted(group))
    return not math.isnan(difference) and difference > TOLERANCE * wanted(group)


def too_dense(results: Results, group: Group) -> bool:
    """Return whether there are more nonzeros than asked for, so that comparison with others would be unfair."""
    return missed(results, group) and reached(results, group) > wanted(group)
