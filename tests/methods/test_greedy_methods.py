"""Greedy methods, branch and bound and splicing against references and enumeration."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest
import reference_greedy as reference
from drawn import decaying
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import GSPCA, PCA, ExactSPCA, PathSPCA, Splicing
from spcabench_methods.certified.search import Search
from spcabench_methods.certified.weighted_rows import row_sums
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.greedy.leading_pair import LeadingPair, bordered, spectrum, with_one_less, with_one_more
from spcabench_methods.greedy.polish import swapped
from spcabench_methods.greedy.splicing import hopeful

OPTIMUM = [1.0, 1.9540, 2.4753, 2.9375, 3.4062, 3.7710, 3.9962, 4.0686, 4.1386, 4.1726, 4.2083, 4.2182, 4.2186]
SUPPORTS = {
    2: [1, 2],
    3: [1, 2, 9],
    4: [1, 2, 9, 10],
    5: [1, 2, 7, 9, 10],
    6: [1, 2, 7, 8, 9, 10],
    7: [1, 2, 6, 7, 8, 9, 10],
    8: [1, 2, 4, 6, 7, 8, 9, 10],
    9: [1, 2, 3, 4, 6, 7, 8, 9, 10],
    10: [1, 2, 3, 4, 6, 7, 8, 9, 10, 12],
    11: [1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 13],
    12: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13],
}
PATHS = [
    PathSPCA(3, 4, whole_path=True),
    PathSPCA(3, 4, search="full", whole_path=True),
    GSPCA(3, 4, direction="forward", whole_path=True),
    GSPCA(3, 4, direction="backward", whole_path=True),
    GSPCA(3, 4, whole_path=True),
]
METHODS = [
    *PATHS,
    PathSPCA(3, 4),
    GSPCA(3, 4),
    PathSPCA(3, 4, polish=True),
    ExactSPCA(3, 3),
    Splicing(3, 4),
    Splicing(3, 4, init="top_variance", polish=True),
]
paths = pytest.mark.parametrize("method", PATHS, ids=repr)
every = pytest.mark.parametrize("method", METHODS, ids=repr)
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
    order = np.argsort(-np.diag(S))
    for k in (2, 4, 7):
        found = Splicing(1, k, init="top_variance").fit(X).components_[0]
        assert support_of(found) == reference.splice(S, set(order[:k]))


@pytest.mark.filterwarnings("ignore:components 1 did not converge")
@settings(max_examples=60, deadline=None)
@given(matrices, st.integers(1, 5), st.data())
def test_bounds_of_an_unfinished_search(matrix, nodes, data):
    S = drawn(*matrix)
    k = data.draw(st.integers(1, len(S)))
    best = reference.variance(S, reference.exhaustive(S, k))
    exact = ExactSPCA(1, k, max_iter=nodes, covariance="precomputed").fit(S)
    assert exact.objective_[0] <= best * (1 + 1e-12)
    assert exact.upper_bound_[0] >= best * (1 - 1e-12)
    assert exact.n_iter_ <= nodes
    assert exact.converged_[0] == (exact.gap_[0] <= 1e-9)


def test_limits_return_the_incumbent_and_a_gap():
    X = np.random.default_rng(0).standard_normal((10, 60))
    with pytest.warns(ConvergenceWarning, match="components 1 did not converge"):
        exact = ExactSPCA(1, 8, max_iter=5).fit(X)
    assert exact.n_iter_ == 5
    assert 0.0 < exact.gap_[0] < 1.0
    assert_allclose(exact.gap_, 1 - exact.objective_ / exact.upper_bound_)
    assert exact.n_nonzero_[0] == 8
    begin = time.monotonic()
    X = np.random.default_rng(0).standard_normal((150, 100))
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        ExactSPCA(1, 20, max_iter=10**8, time_limit=0.2).fit(X)
    assert time.monotonic() - begin < 60.0


def test_the_time_limit_begins_before_the_first_solution():
    search = Search(Gram(drawn(0, 40, 80)), 10, 1e-9)
    time.sleep(0.25)
    search.run(10**6, 0.2)
    assert search.n_nodes == 1
    assert search.upper_bound > search.value > 0.0


def test_rows_that_are_fixed_count():
    S = np.eye(6)
    S[0, 1:] = S[1:, 0] = 0.44
    assert_allclose(reference.variance(S, {0, 1, 2, 3, 4}), 1.88)
    centre, *others = row_sums(S, np.arange(6), np.arange(6) == 0, 4, np.ones(6))[0]
    assert_allclose(others, 1.44)
    assert centre >= 1.88
    search = Search(Gram(S), 5, 1e-9)
    search.run(1000, 60.0)
    assert_allclose([search.value, search.upper_bound], 1.88)


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


def test_data_form_of_neighbours():
    X = decaying(1, 8, 30)
    X -= X.mean(axis=0)
    gram, data = Gram(X.T @ X / 8), Data(X)
    w = np.zeros(30)
    w[[1, 5, 6]] = 1.0 / np.sqrt(3)
    gram.deflate(w)
    data.deflate(w)
    support, outside = np.arange(0, 20), np.arange(20, 30)
    assert_allclose(with_one_more(gram, support, outside), with_one_more(data, support, outside), rtol=1e-10)
    assert_allclose(with_one_less(spectrum(gram, support)), with_one_less(spectrum(data, support)), rtol=1e-8)


@every
def test_cardinality_length_and_objective(X, method):
    fitted = clone(method).set_params(n_nonzero=[3, 2, 4]).fit(X)
    assert_array_equal(fitted.n_nonzero_, [3, 2, 4])
    assert_allclose(np.linalg.norm(fitted.components_, axis=1), 1.0, atol=1e-12)
    A = X - X.mean(axis=0)
    for w, objective in zip(fitted.components_, fitted.objective_, strict=True):
        assert_allclose(np.linalg.norm(A @ w) ** 2 / len(A), objective, rtol=1e-9)
        A = A - np.outer(A @ w, w)


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


def test_the_better_of_both_directions(X):
    variance = {
        direction: GSPCA(1, direction=direction, whole_path=True).fit(X).path_[0].variance
        for direction in ("forward", "backward", "both")
    }
    assert_array_equal(variance["both"], np.maximum(variance["forward"], variance["backward"]))


def test_a_short_path_says_what_it_has(X):
    path = GSPCA(1, 4, direction="backward").fit(X).path_[0]
    assert_array_equal(path.cardinalities, range(4, X.shape[1] + 1))
    for wrong, shown in ((3, "3"), (4.5, "4.5"), ("a", "'a'"), (None, "None"), (True, "True")):
        with pytest.raises(ValueError, match=f"^k is {shown}; valid is a whole number from 4"):
            path.at_cardinality(wrong)
    assert_array_equal(path.at_cardinality(np.int32(4)), path.at_cardinality(4))


@pytest.mark.parametrize("method", [PathSPCA(1, 4), GSPCA(1, 4), Splicing(1, 4), ExactSPCA(1, 4)], ids=repr)
def test_order_of_quality(X, method):
    S = np.cov(X.T, bias=True)
    found = clone(method).fit(X)
    if "polish" in method.get_params():
        polished = clone(method).set_params(polish=True).fit(X)
        assert polished.objective_[0] >= found.objective_[0] - 1e-12
        found = polished
    assert reference.improving_swaps(S, support_of(found.components_[0])) == []
    assert found.objective_[0] <= ExactSPCA(1, 4).fit(X).objective_[0] + 1e-9


def test_swaps_find_what_splicing_misses():
    improved = 0
    for seed in range(60):
        S = drawn(seed, 14, 12)
        moments = Gram(S)
        start = np.arange(4)
        better = swapped(moments, LeadingPair.on(moments, start)).support
        assert reference.improving_swaps(S, set(better)) == []
        improved += reference.variance(S, set(better)) > reference.variance(S, set(start)) * (1 + 1e-9)
    assert improved > 50


def test_splicing_is_no_worse_than_its_start(X):
    S = np.cov(X.T, bias=True)
    w = PCA(1).fit(X).components_[0]
    for k in (2, 5, 8):
        start = set(np.argsort(-np.abs(w))[:k])
        found = Splicing(1, k).fit(X).objective_[0]
        assert found >= reference.variance(S, start) - 1e-12


@pytest.mark.parametrize(("seed", "better"), [(35, 0), (4, 1)])
def test_two_starts_are_as_good_as_the_better(seed, better):
    X = np.random.default_rng(seed).standard_normal((15, 30)) * np.arange(1, 31) ** -0.2
    *each, both = (Splicing(1, 3, init=init).fit(X).objective_[0] for init in ("pca", "top_variance", "both"))
    assert each[better] > 1.05 * each[1 - better]
    assert_allclose(both, each[better], rtol=1e-12)


@pytest.mark.parametrize("method", [PathSPCA(4, 4), GSPCA(4, 4), ExactSPCA(4, 4), Splicing(4, 4)], ids=repr)
def test_past_the_rank_loadings_are_zero(method):
    x = np.random.default_rng(0).standard_normal((20, 1))
    with pytest.warns(ConvergenceWarning, match="components 2, 3, 4 are zero"):
        fitted = clone(method).fit(x @ np.array([[3.0, 2.0, 1.0, 0.5]]))
    assert_array_equal(fitted.n_nonzero_, [4, 0, 0, 0])
    if hasattr(fitted, "path_"):
        assert fitted.path_[1:] == [None] * 3


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (PathSPCA(search="best"), "'search' parameter .*approximate.* Got 'best'"),
        (PathSPCA(polish=1), "'polish' parameter .* Got 1"),
        (GSPCA(direction="up"), "'direction' parameter .*backward.* Got 'up'"),
        (GSPCA(n_nonzero=0), "'n_nonzero' parameter .* Got 0"),
        (ExactSPCA(time_limit=0.0), r"'time_limit' parameter .*\(0.* Got 0.0"),
        (ExactSPCA(tol=-1.0), "'tol' parameter .* Got -1.0"),
        (ExactSPCA(n_nonzero=[1, 2, 3]), "n_nonzero has 3 values; valid"),
        (Splicing(max_exchange=0), "'max_exchange' parameter .* Got 0"),
        (
            Splicing(init="multi"),
            "'init' parameter .*top_variance.* Got 'multi'",
        ),
    ],
)
def test_refuses(method, message):
    with pytest.raises(ValueError, match=message):
        method.fit(np.eye(4))


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
