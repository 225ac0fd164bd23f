"""Compiled steps on small problems: the products, and the same ends as steps that call BLAS."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import GPower, TPower
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.core.passes import total_and_zeros
from spcabench_methods.core.products import product
from spcabench_methods.power import ascent, tpower
from spcabench_methods.truncations.soft import soft


def samples(n=30, d=40):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d)) + 2.0 * rng.standard_normal((n, 1)) * (np.arange(d) < 6)
    X[:, 7] = 0.0
    return X - X.mean(axis=0)


@pytest.mark.parametrize("support", [[], [3], [0, 7, 39], range(1, 40), range(40)], ids=len)
def test_products_of_either_form(support):
    X = samples()
    w = np.zeros(40)
    w[support] = np.random.default_rng(1).standard_normal(len(support))
    S = X.T @ X / 30
    assert_allclose(product(S, True, w), S @ w, atol=1e-13)
    assert_allclose(product(X, False, w), S @ w, atol=1e-13)
    assert product(X, False, w)[7] == 0.0


@pytest.mark.parametrize("shape", [(30, 40), (40, 9)], ids=["samples", "matrix"])
@pytest.mark.parametrize(
    "method", [TPower(2, 5), GPower(2, penalty="l0", rho=0.2), GPower(2, rho=0.1), GPower(2, rho=0.01)], ids=repr
)
def test_compiled_steps_come_to_the_ends_of_the_others(method, shape, monkeypatch):
    X = samples(*shape)
    compiled = method.fit(X).components_, method.objective_, method.n_iter_per_component_
    for module in (ascent, tpower):
        monkeypatch.setattr(module, "compact", lambda moments: None)
    assert_allclose(method.fit(X).components_, compiled[0], atol=1e-9)
    assert_allclose(method.objective_, compiled[1], rtol=1e-9)
    assert_array_equal(method.n_iter_per_component_, compiled[2])


@pytest.mark.parametrize("form", [Gram, Data])
def test_a_start_without_variance_makes_way(form):
    X = samples()
    moments = Data(X) if form is Data else Gram(X.T @ X / 30)
    ends = [ascent.penalised_ascent(moments, soft, 0.1, np.eye(40)[j], 1e-6, 1000) for j in (7, X.var(0).argmax())]
    assert_allclose(ends[0].loading, ends[1].loading)
    assert ends[0].loading.any()


def test_the_sum_and_the_zeros():
    total, zeros = total_and_zeros(np.array([0.0, 2.0, 0.0, 3.0]))
    assert total == 5.0
    assert_array_equal(zeros, [0, 2])
