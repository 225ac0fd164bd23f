"""What holds of the metrics whatever the data and the loadings."""

import importlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spcabench import Dataset, Evaluation, Fitted, Moments
from spcabench.metrics import orthogonality, reconstruction, sparsity, support, time, variance
from spcabench.traces import Trace

MODULES = (variance, sparsity, orthogonality, reconstruction, support, time)
SPECS = [spec for module in MODULES for spec in module.spcabench_metrics()]
TOLERANCE = 1e-9


def function(spec):
    module, name = spec.compute.split(":")
    return getattr(importlib.import_module(module), name)


@st.composite
def evaluations(draw):
    """Draw samples, sometimes without variance or fewer than features, and unit or zero sparse loadings."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, r = draw(st.integers(2, 12)), draw(st.integers(1, 8)), draw(st.integers(1, 5))
    rank = draw(st.integers(1, d))
    X = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, d)) + draw(st.sampled_from([0.0, 10.0]))
    W = rng.standard_normal((r, d)) * (rng.random((r, d)) < draw(st.sampled_from([0.1, 0.5, 1.0])))
    if r > 1 and draw(st.booleans()):
        W[-1] = W[0]
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    W /= np.where(norms > 0, norms, 1.0)
    dataset = Dataset(X=X, X_clean=X[:-1] + 1.0, supports=rng.random((draw(st.integers(1, 4)), d)) < 0.5)
    trace = Trace(iterations=(1, 2), cpu_time=(0.1, 0.2), wall_time=(0.1, 0.2), objective=(0.05, 0.1))
    facts = {"n_iter": np.array([2]), "objective": np.array([0.1]), "fit_time": 0.1, "cold_time": 0.2, "trace": trace}
    fitted = Fitted(components=W, mean=X.mean(axis=0), **facts)
    return Evaluation(dataset=dataset, fitted=fitted, moments=Moments(X=X))


@settings(max_examples=150, deadline=None)
@given(evaluations())
def test_every_value_is_finite_and_in_its_range(evaluation):
    for spec in SPECS:
        values = function(spec)(evaluation)
        for value in values.values() if isinstance(values, dict) else [values]:
            assert np.isfinite(value), spec.name
            assert spec.range[0] - TOLERANCE <= value <= spec.range[1] + TOLERANCE, spec.name


@settings(max_examples=200, deadline=None)
@given(evaluations())
def test_the_chain_of_variances(evaluation):
    r = len(evaluation.fitted.components)
    X = evaluation.moments.X
    eigenvalues = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2 / len(X)
    top = eigenvalues[:r].sum() / evaluation.moments.total_variance
    cpev = variance.cpev(evaluation)
    assert variance.adjusted_variance(evaluation) <= cpev + TOLERANCE
    assert variance.adjusted_variance(evaluation, order="norm") <= cpev + TOLERANCE
    assert cpev <= top + TOLERANCE
    assert variance.adjusted_variance(evaluation) <= variance.explained_variance(evaluation) + TOLERANCE


@settings(max_examples=100, deadline=None)
@given(evaluations(), st.integers(0, 2**32 - 1))
def test_cpev_depends_on_the_subspace_alone(evaluation, seed):
    W = evaluation.fitted.components
    mixing = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(W), len(W))))[0] * 3.0
    mixed = replace(evaluation, fitted=replace(evaluation.fitted, components=mixing @ W))
    assert variance.cpev(mixed) == pytest.approx(variance.cpev(evaluation))


@settings(max_examples=100, deadline=None)
@given(evaluations())
def test_a_covariance_gives_what_its_samples_give(evaluation):
    X = evaluation.moments.X
    S = np.cov(X, rowvar=False, ddof=0).reshape(X.shape[1], -1)
    other = Evaluation(dataset=Dataset(covariance=S), fitted=evaluation.fitted, moments=Moments(covariance=S))
    for metric in (variance.cpev, variance.explained_variance, variance.deflated_variance):
        assert metric(other) == pytest.approx(metric(evaluation), abs=TOLERANCE)
