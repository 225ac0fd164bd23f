"""Several components: bounds never below what enumeration reaches, proofs, and the search of MultiExactSPCA."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from reference_greedy import variance
from spcabench_methods import MultiExactSPCA, OrthogonalSPCA, certify_many
from spcabench_methods.certified import joint_search, several
from spcabench_methods.certified.apart import best_apart
from spcabench_methods.certified.bounds import supports
from spcabench_methods.certified.joint_search import JointSearch, projected


def problem(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((int(rng.integers(2, 12)), d)) * rng.lognormal(0, 0.5, d)
    return X.T @ X / len(X)


problems = st.builds(problem, st.integers(0, 10_000), st.integers(4, 6))


def leading(S, support, before=None):
    """Return the best unit vector on a support, orthogonal to another one if there is any."""
    basis = np.eye(len(support))
    if before is not None and np.linalg.norm(before[list(support)]) > 1e-10:
        basis = np.linalg.svd(before[None, list(support)])[2][1:].T
    w = np.zeros(len(S))
    w[list(support)] = basis @ np.linalg.eigh(basis.T @ S[np.ix_(support, support)] @ basis)[1][:, -1]
    return w


def pairs(S, k):
    """Yield two orthogonal loadings for each two supports of k features; not the best ones, but feasible."""
    found = list(itertools.combinations(range(len(S)), k))
    for I, J in itertools.product(found, found):
        w = leading(S, I)
        yield w, leading(S, J, w)


def best_disjoint(S, k):
    values = {I: variance(S, I) for I in itertools.combinations(range(len(S)), k)}
    return max(values[I] + values[J] for I, J in itertools.combinations(values, 2) if not set(I) & set(J))


@settings(max_examples=20, deadline=None)
@given(problems, st.integers(2, 3), st.integers(0, 10_000))
def test_no_orthogonal_loadings_exceed_the_bounds(S, k, seed):
    reached = max(v @ S @ v + w @ S @ w for v, w in pairs(S, k))
    Z = np.random.default_rng(seed).standard_normal(S.shape)
    M = np.linalg.norm(S) * (Z + Z.T) / len(S)
    split = several.split_bound(S, [k, k], 0.0, 5, math.inf)
    for bound in (several.eigenvalue_bound(S, 2), several.parts(S, M, [k, k])[0], split):
        assert bound >= reached * (1 - 1e-12)


@settings(max_examples=20, deadline=None)
@given(problems)
def test_no_disjoint_loadings_exceed_the_bound(S):
    found, best = several.disjoint_bound(S, 2, 2, 0.0, 500), best_disjoint(S, 2)
    assert found.bound >= best * (1 - 1e-12)
    assert found.value <= best * (1 + 1e-12)
    I, J = found.supports.tolist()
    assert not set(I) & set(J)


@pytest.mark.parametrize("k", [1, 4, 13])
def test_a_search_bounds_where_supports_are_too_many_to_enumerate(pitprops, monkeypatch, k):
    indefinite = pitprops - 2.0 * np.eye(13)[[0]].T @ np.eye(13)[[0]] - np.eye(13)
    bound, w = several.sparse_eigenvalue(indefinite, k)
    monkeypatch.setattr(several, "MOST_EVALUATED", 0)
    searched, v = several.sparse_eigenvalue(indefinite, k)
    assert bound - 1e-9 <= searched <= bound + 1e-4
    assert_allclose([w @ indefinite @ w, v @ indefinite @ v], bound, atol=1e-9)


def test_disjoint_optima_of_pitprops_are_proved(pitprops):
    W = np.zeros((3, 13))
    W[[0, 1, 2], [0, 5, 3]] = W[[0, 1, 2], [1, 6, 4]] = W[[0, 1, 2], [7, 9, 10]] = W[[0, 1, 2], [8, 12, 11]] = 1.0
    proof = certify_many(pitprops, W, disjoint=True)
    assert proof.bound_kind == "disjoint"
    assert proof.gap > 0
    assert not proof.certified
    assert_allclose([proof.best_value, proof.upper_bound], 7.250149, atol=1e-6)
    assert_array_equal(np.flatnonzero(proof.best.any(axis=0)), [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12])
    assert certify_many(pitprops, proof.best, disjoint=True).certified


def test_a_joint_proof_has_its_parts(pitprops):
    values, vectors = np.linalg.eigh(pitprops)
    proof = certify_many(pitprops, vectors[:, :-3:-1].T)
    assert proof.certified
    assert proof.bound_kind == "eigenvalues"
    assert_allclose([proof.value, proof.upper_bound], values[-2:].sum(), rtol=1e-12)
    twice = certify_many(pitprops, [vectors[:, -1]] * 2, n_steps=1)
    assert_allclose(twice.violation, 2.0)
    assert not twice.certified
    assert twice.gap < 0
    one = certify_many(pitprops, np.eye(13)[:1])
    assert_allclose([one.value, one.upper_bound], 1.0)
    assert one.bound_kind == "singles"


def test_what_is_no_matrix_of_loadings_is_refused(pitprops):
    with pytest.raises(ValueError, match=r"W has shape \(0,\)|W has shape \(1, 0\)"):
        certify_many(pitprops, [])
    with pytest.raises(ValueError, match="w has 0 nonzeros"):
        certify_many(pitprops, np.zeros((2, 13)))


# The search for orthogonal components


def drawn(seed):
    X = np.random.default_rng(seed).standard_normal((12, 5)) * np.array([4.0, 1.5, 1.0, 1.0, 0.5])
    return np.cov(X, rowvar=False)


def best_of_two(S, k):
    """Return the largest tr(W'SW) of two orthogonal loadings of k nonzeros, by pairs of supports and angles."""
    best = 0.0
    angles = np.linspace(0.0, np.pi, 721)
    for one, other in itertools.combinations_with_replacement(list(itertools.combinations(range(len(S)), k)), 2):
        for first, second in ((one, other), (other, one)):
            w = np.zeros((len(angles), len(S)))
            w[:, first[0]], w[:, first[1]] = np.cos(angles), np.sin(angles)
            block = S[np.ix_(second, second)]
            inside = w[:, second]
            lengths = np.linalg.norm(inside, axis=1)
            top = np.linalg.eigvalsh(block)[-1]
            across = np.stack([-inside[:, 1], inside[:, 0]], axis=1) / np.maximum(lengths, 1e-12)[:, None]
            left = np.where(lengths > 1e-12, np.einsum("ni,ij,nj->n", across, block, across), top)
            best = max(best, float((np.einsum("ni,ij,nj->n", w, S, w) + left).max()))
    return best


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_it_finds_what_enumeration_does_and_proves_it(seed):
    S = drawn(seed)
    exact = MultiExactSPCA(n_components=2, n_nonzero=2, covariance="precomputed").fit(S)
    best = best_of_two(S, 2)
    assert exact.gap_ <= 1e-6
    assert exact.objective_.sum() == pytest.approx(best, rel=1e-4)
    assert exact.upper_bound_ >= best * (1.0 - 1e-9)
    W = exact.components_
    assert_allclose(W @ W.T, np.eye(2), atol=1e-7)
    assert (np.count_nonzero(W, axis=1) <= 2).all()


@pytest.mark.parametrize("most", [1, 3000])
def test_no_bound_falls_below_the_optimum_that_a_search_has_not_found(most, monkeypatch):
    S = drawn(0)
    best = best_of_two(S, 2)
    monkeypatch.setattr(joint_search, "MOST_TUPLES", most)
    monkeypatch.setattr(JointSearch, "_climb", lambda *_: None)
    search = JointSearch(S, [2, 2], 1e-6)
    search.W, search.value = np.zeros((5, 2)), 0.97 * best
    search.run(60.0)
    assert best * (1.0 - 1e-9) <= search.upper_bound


@pytest.mark.parametrize(("r", "k", "optimum"), [(2, 4, 5.255158), (3, 3, 6.639649)])
def test_the_optima_of_pitprops(pitprops, r, k, optimum):
    search = JointSearch(pitprops, [k] * r, 1e-6)
    assert search.upper_bound == pytest.approx(np.linalg.eigvalsh(pitprops)[-r:].sum())
    search.run(60.0)
    assert search.value == pytest.approx(optimum, rel=1e-6)
    assert search.upper_bound <= optimum * (1.0 + 2e-6)


def test_better_loadings_that_share_features_are_found_and_proved():
    rng = np.random.default_rng(5)
    S = np.diag([9.0, 1.0, 1.0, 1.0]) + 0.4 * np.ones((4, 4)) + np.diag(rng.random(4))
    exact = MultiExactSPCA(n_components=2, n_nonzero=2, covariance="precomputed").fit(S)
    apart = best_apart(S, [supports(4, 2)] * 2)
    assert exact.gap_ <= 1e-6
    assert exact.objective_.sum() >= np.vdot(apart, S @ apart)
    proof = certify_many(S, apart.T)
    assert proof.bound_kind == "search"
    assert proof.best_value == pytest.approx(exact.objective_.sum(), rel=1e-6)


def test_a_search_that_is_stopped_goes_on_and_its_bound_falls(pitprops):
    search = JointSearch(pitprops, [5, 5], 1e-6)
    search.run(60.0, max_nodes=1)
    first = search.upper_bound
    assert first >= search.value
    search.run(60.0)
    assert search.value == pytest.approx(5.710358, rel=1e-6)
    assert search.value * (1.0 + 1e-6) <= search.upper_bound <= first
    assert search.upper_bound <= 5.710358 * (1.0 + 2e-6)


def test_many_supports_leave_a_gap():
    S = np.cov(np.random.default_rng(0).standard_normal((80, 60)), rowvar=False)
    with pytest.warns(match="did not converge"):
        exact = MultiExactSPCA(n_components=2, n_nonzero=8, covariance="precomputed").fit(S)
    assert 0.0 < exact.gap_ < 0.6
    assert exact.upper_bound_ <= np.linalg.eigvalsh(S)[-2:].sum() + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_disjoint_components_are_the_best(seed):
    S, k = problem(seed, 5 + seed % 3), 1 + seed % 2
    found = OrthogonalSPCA(n_components=2, n_nonzero=k, disjoint=True, covariance="precomputed", random_state=0).fit(S)
    assert found.objective_.sum() == pytest.approx(best_disjoint(S, k))


def test_the_nearest_matrix_of_a_trace():
    A = np.diag([3.0, 0.6, 0.2, -1.0])
    assert_allclose(projected(A, 2.0, 1.0), np.diag([1.0, 0.7, 0.3, 0.0]), atol=1e-12)
    assert_allclose(projected(A, 1.0, 1.0), np.diag([1.0, 0.0, 0.0, 0.0]), atol=1e-12)
