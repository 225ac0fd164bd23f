"""GeoSPCA against enumeration: optima, certificates, bounds of unfinished searches, and its loadings."""

import itertools
import time

import numpy as np
import pytest
from drawn import decaying
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import GeoSPCA
from spcabench_methods.joint.geospca import SharedSupport

matrices = st.tuples(st.integers(0, 10**6), st.integers(2, 9), st.integers(1, 12))
unfinished = pytest.mark.filterwarnings("ignore:components .* did not converge")
some_zero = pytest.mark.filterwarnings("ignore:components .* are zero")


def drawn(seed, d, n):
    rng = np.random.default_rng(seed)
    return np.cov((rng.standard_normal((n + 1, d)) * rng.uniform(0.5, 2.0, d)).T, bias=True)


def explained(S, support, r):
    return np.linalg.eigvalsh(S[np.ix_(support, support)])[::-1][:r].sum()


def exhaustive(S, k, r):
    return max(itertools.combinations(range(len(S)), k), key=lambda support: explained(S, support, r))


@unfinished
@some_zero
@settings(max_examples=60, deadline=None)
@given(matrices, st.integers(1, 4), st.data())
def test_enumeration_and_bounds_of_an_unfinished_search(matrix, rounds, data):
    S = drawn(*matrix)
    k, r = data.draw(st.integers(1, len(S))), data.draw(st.integers(1, len(S)))
    best = explained(S, exhaustive(S, k, r), r)
    fitted = GeoSPCA(r, k, max_iter=rounds, covariance="precomputed").fit(S)
    assert fitted.objective_.sum() <= best * (1 + 1e-10)
    assert fitted.upper_bound_ >= best * (1 - 1e-10)
    assert fitted.n_iter_ <= rounds
    assert_allclose(fitted.gap_, 1 - fitted.objective_.sum() / fitted.upper_bound_, atol=1e-12)
    assert fitted.converged_[0] == (fitted.gap_ <= 1e-6)
    fitted.set_params(max_iter=1000).fit(S)
    assert fitted.converged_.all()
    assert best * (1 - 1e-6) <= fitted.objective_.sum()
    assert fitted.upper_bound_ <= best * (1 + 2e-6)


@settings(max_examples=60, deadline=None)
@given(matrices, st.data())
def test_no_cut_forbids_a_better_support(matrix, data):
    S = drawn(*matrix)
    d = len(S)
    k, r = data.draw(st.integers(1, d)), data.draw(st.integers(1, d))
    search = SharedSupport(S, k, r, 1e-6)
    candidate = np.array(sorted(data.draw(st.permutations(range(d)))[:k]))
    search.value = explained(S, candidate, r)
    search._cut_off(candidate)
    for support in itertools.combinations(range(d), k):
        forbidden = any(set(cut) <= set(support) for cut in search._cuts)
        assert not forbidden or explained(S, support, r) <= search.value * (1 + 1e-6) + 1e-12


def test_starts_and_candidates_are_improved():
    S = drawn(0, 30, 60)
    search = SharedSupport(S, 6, 2, 1e-6)
    assert_allclose(search.value, explained(S, search.support, 2))
    for out, new in itertools.product(search.support, np.setdiff1d(np.arange(30), search.support)):
        trial = np.append(search.support[search.support != out], new)
        weights = search._weights(search.support)
        if weights[new] >= np.sort(np.delete(weights, search.support))[-16]:
            assert explained(S, trial, 2) <= search.value * (1 + 1e-9)


@unfinished
def test_loadings_are_the_components_of_the_support(X):
    fitted = GeoSPCA(3, 5, max_iter=3).fit(X)
    W = fitted.components_
    assert_array_equal(np.count_nonzero(W.any(axis=0)), 5)
    assert_array_equal(fitted.n_nonzero_, [5, 5, 5])
    assert_allclose(W @ W.T, np.eye(3), atol=1e-12)
    inner = W @ np.cov(X.T, bias=True) @ W.T
    assert_allclose(inner, np.diag(fitted.objective_), atol=1e-10 * inner.max())
    assert np.all(np.diff(fitted.objective_) <= 0.0)


def test_fewer_features_than_components():
    with pytest.warns(ConvergenceWarning, match="components 3, 4 are zero"):
        fitted = GeoSPCA(4, 2).fit(decaying(0, 30, 8))
    assert_array_equal(fitted.n_nonzero_, [2, 2, 0, 0])
    assert fitted.converged_.all()


def test_the_time_limit_begins_before_the_first_support():
    search = SharedSupport(drawn(0, 60, 60), 6, 3, 1e-6)
    time.sleep(0.25)
    search.run(10**6, 0.2)
    assert search.n_rounds == 1
    assert search.upper_bound > search.value > 0.0
