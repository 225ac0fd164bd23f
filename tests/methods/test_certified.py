"""Branch and bound by weighted rows: held against enumeration, and against proved optima."""

import itertools
import math

import numpy as np
import pytest
from drawn import of_kind
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from reference_greedy import variance as eigenvalue
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import ExactSPCA, certify
from spcabench_methods.certified import bounds as eigenvalue_bounds
from spcabench_methods.certified.bounds import largest_eigenvalue, root_bounds, trace_bound, weighted_row_bound
from spcabench_methods.certified.certify import Uniqueness
from spcabench_methods.certified.node import Bounder, Node
from spcabench_methods.certified.search import Search, of_cardinality
from spcabench_methods.core.moments import Gram
from spcabench_methods.greedy.leading_pair import LeadingPair

TOL = 1e-9


def best(S, k, inside=(), outside=()):
    """Return the largest eigenvalue on k features, by enumeration."""
    free = [i for i in range(len(S)) if i not in inside and i not in outside]
    return max(eigenvalue(S, [*inside, *J]) for J in itertools.combinations(free, k - len(inside)))


def problem(seed, d, kind):
    X = of_kind(seed, d, kind)
    return X.T @ X / len(X) + 1e-9 * np.eye(d)


problems = st.builds(
    problem,
    st.integers(0, 10_000),
    st.integers(3, 9),
    st.sampled_from(["plain", "whole numbers", "units", "nonnegative"]),
)


def searched(S, k, nodes=10**6, **others):
    search = Search(Gram(S), k, TOL, **others)
    search.run(nodes, math.inf)
    return search


@settings(max_examples=60, deadline=None)
@given(problems, st.integers(0, 5), st.data())
def test_the_search_is_enumeration_and_its_bound_is_valid_whenever_it_stops(S, nodes, data):
    k = data.draw(st.integers(1, len(S)))
    search, optimum = searched(S, k, nodes), best(S, k)
    assert search.value * (1 - 1e-12) <= optimum <= search.upper_bound * (1 + 1e-12)
    search.run(10**6, math.inf)
    assert_allclose(search.value, optimum, rtol=1e-9)
    assert optimum * (1 - 1e-12) <= search.upper_bound <= optimum * (1 + 2 * TOL)


@settings(max_examples=60, deadline=None)
@given(problems, st.data())
def test_a_bounded_node_loses_nothing_above_the_cut(S, data):
    """Random features are in, others out, and the cut is a little below the best support of the node."""
    d = len(S)
    k = data.draw(st.integers(2, d - 1))
    order = data.draw(st.permutations(range(d)))
    n_in = data.draw(st.integers(0, k - 1))
    n_out = data.draw(st.integers(0, d - k))
    inside, outside = sorted(order[:n_in]), order[n_in : n_in + n_out]
    free = np.array(sorted(order[n_in + n_out :]))
    optimum = best(S, k, inside, outside)
    cut = optimum * (1 - data.draw(st.sampled_from([1e-8, 1e-3, 0.3])))
    node = Node(np.array(inside, dtype=np.intp), free, np.ones(len(free)), np.inf)
    after = Bounder(S, k, TOL).bounded(node, cut)
    if not isinstance(after, Node):
        assert_allclose(eigenvalue(S, after), optimum, rtol=1e-9)
        return
    assert after.bound >= optimum * (1 - 1e-12)
    assert set(inside) <= set(after.fixed)
    for J in itertools.combinations(free, k - n_in):
        support = [*inside, *J]
        if eigenvalue(S, support) > cut * (1 + 1e-9):
            assert set(after.fixed) <= set(support) <= {*after.fixed, *after.free}
            side = after.inside if after.branch in support else after.outside
            assert side >= eigenvalue(S, support) * (1 - 1e-12)


@settings(max_examples=60, deadline=None)
@given(problems, st.data())
def test_no_bound_is_below_the_optimum(S, data):
    k = data.draw(st.integers(1, len(S)))
    optimum = best(S, k)
    support = np.array(sorted(data.draw(st.permutations(range(len(S))))[:k]))
    for kind, bound in root_bounds(S, k, support).items():
        assert bound >= optimum * (1 - 1e-12), kind
    weights = np.random.default_rng(k).uniform(0.01, 1, len(S))
    assert weighted_row_bound(S, k, weights) >= optimum * (1 - 1e-12)


