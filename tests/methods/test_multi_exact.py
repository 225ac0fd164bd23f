"""MultiExactSPCA and its search: optima by enumeration, proved values, and bounds that hold whenever it stops."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from spcabench_methods import MultiExactSPCA, OrthogonalSPCA, certify_many
from spcabench_methods.certified import joint_search
from spcabench_methods.certified.apart import best_apart
from spcabench_methods.certified.bounds import supports
from spcabench_methods.certified.joint_search import JointSearch, projected


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


@pytest.mark.parametrize(("r", "k", "optimum"), [(2, 4, 5.255158), (2, 5, 5.710358), (3, 3, 6.639649)])
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
    assert search.value * (1.0 + 1e-6) <= search.upper_bound <= first
    assert search.upper_bound < 5.71037


def test_many_supports_leave_a_gap():
    S = np.cov(np.random.default_rng(0).standard_normal((80, 60)), rowvar=False)
    with pytest.warns(match="did not converge"):
        exact = MultiExactSPCA(n_components=2, n_nonzero=8, covariance="precomputed").fit(S)
    assert 0.0 < exact.gap_ < 0.6
    assert exact.upper_bound_ <= np.linalg.eigvalsh(S)[-2:].sum() + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_disjoint_components_are_the_best(seed):
    rng = np.random.default_rng(seed)
    d, r, k = int(rng.integers(5, 8)), 2, int(rng.integers(1, 3))
    S = np.cov(rng.standard_normal((3 * d, d)) @ rng.standard_normal((d, d)), rowvar=False)
    best = max(
        sum(np.linalg.eigvalsh(S[np.ix_(one, one)])[-1] for one in pair)
        for pair in itertools.combinations(itertools.combinations(range(d), k), r)
        if len(set().union(*pair)) == r * k
    )
    found = OrthogonalSPCA(n_components=r, n_nonzero=k, disjoint=True, covariance="precomputed", random_state=0).fit(S)
    assert found.objective_.sum() == pytest.approx(best)


def test_the_nearest_matrix_of_a_trace():
    A = np.diag([3.0, 0.6, 0.2, -1.0])
    assert_allclose(projected(A, 2.0, 1.0), np.diag([1.0, 0.7, 0.3, 0.0]), atol=1e-12)
    assert_allclose(projected(A, 1.0, 1.0), np.diag([1.0, 0.0, 0.0, 0.0]), atol=1e-12)
