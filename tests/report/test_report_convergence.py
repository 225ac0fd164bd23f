"""Stops, times to a quality and curves of convergence in a report."""

import math

import pytest
from shown import cells, rows_of

from spcabench.metrics.time import spcabench_metrics
from spcabench.report.figures import FIGURES
from spcabench.report.figures.series import FLOOR
from spcabench.report.tables import timing
from spcabench.specs import MethodSpec
from spcabench.store.frame import stop_of
from spcabench.traces import Trace

TRACE = Trace(iterations=(1, 2, 3), cpu_time=(0.3, 0.1, 0.2), wall_time=(0.3, 0.1, 0.2), objective=(5.0, 7.5, 10.0))
CUT = Trace(iterations=(1, 2), cpu_time=(0.1, 0.2), wall_time=(0.1, 0.2), objective=(1.0, 2.0), reason="too slow")


@pytest.fixture
def results(make, monkeypatch):
    near = next(spec for spec in spcabench_metrics() if spec.name == "time_to")
    monkeypatch.setitem(make([make.cell()]).metrics, "time_to", near)
    known, unknown = {"time_to@1e-3": 0.2}, {"time_to@1e-3": math.nan}
    return make(
        [
            make.cell("a", 0, n_nonzero=4, stop="tol = 1e-6", trace=TRACE, **known),
            make.cell("a", 1, n_nonzero=4, stop="tol = 1e-6", trace=CUT, **unknown),
            make.cell("b", 0, n_nonzero=4, stop="", trace=CUT, **unknown),
            make.cell("b", 1, n_nonzero=4, stop="", trace=None, **unknown),
        ]
    )


def test_the_table_of_costs_states_each_stop_and_the_time_to_a_quality(results):
    found = cells(timing(results)).set_index("method")
    assert found["stop"].to_dict() == {"a": "tol = 1e-6", "b": "—"}
    assert found["to 1e-3, CPU"].to_dict() == {"a": "200 ms", "b": "—"}


def test_a_stop_has_the_values_that_a_fit_had():
    spec = MethodSpec(name="m", estimator="m:M", iterations="max_iter", tolerance="tol")
    assert stop_of(spec, {}) == ""
    assert stop_of(spec, {"tol": None, "max_iter": 5}) == "tol = null, max_iter = 5"
    assert stop_of(MethodSpec(name="m", estimator="m:M"), {"tol": 1e-6}) == ""


def test_a_curve_has_the_distances_to_the_limit_by_rising_time(results):
    rows = rows_of(FIGURES["convergence"].draw(results), "sd")
    assert [(row["method"], row["x"], row["y"]) for row in rows] == [
        ("a", 0.1, 0.5),
        ("a", 0.1, 0.25),
        ("a", 0.2, FLOOR),
    ]
