"""Solution paths: what a record keeps of them, the metrics along them, and their figures."""

import re

import numpy as np
import pytest
from path_runs import Estimator, Offered, path_run, staircase
from shown import rows_of
from spcabench_methods import COPPCA, PathSPCA

from spcabench.dataset import Dataset, Evaluation, Fitted, Moments
from spcabench.metrics.path import path_l1, path_line, path_rise
from spcabench.report.figures import FIGURES
from spcabench.run.messages import FitTask
from spcabench.run.worker.fit import fit
from spcabench.specs import DENSE, MethodSpec
from spcabench.traces import N_FEATURES, N_POINTS, paths_of, thinned_paths

BOTH = ["solution_path", "path_curves"]


def correlated(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) + 0.5 * rng.standard_normal((n, d))


def lines_of(chart):
    """Return the points of the lines by the name of the variable."""
    found = {}
    for row in rows_of(chart):
        if "sd" in row:
            found.setdefault(row["method"], []).append((row["x"], row["y"]))
    return found


@pytest.mark.filterwarnings("ignore:n_steps is")
@pytest.mark.parametrize("estimator", [COPPCA(2, 3, n_steps=500), PathSPCA(2, 3, whole_path=True)], ids=["cop", "path"])
def test_a_record_keeps_the_paths_of_both_kinds(estimator):
    X = correlated(0, 60, 12)
    estimator.fit(X)
    arrays, faults = thinned_paths(estimator, 12)
    kept = paths_of(arrays)
    assert faults == []
    assert list(kept) == [0, 1]
    for path in kept.values():
        assert path.cardinality[0] == 12
        assert path.cardinality[-1] == 1
        assert (np.diff(path.cardinality) <= 0).all()
        assert set(range(1, 13)) == set(path.cardinality.tolist())
        assert len(path.loadings) == len(path.step) <= N_POINTS
        assert path.loadings[-1].max() == pytest.approx(np.sqrt(path.l2_squared[-1]))
        assert (np.einsum("ij,ij->i", path.loadings[:-1], path.loadings[1:]) > 0).all()
    S = np.cov(X.T, bias=True)
    whole = np.zeros((len(kept[0].step), 12))
    whole[:, kept[0].features] = kept[0].loadings
    np.testing.assert_allclose(np.einsum("ij,jk,ik->i", whole, S, whole), kept[0].variance, rtol=1e-5)
    np.testing.assert_allclose(np.abs(whole).sum(axis=1), kept[0].l1, rtol=1e-5)


def test_many_variables_stay_small():
    X = correlated(1, 20, 2000)
    with pytest.warns(UserWarning, match="coarse"):
        cop = COPPCA(1, 5).fit(X)
    arrays, _ = thinned_paths(cop, 2000)
    (path,) = paths_of(arrays).values()
    assert path.loadings.shape[1] == N_FEATURES
    assert sum(values.nbytes for values in arrays.values()) < 60_000
    support = np.flatnonzero(cop.path_[0].at_cardinality(10))
    assert set(path.features[:10].tolist()) == set(support.tolist())
    leaving = {int(count) for count in path.cardinality}
    assert set(range(1, 41)) <= leaving


@pytest.mark.parametrize("estimator", [object(), Estimator(), Estimator(None), Estimator("a", 3), Estimator([1.0])])
def test_without_a_path_nothing_is_kept_and_nothing_is_wrong(estimator):
    assert thinned_paths(estimator, 5) == ({}, [])


FAULTS = {
    "lacks": (staircase(5, variance=None), "its table lacks variance"),
    "raises": (Offered(error="no memory"), "RuntimeError: no memory"),
    "shape": (staircase(5, l1=np.ones(3)), r"l1 has shape \(3,\); wanted are finite values of shape \(5,\)"),
    "transposed": (staircase(5, loadings=np.ones((4, 5))), r"loadings has shape \(4, 5\); wanted are .* \(5, 5\)"),
    "nan": (staircase(5, variance=np.full(5, np.nan)), r"variance has shape \(5,\); wanted are finite values"),
    "many": (staircase(N_FEATURES + 1), r"41 points of 41 features; wanted are 1 to 200 of 1 to 40"),
    "indices": (staircase(5, features=np.arange(1, 6)), "features holds no indices from 0 to 4"),
    "zero": (staircase(5, l2_squared=np.zeros(5)), "l2_squared holds values that are not positive"),
}


@pytest.mark.parametrize(("path", "message"), FAULTS.values(), ids=FAULTS)
def test_a_path_that_is_wrong_is_left_out_and_said(path, message):
    arrays, (fault,) = thinned_paths(Estimator(staircase(5), path), 5)
    assert list(paths_of(arrays)) == [0]
    assert fault.startswith("path of component 2 left out: ")
    assert re.search(message, fault)


class Refusing:
    """An estimator whose paths raise when they are asked for."""

    @property
    def path_(self):
        raise RuntimeError("gone\n" * 1000)


def test_paths_that_raise_are_left_out_in_one_short_line():
    arrays, (fault,) = thinned_paths(Refusing(), 5)
    assert arrays == {}
    assert fault.startswith("paths left out: RuntimeError: gone gone")
    assert "\n" not in fault
    assert len(fault) < 2100


class Foreign:
    """An estimator of somebody else, with one path that works and one that does not; it may say if it converged."""

    def fit(self, X, y=None):
        self.components_ = np.eye(2, X.shape[1])
        self.path_ = [staircase(X.shape[1]), Offered(error="gone")]
        return self


