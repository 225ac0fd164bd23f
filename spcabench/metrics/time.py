"""The cost of a fit, and its objective at the end."""

from __future__ import annotations

import numpy as np

from spcabench import traces
from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics

SHARES = ("1e-3", "1e-6")
"""The distances to its limit, as shares of that, at which a method counts as near."""

metrics = Metrics(range=(0.0, np.inf), unit="s", better="lower", source="by definition")


@metrics(
    formula="wall seconds of fit at the knob that was found, initialisation included",
    source="Hu, Pan, Wang and Wu 2016 (SPCArt), section 6: time includes initialisation",
)
def fit_time(evaluation: Evaluation) -> float:
    """Seconds of the fit.

    Seconds of the fit at the knob that was found, initialisation included.
    """
    return float(evaluation.fitted.fit_time)


@metrics(formula="wall seconds of all fits before the last")
def search_time(evaluation: Evaluation) -> float:
    """Seconds of the search for the knob."""
    return float(evaluation.fitted.search_time)


@metrics(formula="wall seconds of the first fit in a process; nan after a search, whose fits are warm")
def cold_time(evaluation: Evaluation) -> float:
    """Seconds of the first fit in its process, which has to find its code and the data in memory first."""
    return float(evaluation.fitted.cold_time)


@metrics(formula="fit_time + search_time")
def total_time(evaluation: Evaluation) -> float:
    """Seconds of the fit and of the search for the knob."""
    return fit_time(evaluation) + search_time(evaluation)


@metrics(
    formula="number of fits before the last",
    unit="count",
)
def n_fits(evaluation: Evaluation) -> float:
    """Fits made by the search."""
    return float(evaluation.fitted.n_fits)


@metrics(
    title="iterations, all components together",
    formula="sum_j n_iter_j, as the method counts them",
    unit="count",
    source="Meng, Cui, Xu and Jing 2013 (COP-PCA), section 3.4",
)
def n_iter(evaluation: Evaluation) -> float:
    """Count the iterations of all components; nan if the method does not report them."""
    counts = evaluation.fitted.n_iter
    return float(np.sum(counts)) if counts is not None else np.nan


@metrics(
    title="the method's own objective",
    formula="sum_j objective_j at the end of the fit; comparable between runs of one method only",
    range=(-np.inf, np.inf),
    unit="",
    better="neither",
    source="the method's reference",
)
def objective(evaluation: Evaluation) -> float:
    """Sum the method's own objective over the components; nan if the method does not report it."""
    values = evaluation.fitted.objective
    return float(np.sum(values)) if values is not None else np.nan


@metrics(
    formula="CPU seconds of the first capped fit from which on |f - f*| <= 1e-3 |f*|, or 1e-6 |f*|; f is the "
    "objective summed over the components, f* that at a thousandth of the method's own tolerance; one trace, "
    "without an interval, so that it is not ranked; needs a suite with convergence: true",
    better="neither",
)
def time_to(evaluation: Evaluation) -> dict[str, float]:
    """Seconds until the objective stays near the method's own limit.

    Return CPU seconds until the objective stays near the method's own limit; nan if no trace shows the limit.
    """
    trace = evaluation.fitted.trace
    return {share: np.nan if trace is None else traces.time_to(trace, float(share)) for share in SHARES}


spcabench_metrics = metrics.spcabench_metrics