def test_each_bound_is_its_formula():
    S = np.array([[6.0, 2, 1], [2, 5, -2], [1, -2, 4]])
    found = root_bounds(S, 2, np.array([0, 1]))
    assert_allclose(found["eigenvalue"], np.linalg.eigvalsh(S)[-1])
    assert_allclose(found["trace"], 11)
    assert_allclose(found["row"], 8)
    assert_allclose(found["cassini"], (11 + math.sqrt(1 + 16)) / 2)
    printed = np.full((6, 6), 1 + 1e-8) - 1e-8 * np.eye(6)  # with few digits, and so of a smaller trace
    assert trace_bound(printed, 6) >= np.linalg.eigvalsh(printed)[-1] > np.trace(printed)


def test_weights_tighten_the_bound_where_signs_can_be_flipped():
    v = np.array([1.0, -0.8, 0.6, -0.1, 0.05])
    S = np.outer(v, v) + 0.01 * np.eye(5)
    found = root_bounds(S, 3, np.arange(3))
    assert_allclose(found["weighted_row"], eigenvalue(S, [0, 1, 2]), rtol=1e-6)
    assert found["row"] > 1.1 * found["weighted_row"]


@pytest.mark.parametrize("S", [np.eye(50), 0.7 * np.eye(60) + 0.3, (1 + 1 / 60) * np.eye(60) - 1 / 60], ids=len)
def test_ties_need_no_enumeration(S):
    assert searched(S, 10).n_nodes <= 1


def test_few_open_nodes_change_the_order_and_not_the_answer(monkeypatch):
    S = problem(1, 25, "plain")
    before = searched(S, 6)
    monkeypatch.setattr("spcabench_methods.certified.search.MOST_HELD", 50)
    after = searched(S, 6)
    assert_allclose([after.value, after.upper_bound], [before.value, before.upper_bound], rtol=1e-9)