def fitted(name, folder):
    """Return the result of a task that fits one of these estimators."""
    method = MethodSpec(name=name, estimator=f"{__name__}:{name}", knob=DENSE)
    task = FitTask(draw=folder, method=method, params={}, n_components=2, n_nonzero=None, random_state=0)
    return fit(task, Dataset(X=correlated(0, 10, 5)), folder)[0]


@pytest.mark.parametrize(("said", "status"), [({}, "ok"), ({"converged_": False}, "not_converged")])
def test_a_fit_keeps_its_loadings_and_its_status_whatever_its_paths_do(tmp_path, monkeypatch, said, status):
    for name, value in said.items():
        monkeypatch.setattr(Foreign, name, value, raising=False)
    result = fitted("Foreign", tmp_path)
    assert (result.status, result.reason) == (status, "did not converge" if said else "")
    assert "path of component 2 left out: RuntimeError: gone" in result.facts.warnings
    with np.load(tmp_path / "loadings.npz") as arrays:
        assert arrays["components"].shape == (2, 5)
        assert list(paths_of(arrays)) == [0]


def evaluation(*paths, d=5):
    kept = paths_of(thinned_paths(Estimator(*paths), d)[0])
    fitted = Fitted(components=np.eye(1, d), mean=np.zeros(d), paths=kept)
    return Evaluation(dataset=Dataset(X=np.eye(d)), fitted=fitted, moments=Moments(X=np.eye(d)))


def test_metrics_along_a_path():
    line = staircase(5, l2_squared=np.arange(1.0, 6.0))
    assert path_l1(evaluation(line)) == pytest.approx(1.0, abs=1e-12)
    assert path_line(evaluation(line)) == pytest.approx(1.0, abs=1e-12)
    assert path_rise(evaluation(line)) == 1.0
    bent = staircase(5, l1=[1, 2, 4, 2, 1], l2_squared=[1, 1, 1, 1, 9], variance=[1, 2, 2, 1, 2])
    assert path_l1(evaluation(bent)) == 0.25
    assert path_line(evaluation(bent)) == pytest.approx(0.5)
    assert path_rise(evaluation(bent)) == 0.5


def test_metrics_without_a_path_are_undefined():
    for metric in (path_l1, path_line, path_rise):
        assert np.isnan(metric(evaluation(None)))
    assert np.isnan(path_rise(evaluation(staircase(1))))
    assert np.isnan(path_line(evaluation(staircase(1))))


def test_lines_are_named_and_end_where_their_variable_leaves(make):
    chart = FIGURES["solution_path"].draw(path_run(make, staircase(5)))
    lines = lines_of(chart)
    assert set(lines) == {f"v{i}" for i in range(5)}
    for i in range(1, 5):
        assert lines[f"v{i}"][-1] == (pytest.approx(np.sqrt(i), abs=1e-5), 0.0)
    assert len(lines["v0"]) == 5
    places = sorted(row["place"] for row in rows_of(chart) if "place" in row)
    assert len(places) == 5
    assert min(np.diff(places)) >= 15 - 1e-9


def test_each_component_with_a_path_has_a_panel(make):
    chart = FIGURES["solution_path"].draw(path_run(make, staircase(5), staircase(5), staircase(5)))
    assert headings(chart) == ["component 1", "component 2"]
    assert len(headings(FIGURES["solution_path"].draw(path_run(make, staircase(5), None)))) == 1


@pytest.mark.parametrize("name", BOTH)
def test_paths_that_are_not_whole_are_not_drawn(name, make):
    assert FIGURES[name].draw(path_run(make, None)) is None
    assert FIGURES[name].draw(path_run(make, staircase(1), d=1)) is None
    partial = staircase(5, cardinality=[5, 5, 4, 4, 3])
    assert FIGURES[name].draw(path_run(make, partial)) is None
    from_few = staircase(4, features=np.arange(4))
    assert FIGURES[name].draw(path_run(make, from_few, d=9)) is None


@pytest.mark.parametrize("name", BOTH)
def test_zero_loadings_and_constant_values_can_be_drawn(name, make):
    d = 3
    ones = {"l1": np.ones(d), "l2_squared": np.ones(d)}
    still = staircase(d, loadings=np.array([[1.0, 0, 0]] * d), variance=np.zeros(d), **ones)
    text = str(FIGURES[name].draw(path_run(make, still, d=d)).to_dict())
    assert "nan" not in text.lower()
    assert "'v1'" not in text


def headings(chart):
    return [panel["title"]["text"] for panel in chart.to_dict()["vconcat"][0]["hconcat"]]


def test_the_curves_start_at_zero_and_say_where_they_begin_and_end(make):
    line = staircase(5, l2_squared=np.arange(1.0, 6.0))
    chart = FIGURES["path_curves"].draw(path_run(make, line))
    for panel in chart.to_dict()["vconcat"][0]["hconcat"]:
        low, high = panel["layer"][0]["encoding"]["y"]["scale"]["domain"]
        assert low <= 0.0 < high
    titles = [panel["layer"][0]["encoding"]["y"]["title"] for panel in chart.to_dict()["vconcat"][0]["hconcat"]]
    assert titles == [
        "l1 norm: 1 to 1",
        "squared l2 norm: 1 to 5",
        "objective w'Sw: 1 to 2",
    ]
