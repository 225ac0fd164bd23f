"""SPCAvRP against a slow reference, and what holds whatever the draws."""

import numpy as np
import pytest
import reference_random_projections as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import SPCAvRP, SPCAvRPSubspace
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.random_projections.importance import random_subsets

pytestmark = [
    pytest.mark.filterwarnings("ignore:the requested cardinality was not reached"),
    pytest.mark.filterwarnings("ignore:components 2 are zero"),
]

DRAWS = {"n_groups": 8, "n_draws": 5}


def covariance(X):
    return np.cov(X.T, bias=True)


def test_reference_of_orthogonal_components(X):
    found = SPCAvRP(3, 4, random_state=0, **DRAWS).fit(X).components_
    expected = reference.orthogonal(covariance(X), 4, 8, 5, 3, np.random.RandomState(0))
    assert_allclose(found, expected, atol=1e-8)


def test_reference_of_a_common_support(X):
    S = covariance(X)
    found = SPCAvRPSubspace(2, 5, subset_size=4, random_state=0, **DRAWS).fit(X)
    weights = reference.importance(S, 4, 8, 5, 2, np.random.RandomState(0))
    chosen = np.sort(np.argsort(-weights)[:5])
    assert_array_equal(np.flatnonzero(found.components_.any(axis=0)), chosen)
    assert_allclose(found.objective_, np.linalg.eigvalsh(S[np.ix_(chosen, chosen)])[::-1][:2])


def test_no_loading_is_found_where_none_is_orthogonal():
    S = np.diag([1e-6, 1e-6, 1e-6]) + np.full((3, 3), 1.0)
    W = SPCAvRP(2, [3, 1], covariance="precomputed", random_state=0, **DRAWS).fit(S)
    assert_array_equal(W.n_nonzero_, [3, 0])
    assert not W.exact_cardinality_[1]


def test_every_subset_is_drawn_as_often():
    order, counts = np.tile(np.arange(4), (50, 1)), np.zeros((4, 4))
    random = np.random.default_rng(0)
    for _ in range(200):
        for i, j in random_subsets(order, 2, random):
            counts[i, j] += 1
    off = counts[~np.eye(4, dtype=bool)]
    assert np.all(np.abs(off - 10_000 / 12) < 5 * np.sqrt(10_000 / 12))


@pytest.mark.parametrize(("method", "form"), [(SPCAvRP(2, 4, n_draws=5), Gram), (SPCAvRP(2, 4, **DRAWS), Data)])
def test_second_moments_are_formed_for_many_subsets_only_with_the_same_supports(method, form):
    X = np.random.default_rng(0).standard_normal((60, 180)) * np.linspace(1.0, 2.0, 180)
    assert type(method._read(X, X.mean(axis=0))[1]) is form
    found = method.set_params(random_state=0).fit(X).components_
    known = method.set_params(covariance="precomputed").fit(covariance(X)).components_
    assert_allclose(found, known, atol=1e-8)
