"""What host, server and workers send each other arrives as it was, or is refused in clear words."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from spcabench.run.messages import (
    EVENTS,
    REQUESTS,
    DrawTask,
    Ended,
    Entered,
    FitTask,
    Fork,
    Kill,
    MetricTask,
    Order,
    Scores,
    ScoreTask,
    Started,
    Tracing,
)
from spcabench.specs import Knob
from spcabench.store.draw import DataSummary
from spcabench.store.record import Facts, Record, Timing
from spcabench.traces import Trace

FACTS = Facts(
    converged=True,
    n_iter=(3, 4),
    objective=(0.5, math.inf),
    upper_bound=(0.75, math.inf),
    nnz=(2, 1),
    tiny_nonzeros=1,
    target_missed=(1,),
    warnings=("RuntimeWarning: take care",),
    found={"alpha": [0.25, 1.0]},
    threads={"openblas": 1},
    trace=Trace(iterations=(1, 2), cpu_time=(0.5, 1.0), wall_time=(0.5, 1.5), objective=(2.0, 2.5), reason="cut"),
)
TIMING = Timing(fit_time=(0.5,), cpu_time=(0.25,), search_time=(2.0,), n_fits=(7.0,), peak_memory=(1.5,))
SCORES = Scores(values={"cpev": 0.1 + 0.2, "ratio": math.inf}, errors={"nor": "ZeroDivisionError: no"})
METRIC = MetricTask(
    name="cpev", compute="m:f", on="each", refitted=True, requires=("samples",), params={"at": [1, 2]}, version=2
)
FIT = FitTask(
    draw=Path("draw"),
    estimator="m:E",
    params={"tol": 1e-300, "name": "x"},
    knob=Knob("penalty", "alpha", 0.0, math.inf),
    n_components=2,
    n_nonzero=(2, 3),
    random_state=1,
    metrics=(METRIC,),
    tracing=Tracing(iterations="max_iter", tolerance="tol", budget=2.5, fits=30),
)
SCORE = ScoreTask(draw=Path("draw"), loadings=Path("l.npz"), facts=FACTS, timing=TIMING, metrics=(METRIC,))
DRAW = DrawTask(dataset="toy", load="m:f", params={}, preprocess="none", seed=3)
SUMMARY = DataSummary(
    fingerprint="f00d",
    facts=("samples",),
    n_samples=None,
    n_features=4,
    image_shape=(2, 2),
    feature_names=("a",),
    files=(("a.csv", 3, 10**18),),
    notes="",
)


@pytest.mark.parametrize("task", [DRAW, FIT, SCORE], ids=lambda task: task.kind)
def test_a_task_arrives_as_it_was(task):
    request = Fork(worker=3, order=Order(task=task, folder=Path("f"), threads=1, plugins=(Path("p.py"),)))
    text = REQUESTS.dumps(request)
    assert REQUESTS.loads(text) == request
    assert b"\n" not in text, "a request is a line"


def test_an_event_arrives_as_it_was():
    for event in (Started(worker=1, pid=2), Entered(worker=1, phase="fit", at=0.5), Ended(worker=1, signal=9, code=0)):
        assert EVENTS.loads(EVENTS.dumps(event)) == event
    assert REQUESTS.loads(REQUESTS.dumps(Kill(worker=4))) == Kill(worker=4)


def test_a_record_keeps_facts_and_times_as_they_are():
    record = Record(key="k", cell={"seed": 0}, status="ok", metrics={"cpev": math.nan}, timing=TIMING, fit=FACTS)
    again = Record.of(json.loads(record.dumps()))
    assert (again.fit, again.timing) == (FACTS, TIMING)
    assert math.isnan(again.metrics["cpev"])
