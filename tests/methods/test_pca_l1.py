"""PCA-L1: the plain loop and exhaustive search."""

import itertools

import numpy as np
import pytest
from reference_robust import robust_components
from spcabench_methods import PCAL1
from spcabench_methods.specs.robust import spcabench_methods


@pytest.mark.parametrize("shape", [(80, 12), (20, 60), (9, 3)])
def test_agrees_with_the_plain_loop(shape):
    for seed in range(8):
        X = np.random.default_rng(seed).standard_t(2, shape)
        fitted = PCAL1(3, random_state=0).fit(X)
        found = robust_components(X, [None] * 3, [shape[1]] * 3, max_iter=1000)
        wanted = np.array([f[0] for f in found])
        np.testing.assert_allclose(np.abs(fitted.components_), np.abs(wanted), atol=1e-8)
        np.testing.assert_array_equal(fitted.n_iter_per_component_, [f[2] for f in found])


def test_loadings_are_orthonormal():
    W = PCAL1(8).fit(np.random.default_rng(0).standard_normal((50, 8))).components_
    np.testing.assert_allclose(W @ W.T, np.eye(8), atol=1e-10)


def test_random_starts_reach_the_exhaustive_maximum():
    for seed in range(5):
        X = np.random.default_rng(seed).standard_normal((10, 3))
        centred = X - X.mean(axis=0)
        signs = np.array(list(itertools.product([-1.0, 1.0], repeat=10)))
        wanted = np.linalg.norm(signs @ centred, axis=1).max()
        found = PCAL1(1, init="random", n_init=30, random_state=0).fit(X).objective_[0]
        assert found == pytest.approx(wanted)


def test_the_page_of_the_family():
    specs = [spec for spec in spcabench_methods() if spec.family == "robust"]
    for spec in specs:
        assert spec.requires == {"samples"}
        for parameter in spec.parameters.values():
            assert parameter.valid.accepts(parameter.default)
    assert [spec.name for spec in specs][:2] == ["pca_l1", "rspca"]