def test_an_interrupted_search_has_a_valid_bound_and_goes_on(monkeypatch):
    S, at = problem(1, 25, "plain"), 1
    whole = searched(S, 6)
    search = Search(Gram(S), 6, TOL)
    bounded = Bounder.bounded

    def interrupted(self, *given):
        if search.n_nodes == at:
            raise KeyboardInterrupt
        return bounded(self, *given)

    monkeypatch.setattr(Bounder, "bounded", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search.run(10**6, math.inf)
    assert search.upper_bound > whole.value * 1.01
    at = -1
    search.run(10**6, math.inf)
    assert_allclose([search.value, search.upper_bound], whole.value, rtol=3 * TOL)


def test_a_bound_needs_no_iterations_that_end_too_early(monkeypatch):
    """What iterations find is below the largest eigenvalue; on many features it counts only once it is proved."""
    S = np.diag(np.linspace(1, 2, 700))
    assert_allclose(largest_eigenvalue(S), 2, rtol=1e-9)
    monkeypatch.setattr(eigenvalue_bounds, "leading_eigenvectors", lambda S, r: (np.array([1.9]), S[:, :1]))
    assert largest_eigenvalue(S) >= 2


def test_a_certificate_tells_weights_from_supports(pitprops):
    exact = ExactSPCA(1, 5, covariance="precomputed").fit(pitprops).components_[0]
    proof = certify(pitprops, exact)
    assert (proof.status, proof.certified) == ("optimal", True)
    assert_allclose(proof.best_value, 3.40615495, rtol=1e-8)
    flat = certify(pitprops, np.sign(exact))
    assert (flat.status, flat.certified, flat.support_certified) == ("optimal", False, True)
    assert flat.gap > 1e-3 > flat.support_gap
    wrong = certify(pitprops, np.eye(13)[0] + np.eye(13)[4], k=5)
    assert wrong.status == "improvable"
    assert list(wrong.best_support) == list(np.flatnonzero(exact))
    assert_allclose(wrong.gap, 1 - wrong.value / proof.upper_bound, atol=1e-6)


def test_a_certificate_without_time_is_open_and_valid():
    X = np.random.default_rng(0).standard_normal((40, 30))
    proof = certify(X, np.arange(30) < 6, time_limit=0)
    assert proof.n_nodes <= 1
    assert proof.upper_bound >= searched(np.cov(X.T, bias=True), 6).value
    assert not proof.best_certified


@pytest.mark.parametrize(
    ("S", "w", "others", "message"),
    [
        (np.eye(3), [1, 0], {}, r"w has shape \(2,\); valid is a finite vector of 3"),
        (np.eye(3), [0, 0, 0], {}, "w has 0 nonzeros"),
        (np.eye(3), [1, 1, 0], {"k": 1}, "w has 2 nonzeros and k is 1"),
        (np.eye(3), [1, 1, 0], {"k": 4}, "to 3"),
        (np.triu(np.ones((3, 3))), [1, 0, 0], {}, "not symmetric"),
        (np.diag([2.0, 1, -1]), [1, 0, 0], {}, "eigenvalues below zero"),
        (np.eye(3) * np.nan, [1, 0, 0], {}, "finite matrix"),
        (np.eye(3), [1, 0, 0], {"tol": 1e-14}, "tol is 1e-14"),
    ],
)
def test_bad_input_is_refused(S, w, others, message):
    with pytest.raises(ValueError, match=message):
        certify(S, w, **others)


def test_a_warm_start_goes_on_from_the_last_components(monkeypatch):
    """With no other start the search that is stopped at once has what the last fit found, one feature more or less."""
    S = np.cov(np.random.default_rng(2).standard_normal((20, 30)).T, bias=True)
    exact = ExactSPCA(2, 6, covariance="precomputed", warm_start=True).fit(S)
    before, found = exact.objective_.copy(), set(np.flatnonzero(exact.components_[0]))
    for k in (5, 7):
        start = of_cardinality(Gram(S), exact.components_[0], k)
        assert (len(start), len(set(start) & found)) == (k, min(k, 6))
    worst = LeadingPair.on(Gram(S), np.arange(6))
    monkeypatch.setattr("spcabench_methods.certified.search.incumbent", lambda moments, k, leading: worst)
    monkeypatch.setattr("spcabench_methods.certified.search.swapped", lambda moments, found: found)
    monkeypatch.setattr(Search, "run", lambda self, *limits: None)
    with pytest.warns(ConvergenceWarning):
        assert_allclose(exact.fit(S).objective_, before)
    with pytest.warns(ConvergenceWarning):
        assert exact.set_params(warm_start=False).fit(S).objective_[0] < before[0]


def test_a_component_of_constant_features_is_no_start():
    S = np.diag([0.0, 2.0, 1.0])
    assert list(of_cardinality(Gram(S), np.array([1.0, 0, 0]), 1)) == [1]
    assert of_cardinality(Gram(S), np.array([1.0, 0, 0]), 3) is None
    proof, nothing = certify(S, [1, 0, 0]), certify(0.0 * S, [1, 0, 0])
    assert (proof.status, proof.value, proof.best_value) == ("improvable", 0, 2)
    assert (nothing.upper_bound, nothing.gap, nothing.status) == (0, 0, "optimal")


def test_a_support_that_is_nearly_as_good_as_the_best_does_not_leave_it_open_whether_that_is_unique():
    S = problem(506, 7, "units")
    values = sorted(eigenvalue(S, I) for I in itertools.combinations(range(7), 5))
    assert 1e-6 < 1 - values[-2] / values[-1] < 1.3e-6
    assert certify(S, np.eye(7)[0], 5, uniqueness=True).unique is True


@settings(max_examples=40, deadline=None)
@given(problems, st.data())
def test_uniqueness_is_what_enumeration_says(S, data):
    k = data.draw(st.integers(1, len(S)))
    values = sorted(eigenvalue(S, I) for I in itertools.combinations(range(len(S)), k))
    proof = certify(S, S[:, 0] if k == len(S) else np.eye(len(S))[0], k, uniqueness=True)
    near = [value for value in values if value >= values[-1] * (1 - 1e-6)]
    assume(not any(abs(value / values[-1] - 1 + 1e-6) < 1e-7 for value in values))
    if len(proof.best_support) == k:
        assert proof.unique == (len(near) == 1)
    else:
        assert proof.unique is False
    assert certify(S, np.eye(len(S))[0]).unique is None


def test_a_search_for_other_supports_that_is_stopped_goes_on(pitprops):
    search = Uniqueness(Gram(pitprops), searched(pitprops, 5).support)
    search.run(-1)
    assert search.unique is None
    search.run(60)
    assert search.unique is True
    twice = np.kron(np.eye(2), pitprops)
    other = Uniqueness(Gram(twice), searched(twice, 5).support)
    other.run(60)
    assert other.unique is False
