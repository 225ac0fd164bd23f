"""Metrics of loadings as returned and refitted, on each set of samples."""

import numpy as np
import pytest

from spcabench import Dataset, MetricSpec
from spcabench.run.cells import scored_record
from spcabench.run.messages import RESULT, MetricTask, Result, add_line, result_in
from spcabench.run.worker.score import score
from spcabench.store.record import Facts, Record, Timing

TIMING = Timing(fit_time=(1.0,), search_time=(0.0,), n_fits=(0,), cpu_time=(1.0,), peak_memory=(1.0,))


def task(name, refitted, on="each", module="variance"):
    compute = f"spcabench.metrics.{module}:{name}"
    return MetricTask(spec=MetricSpec(name=name, compute=compute, on=on, refitted=refitted), params={})


@pytest.fixture
def scored():
    """Score a loading with a poor size on the best support of a diagonal."""
    X = np.diag([3.0, 2.0, 1.0])
    loadings = {"components": np.array([[0.6, 0.8, 0.0]]), "mean": np.zeros(3)}
    dataset = Dataset(X=np.vstack([X, -X]), X_test=np.vstack([X, -X]) * 2.0)
    return lambda *tasks: score(tasks, dataset, loadings, Facts(), TIMING)


def test_a_metric_that_depends_on_sizes_has_a_value_for_each_kind_of_loadings(scored):
    values, errors = scored(task("cpev", True), task("mean_nnz", False, "once", "sparsity"))
    assert not errors
    returned, refitted = (0.36 * 9 + 0.64 * 4) / 14, 9 / 14
    assert values == pytest.approx(
        {
            "cpev": returned,
            "cpev_test": returned,
            "cpev_refitted": refitted,
            "cpev_refitted_test": refitted,
            "mean_nnz": 2.0,
        }
    )


def test_nothing_is_refitted_if_no_metric_wants_it(scored, monkeypatch):
    monkeypatch.setattr("spcabench.run.worker.score.refitted", None)
    assert list(scored(task("cpev", False))[0]) == ["cpev", "cpev_test"]


def test_what_is_nested_too_deeply_is_no_result(tmp_path):
    add_line(tmp_path, Result(status="ok"))
    with (tmp_path / RESULT).open("ab") as file:
        file.write(b"[" * 100_000 + b"\n")
    assert result_in(tmp_path, "").reason == "the worker left what is no result: it is nested too deeply"


def test_metrics_that_end_their_process_have_no_value(tmp_path):
    add_line(tmp_path, Result(status="ok", facts=Facts(metric_errors={"a": "", "b": ""})))
    assert result_in(tmp_path, "it was killed").facts.metric_errors == {"a": "it was killed", "b": "it was killed"}
    add_line(tmp_path, Result(status="ok", metrics={"a": 1.0}, facts=Facts(metric_errors={"b": "no"})))
    found = result_in(tmp_path, "")
    assert (found.metrics, found.facts.metric_errors) == ({"a": 1.0}, {"b": "no"})


@pytest.mark.parametrize("status", ["crashed", "unavailable"])
def test_a_score_that_fails_keeps_the_fit(status):
    fit = Record(key="key", cell={}, status="ok", timing=TIMING, metrics={"cpev": 0.5}, scored={"cpev": "old"})
    found = scored_record(fit, Result(status=status, reason="gone"), {"cpev": "new", "nor": "new"})
    assert (found.status, found.metrics, found.scored) == ("ok", {"cpev": 0.5}, {"cpev": "old"})
    assert found.fit.metric_errors == dict.fromkeys(["cpev", "nor"], f"{status}: gone")
