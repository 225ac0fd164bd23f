"""Compiled steps on small problems: the products, and the same ends as steps that call BLAS."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import GPower, TPower
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.core.passes import total_and_zeros
from spcabench_methods.core.products import product
from spcabench_methods.greedy.exchanges import next_exchange
from spcabench_methods.greedy.pathspca import first_largest_outside, with_feature
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


def test_a_path_takes_the_first_of_the_tied_features_outside():
    outside = np.array([True, True, False, True])
    assert first_largest_outside(np.array([0.5, -1.0 + 1e-15, 3.0, 1.0]), outside) == 1
    assert first_largest_outside(np.zeros(4), outside[::-1].copy()) == 0
    for feature in (0, 4, 9):
        assert_array_equal(with_feature(np.array([2, 6]), feature), np.sort([2, 6, feature]))


def test_no_support_is_left_out_that_explains_more():
    X = samples()
    S = X.T @ X / 30
    for support in (np.array([0, 1, 2]), np.array([7, 8, 9])):
        largest = np.linalg.eigvalsh(S[np.ix_(support, support)])[-1]
        kept, promising = np.append(support[:2], 4), support[2:]
        assert next_exchange(Gram(S), kept, promising, 1, 0.999 * largest) == 1
        assert next_exchange(Gram(S), kept, promising, 1, 3.0 * largest) == 0


def test_fewer_features_are_exchanged_until_the_norm_allows_more_variance():
    kept, promising = np.array([0, 1]), np.array([2, 3])
    assert next_exchange(Gram(np.diag([2.0, 1.0, 1.5, 1.0])), kept, promising, 2, 2.0) == 1
    assert next_exchange(Gram(np.diag([2.0, 1.0, 1.5, 1.0])), kept, promising, 2, 1.7) == 2
