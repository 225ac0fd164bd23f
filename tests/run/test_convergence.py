"""The trace of convergence: what the host learns of a method by fits with capped iterations."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import RSPCA, TPower
from tasks import fit_task

import spcabench
from spcabench import MethodSpec
from spcabench.dataset import Dataset
from spcabench.run.worker.clock import unheard
from spcabench.run.worker.convergence import BUDGET
from spcabench.run.worker.fit import fit
from spcabench.specs import DENSE
from spcabench.traces import Trace, time_to

DATA = Dataset(X=np.random.default_rng(0).standard_normal((60, 20)))
TRACING = {"iterations": "max_iter", "tolerance": "tol"}


class Halves:
    """Has the objective ``2 - 2 * 2**-n`` after n iterations, which halve its distance to 2."""

    def __init__(self, n_components=2, tol=0.02, max_iter=6, slack=0.0):
        self.n_components, self.tol, self.max_iter, self.slack = n_components, tol, max_iter, slack

    def fit(self, X, y=None):
        n, self.converged_ = 0, False
        while n < self.max_iter and not self.converged_:
            n += 1
            self.converged_ = 2.0**-n <= self.tol
        self.n_iter_ = n
        self.objective_ = np.full(2, 1 - 2.0**-n) + self.slack
        self.components_ = np.eye(X.shape[1])[: self.n_components]
        if not self.converged_:
            warnings.warn("raise max_iter", ConvergenceWarning, stacklevel=2)
        return self


class Counts(Halves):
    def fit(self, X, y=None):
        super().fit(X)
        del self.converged_
        return self


class Wordless(Halves):
    def fit(self, X, y=None):
        super().fit(X)
        del self.objective_
        return self


class Breaks(Halves):
    def fit(self, X, y=None):
        if self.tol < 0.02 and self.max_iter == 3:
            raise ArithmeticError("three")
        return super().fit(X)


class Searches(Halves):
    """Finds its slack inside ``fit`` where it has none."""

    def fit(self, X, y=None):
        if not self.slack:
            self.calibrated_params_ = {"slack": 5.0}
        return super().fit(X)


class Watches(Halves):
    """Notes at each fit with a tighter stop which phase has begun."""

    phases: ClassVar[list[str]] = []
    seen: ClassVar[list[str]] = []

    def fit(self, X, y=None):
        if self.tol < 0.02:
            self.seen.append(self.phases[-1])
        return super().fit(X)


def traced(cls, folder, params=None, tracing=TRACING, module=__name__, enter=unheard):
    sparsity = {"knob": DENSE, "n_components": 2, "n_nonzero": None}
    task = fit_task(f"{module}:{cls}", params=params or {}, traced=True, **tracing, **sparsity)
    return fit(task, DATA, folder, enter)[0]


@pytest.mark.parametrize("cls", ["Halves", "Counts"])
def test_the_caps_grow_up_to_the_iterations_at_a_thousandth_of_the_tolerance(cls, tmp_path):
    """Also of a method that does not say whether it converged."""
    result = traced(cls, tmp_path)
    trace = result.facts.trace
    assert result.facts.n_iter == 6
    assert trace.reason == ""
    assert trace.iterations == (1, 2, 3, 5, 8, 13, 16)  # 2**-16 is the first below 0.00002
    assert trace.objective == tuple(2 - 2 * 2.0**-n for n in trace.iterations)
    assert len(trace.cpu_time) == len(trace.wall_time) == 7


def test_capped_fits_are_outside_the_limit_of_the_fit(tmp_path):
    traced("Watches", tmp_path, enter=Watches.phases.append)
    assert len(Watches.seen) >= 7
    assert set(Watches.seen) == {"trace"}
    assert Watches.phases == ["fit", "keeping", "trace", "keeping"]


def test_capped_fits_have_what_the_search_found(tmp_path):
    result = traced("Searches", tmp_path)
    assert result.facts.found == {"slack": 5.0}
    assert result.facts.trace.objective[0] == 11.0


@pytest.mark.parametrize(
    ("cls", "changes", "reason"),
    [
        ("Halves", {"iterations": ""}, "no parameter caps its iterations"),
        ("Wordless", {}, "it reports no objective_"),
        ("Breaks", {}, "ArithmeticError: three"),
    ],
)
def test_a_limit_that_is_not_known_has_its_reason(cls, changes, reason, tmp_path):
    trace = traced(cls, tmp_path, tracing=TRACING | changes).facts.trace
    assert trace.reason == reason
    assert np.isnan(time_to(trace, 1e-3))


def test_after_the_budget_no_further_fit_begins(tmp_path, monkeypatch):
    monkeypatch.setattr("spcabench.run.worker.convergence.FitClock.passed", (0.5 * BUDGET, 0.3))
    trace = traced("Halves", tmp_path).facts.trace
    assert trace.iterations == (1, 2, 3)
    assert trace.cpu_time[0] == 0.3
    assert trace.reason == f"its limit is more than {BUDGET:g} s of capped fits away"


def test_the_time_to_a_quality_is_that_from_which_on_it_stays():
    trace = Trace(
        iterations=(1, 2, 3, 5, 8),
        cpu_time=(0.3, 0.2, 0.4, 0.6, 0.5),
        objective=(-9.0, -10.0, -9.8, -9.995, -10.0),
    )
    assert time_to(trace, 0.5) == 0.2  # one iteration takes no longer than two
    assert time_to(trace, 0.05) == 0.2
    assert time_to(trace, 1e-3) == 0.5
    assert time_to(replace(trace, objective=(5.0, 5.0, 5.0, 5.0, 0.0)), 1e-3) == 0.5


@pytest.mark.parametrize(
    ("method", "module", "params"),
    [
        (TPower, "power.tpower:TPower", {"tol": 1e-6}),
        (RSPCA, "robust.rspca:RSPCA", {"tol": 1e-10}),
    ],
)
def test_a_trace_is_that_of_a_plain_loop(method, module, params, tmp_path):
    name, cls = module.split(":")
    trace = traced(cls, tmp_path, {**params, "n_nonzero": 5}, module=f"spcabench_methods.{name}").facts.trace
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for cap in trace.iterations:
            fitted = method(n_nonzero=5, **{**params, "tol": 1e-3 * params["tol"], "max_iter": cap}).fit(DATA.X)
            found.append(fitted.objective_.sum())
    assert trace.objective == tuple(found)
    assert trace.iterations[-1] == fitted.n_iter_
    assert fitted.converged_.all()
    near = [abs(f - found[-1]) <= 1e-3 * abs(found[-1]) for f in found]
    first = next(i for i in range(len(near)) if all(near[i:]))
    assert time_to(trace, 1e-3) == min(trace.cpu_time[first:])


@spcabench.hookimpl
def spcabench_methods():
    stop = {"iterations": "max_iter", "tolerance": "tol"}
    return [MethodSpec(name="halves", estimator="test_convergence:Halves", **stop)]


def test_a_run_gets_the_traces_that_it_asks_for_later(ran):
    changes = {"options": {"isolation": False}, "plugins": [Path(__file__)], "n_components": 2}
    changes |= {"methods": ["halves"], "metrics": ["time_to"]}
    before, _, _ = ran(**changes)
    assert before["trace"].tolist() == [None]
    assert before[["time_to@1e-3", "time_to@1e-6"]].isna().all(axis=None)
    after, _, _ = ran(**changes, convergence=True)
    (trace,) = after["trace"]
    assert after["time_to@1e-3"][0] == time_to(trace, 1e-3) <= after["time_to@1e-6"][0] == time_to(trace, 1e-6)
    assert after["stop"].tolist() == ["tol = 0.02, max_iter = 6"]
    _, _, events = ran(**changes, convergence=True)
    assert not [event for event in events if event.record is not None]
