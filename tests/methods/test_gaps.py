"""Gaps to proved bounds: each component is judged on the matrix that it was found in."""

import numpy as np
import pytest
from evaluations import evaluation
from numpy.testing import assert_allclose
from spcabench_methods import ExactSPCA, RowTruncation, TPower
from spcabench_methods.specs import _gaps as gaps

import spcabench
from spcabench import Dataset

PROVED = ["gap", "upper_bound", "component_value", "component_bound", "component_gap", "bound_kind"]


@pytest.mark.parametrize("deflation", ["projection", "schur", "gsd"])
def test_a_component_is_judged_on_the_matrix_that_its_method_saw(pitprops, deflation):
    exact = ExactSPCA(3, 4, deflation=deflation, covariance="precomputed").fit(pitprops)
    seen = evaluation(exact.components_, deflation=deflation, covariance=pitprops)
    assert_allclose(list(gaps.component_value(seen, 10).values()), exact.objective_, rtol=1e-9)
    assert_allclose(list(gaps.component_bound(seen, 10).values()), exact.upper_bound_, rtol=1e-8)
    assert gaps.gap(seen, 10) < 1e-8
    another = "projection" if deflation == "schur" else "schur"
    other = evaluation(exact.components_, deflation=another, covariance=pitprops)
    assert abs(gaps.component_value(other, 10)["3"] - exact.objective_[2]) > 1e-4


def test_a_run_knows_how_its_methods_deflate(pitprops):
    estimators = {name: ExactSPCA(2, 4, deflation=name, covariance="precomputed") for name in ("projection", "schur")}
    found = spcabench.compare(estimators, Dataset(covariance=pitprops), 4, n_components=2, metrics=PROVED).frame
    assert found["component_gap@2"].max() < 1e-8
    assert_allclose(found["upper_bound"], found["component_bound@1"] + found["component_bound@2"])
    value = found["component_value@1"] + found["component_value@2"]
    assert_allclose(found["gap"], 1 - value / found["upper_bound"], atol=1e-12)
    assert_allclose(found.filter(like="bound_kind@").sum(axis=1), 2)


def test_the_gap_of_refitted_loadings_is_that_of_their_supports(pitprops):
    truncated = {"truncated": RowTruncation(1, 10, covariance="precomputed")}
    found = spcabench.compare(truncated, Dataset(covariance=pitprops), 10, n_components=1, metrics=["gap"]).frame
    assert_allclose(found["gap"], 0.000876, atol=5e-7)
    assert found["gap_refitted"].max() < 1e-8


def test_a_component_that_is_zero_has_no_gap(pitprops):
    loading = np.eye(13)[:1] + np.eye(13)[1:2]
    nothing = evaluation(np.vstack([loading / np.sqrt(2), np.zeros((1, 13))]), covariance=pitprops)
    each = gaps.component_gap(nothing, 10)
    assert np.isnan(each["2"])
    assert gaps.gap(nothing, 10) == each["1"]
    assert np.isnan(gaps.gap(evaluation(np.zeros((1, 13)), covariance=pitprops), 10))


def test_one_proof_serves_all_metrics_of_a_fit_and_no_other_fit(pitprops, monkeypatch):
    calls = []
    certificate = gaps.certificate
    monkeypatch.setattr(gaps, "certificate", lambda *given: calls.append(1) or certificate(*given))
    seen = evaluation(np.eye(13)[:1], covariance=pitprops)
    for metric in (gaps.gap, gaps.upper_bound, gaps.component_value):
        metric(seen, 10)
    assert len(calls) == 1
    gaps.gap(seen, 5)
    gaps.gap(evaluation(np.eye(13)[:1], covariance=pitprops), 10)
    assert len(calls) == 3


def test_samples_of_many_features_have_bounds_by_formula(monkeypatch):
    X = np.random.default_rng(0).standard_normal((12, 30)) * np.linspace(1, 3, 30)
    S, W = np.cov(X.T, bias=True), TPower(2, 5, random_state=0).fit(X).components_
    tight = gaps.component_bound(evaluation(W, deflation="schur", X=X), 10)
    monkeypatch.setattr(gaps, "MOST_SEARCHED", 20)
    seen = evaluation(W, deflation="schur", X=X)
    loose = gaps.component_bound(seen, 10)
    assert all(loose[j] > tight[j] for j in ("1", "2"))
    of_matrix = gaps.component_value(evaluation(W, deflation="schur", covariance=S), 10)
    assert_allclose([gaps.component_value(seen, 10)[j] for j in ("1", "2")], [of_matrix[j] for j in ("1", "2")])
    assert_allclose(loose["1"], min(np.linalg.eigvalsh(S)[-1], np.sort(S.diagonal())[-5:].sum()))
    assert set(gaps.bound_kind(seen, 10)) <= {"eigenvalue", "trace"}
