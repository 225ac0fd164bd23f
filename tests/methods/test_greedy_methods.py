"""Greedy methods, branch and bound and splicing against references and enumeration."""

import pickle
import time

import numpy as np
import pytest
import reference_greedy as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import GSPCA, ExactSPCA, PathSPCA, Splicing
from spcabench_methods.certified.search import Search
from spcabench_methods.core.moments import Gram
from spcabench_methods.greedy.leading_pair import bordered, spectrum, with_one_less, with_one_more
from spcabench_methods.greedy.splicing import hopeful

PATHS = [
    PathSPCA(3, 4, whole_path=True),
    PathSPCA(3, 4, search="full", whole_path=True),
    GSPCA(3, 4, direction="forward", whole_path=True),
    GSPCA(3, 4, direction="backward", whole_path=True),
    GSPCA(3, 4, whole_path=True),
]
paths = pytest.mark.parametrize("method", PATHS, ids=repr)
SEARCHES = {
    "approximate": (PathSPCA(1, init="published"), reference.approximate),
    "full": (PathSPCA(1, search="full", init="published"), reference.forward),
    "forward": (GSPCA(1, direction="forward", polish=False), reference.forward),
    "backward": (GSPCA(1, direction="backward", polish=False), reference.backward),
}
matrices = st.tuples(st.integers(0, 10**6), st.integers(1, 14), st.integers(1, 12))


def drawn(seed, d, n):
    X = np.random.default_rng(seed).standard_normal((n + 1, d))
    return np.cov(X.T, bias=True).reshape(d, d)


def support_of(w):
    return set(np.flatnonzero(w))


@pytest.mark.parametrize("name", SEARCHES)
def test_references(X, name):
    method, search = SEARCHES[name]
    S = np.cov(X.T, bias=True)
    for k in (1, 3, 7):
        fitted = clone(method).set_params(n_nonzero=k).fit(X)
        assert support_of(fitted.components_[0]) == search(S, k)
        assert_allclose(fitted.objective_, reference.variance(S, search(S, k)))


def test_splicing_reference(X):
    S = np.cov(X.T, bias=True)
    for k in (2, 4, 7):
        found = Splicing(1, k, init="top_variance").fit(X).components_[0]
        assert support_of(found) == reference.splice(S, set(np.argsort(-np.diag(S))[:k]))


def test_limits_return_the_incumbent_and_a_gap():
    X = np.random.default_rng(0).standard_normal((10, 60))
    with pytest.warns(ConvergenceWarning, match="components 1 did not converge"):
        exact = ExactSPCA(1, 8, max_iter=5).fit(X)
    assert exact.n_iter_ == 5
    assert 0.0 < exact.gap_[0] < 1.0
    assert_allclose(exact.gap_, 1 - exact.objective_ / exact.upper_bound_)
    assert exact.n_nonzero_[0] == 8
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        assert exact.set_params(max_iter=10**8, time_limit=1e-6).fit(X).n_iter_ > 0


def test_the_time_limit_begins_before_the_first_solution():
    search = Search(Gram(drawn(0, 40, 80)), 10, 1e-9)
    time.sleep(0.25)
    search.run(10**6, 0.2)
    assert search.n_nodes == 1
    assert search.upper_bound > search.value > 0.0


@settings(max_examples=60, deadline=None)
@given(matrices, st.data())
def test_eigenvalues_of_neighbours(matrix, data):
    S = drawn(*matrix)
    d = len(S)
    size = data.draw(st.integers(0, d))
    order = data.draw(st.permutations(range(d)))
    support, outside = np.sort(np.array(order[:size], dtype=int)), np.array(order[size:], dtype=int)
    if len(outside):
        expected = [reference.variance(S, {*support, i}) for i in outside]
        assert_allclose(with_one_more(Gram(S), support, outside), expected, rtol=1e-10)
    if size > 1:
        expected = [reference.variance(S, set(support) - {j}) for j in support]
        assert_allclose(with_one_less(spectrum(Gram(S), support)), expected, rtol=1e-10)


def test_eigenvalues_of_neighbours_of_uncorrelated_features():
    S = np.diag([3.0, 3.0, 3.0, 2.0, 5.0])
    assert_allclose(with_one_more(Gram(S), np.array([0, 1, 3]), np.array([2, 4])), [3.0, 5.0])
    assert_allclose(with_one_less(spectrum(Gram(S), np.array([0, 3, 4]))), [5.0, 5.0, 3.0])
    assert_allclose(bordered(np.array([2.0, 2.0]), np.array([[1e-40, 1.0]]), np.array([2.0])), [3.0])


@paths
def test_variance_grows_along_a_path(X, method):
    path = clone(method).fit(X).path_[0]
    assert_array_equal(path.cardinalities, range(1, X.shape[1] + 1))
    assert np.all(np.diff(path.variance) >= -1e-12)
    again = pickle.loads(pickle.dumps(path))
    A = X - X.mean(axis=0)
    for k in (1, 4, 9):
        w = again.at_cardinality(k)
        assert np.count_nonzero(w) == k
        assert_allclose(np.linalg.norm(A @ w) ** 2 / len(A), path.variance[k - 1], rtol=1e-9)


def test_a_short_path_says_what_it_has(X):
    path = GSPCA(1, 4, direction="backward").fit(X).path_[0]
    assert_array_equal(path.cardinalities, range(4, X.shape[1] + 1))
    for wrong in (3, 4.5, "a", None, True):
        with pytest.raises(ValueError, match=f"^k is {wrong!r}; valid is a whole number from 4"):
            path.at_cardinality(wrong)
    assert_array_equal(path.at_cardinality(np.int32(4)), path.at_cardinality(4))


@pytest.mark.parametrize("method", [PathSPCA(2, 70), GSPCA(2, 70), Splicing(2, 70), ExactSPCA(2, 70)], ids=repr)
def test_more_nonzeros_than_features_that_vary(method):
    X = np.zeros((107, 137))
    X[:, 40:78] = np.random.default_rng(0).standard_normal((107, 38))
    assert_array_equal(method.fit(X).components_.nonzero()[1], [*range(40, 78)] * 2)


@pytest.mark.parametrize(("seed", "better"), [(35, 0), (4, 1)])
def test_two_starts_are_as_good_as_the_better(seed, better):
    X = np.random.default_rng(seed).standard_normal((15, 30)) * np.arange(1, 31) ** -0.2
    *each, both = (Splicing(1, 3, init=init).fit(X).objective_[0] for init in ("pca", "top_variance", "both"))
    assert each[better] > 1.05 * each[1 - better]
    assert_allclose(both, each[better], rtol=1e-12)


def test_as_many_features_as_there_are_nonzeros_may_be_exchanged():
    X = np.random.default_rng(16).standard_normal((15, 30))
    found = [Splicing(1, 6, init="top_variance", max_exchange=m).fit(X).objective_[0] for m in (None, 6, 1)]
    assert found[0] == found[1]
    assert found[0] > 1.03 * found[2]


def test_no_support_is_left_out_that_explains_more():
    S = np.cov(np.random.default_rng(0).standard_normal((20, 6)).T)
    for support in (np.array([0, 1, 2]), np.array([2, 4, 5])):
        largest = np.linalg.eigvalsh(S[np.ix_(support, support)])[-1]
        assert hopeful(Gram(S), support, 0.999 * largest)
        assert not hopeful(Gram(S), support, 3.0 * largest)
