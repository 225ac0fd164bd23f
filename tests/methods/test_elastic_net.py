"""The elastic nets of SPCA: optimality, slow references, paths by least angle regression, ties."""

import numpy as np
import pytest
import reference_penalised as reference
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import lars_path_gram
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.penalised.elastic_net import elastic_net, elastic_net_of_cardinality, elastic_net_of_norm
from spcabench_methods.penalised.spca import shrunk


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [6, 40])
def test_elastic_nets(seed, n):
    """Optimality conditions, the slow references, and the path of the same problem by least angle regression."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, 12)) @ rng.standard_normal((12, 12)) / np.sqrt(n)
    S, g, ridge = A.T @ A, A.T @ rng.standard_normal(n), 0.1
    for moments in (Gram(S), Data(np.sqrt(n) * A)):
        l1 = 0.4 * np.abs(g).max()
        b = elastic_net(moments, g, ridge, l1, np.zeros(12))
        assert_allclose(b, reference.elastic_net(S, g, ridge, l1), atol=1e-10)
        slope = 2 * (g - S @ b - ridge * b)
        assert_allclose(slope[b != 0], l1 * np.sign(b[b != 0]), atol=1e-10)
        assert np.all(np.abs(slope) <= l1 + 1e-10)
        for k in (1, 3, 6):
            b, l1 = elastic_net_of_cardinality(moments, g, ridge, k)
            assert_allclose(b, reference.elastic_net(S, g, ridge, l1), atol=1e-8)
            assert np.count_nonzero(b) == k
            gram = S + ridge * np.eye(12)
            levels, _, steps = lars_path_gram(Xy=g, Gram=gram, n_samples=1, method="lasso")
            steps = steps.T
            knot = next(i for i, step in enumerate(steps) if np.count_nonzero(step) == k)
            assert_allclose(b, steps[knot], atol=1e-8)
            assert_allclose(l1, 2 * levels[knot], atol=1e-8)
        b, l1 = elastic_net_of_cardinality(moments, g, ridge, 12)
        assert_allclose(b, np.linalg.solve(S + ridge * np.eye(12), g), atol=1e-8)
        assert l1 == 0.0


@pytest.mark.parametrize("bound", [0.05, 0.4, 1.1, 1e3])
def test_elastic_nets_of_bounded_norm(bound):
    rng = np.random.default_rng(5)
    S, g = np.cov(rng.standard_normal((30, 12)), rowvar=False), rng.standard_normal(12)
    b, l1 = elastic_net_of_norm(Gram(S), g, 0.1, bound)
    dense = np.abs(np.linalg.solve(S + 0.1 * np.eye(12), g)).sum()
    assert_allclose(np.abs(b).sum(), min(bound, dense), rtol=1e-10)
    assert_allclose(b, reference.elastic_net(S, g, 0.1, l1), atol=1e-8)
    b, l1 = shrunk(g, bound)
    assert_allclose(np.abs(b).sum(), min(bound, np.abs(g).sum()), rtol=1e-12)
    assert_allclose(b, np.sign(g) * np.maximum(np.abs(g) - l1 / 2, 0.0), rtol=1e-12)


def test_elastic_net_of_tied_features():
    S = np.kron(np.diag([2.0, 1.0]), np.ones((2, 2))) + 0.1 * np.eye(4)
    for k, expected in ((1, [1, 0, 0, 0]), (2, [1, 1, 0, 0]), (3, [1, 1, 0, 0])):
        b, _ = elastic_net_of_cardinality(Gram(S), np.array([3.0, 3.0, 1.0, 1.0]), 0.0, k)
        assert_array_equal(b > 0, expected)
