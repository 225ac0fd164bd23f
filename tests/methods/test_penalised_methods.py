"""SCoTLASS, SPCA, PMD, DCPCA, EMPCA and ALSPCA against published numbers, slow references and identities."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
import reference_power
import spcabench_methods.library as library
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.decomposition import SparsePCA
from sklearn.linear_model import lars_path_gram
from spcabench_methods import ALSPCA, DCPCA, EMPCA, PCA, PMD, SPCA, SCoTLASS
from spcabench_methods.core.l1_ball import bounded_unit, onto_balls
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.penalised.elastic_net import elastic_net, elastic_net_of_cardinality, elastic_net_of_norm
from spcabench_methods.penalised.scotlass import orthogonal_bounded_unit
from spcabench_methods.penalised.spca import shrunk

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 200}
GIVEN = {"covariance": "precomputed"}

vectors = arrays(np.float64, st.integers(1, 9), elements=st.floats(-5, 5).map(lambda x: round(x, 3)))


def nonorthogonality(W):
    cosines = np.abs(W @ W.T)
    r = len(W)
    return (cosines.sum() - np.trace(cosines)) / (r * (r - 1))


# Published numbers


def test_pitprops_spca_published(pitprops):
    """Zou, Hastie and Tibshirani (2006), table 3."""
    spca = SPCA(6, l1=[0.06, 0.16, 0.1, 0.5, 0.5, 0.5], **GIVEN).fit(pitprops)
    assert_array_equal(spca.n_nonzero_, [7, 4, 4, 1, 1, 1])
    assert_allclose(100 * spca.explained_variance_ratio_, [28.0, 14.0, 13.3, 7.4, 6.8, 6.2], atol=0.051)
    first = [0.477, 0.476, 0, 0, -0.177, 0, 0.250, 0.344, 0.416, 0.400, 0, 0, 0]
    assert_allclose(spca.components_[0], first, atol=1e-3)
    assert_allclose(spca.components_[1, [2, 3, 7, 11]], [0.785, 0.619, -0.021, 0.013], atol=1e-3)
    assert_allclose(spca.components_[2, [4, 5, 6, 12]], [0.641, 0.589, 0.492, -0.016], atol=1e-3)


def test_hidden_factors_spca_published(hidden_factors):
    """Zou, Hastie and Tibshirani (2006), section 5.2: 40.9 % and 39.5 %."""
    spca = SPCA(2, 4, ridge=0.0, **GIVEN).fit(hidden_factors)
    assert_allclose(spca.components_, np.repeat([[0, 1, 0], [1, 0, 0]], [4, 4, 2], axis=1) / 2, atol=1e-12)
    assert_allclose(100 * spca.explained_variance_ratio_, [40.88, 39.52], atol=0.005)
    assert_allclose(spca.cpev_[-1], 0.80406, atol=1e-5)


def test_pitprops_spca_with_three_nonzeros_published(pitprops):
    """Table 4 of the SPCArt paper, which stopped at a change of 0.01: CPEV 0.7727; soft thresholds differ."""
    card = SPCA(6, 3, tol=0.01, **GIVEN).fit(pitprops)
    assert_allclose(card.cpev_[-1], 0.7727, atol=5e-5)
    assert_allclose(nonorthogonality(card.components_), 0.0088, atol=5e-5)
    soft = SPCA(6, 3, ridge="inf", **GIVEN).fit(pitprops)
    assert_allclose(soft.cpev_[-1], 0.7856, atol=2e-4)
    assert_allclose(nonorthogonality(soft.components_), 0.051, atol=2e-3)
    for spca in (card, soft):
        assert_array_equal(spca.n_nonzero_, [3] * 6)


def test_pitprops_spca_with_the_stop_of_spcart(pitprops):
    """Table 4 of the SPCArt paper: NOR 0.0095 and CPEV 0.7727 where the change of a loading is 0.01 on average."""
    spca = SPCA(6, 3, tol=0.01, stop="mean", **GIVEN).fit(pitprops)
    assert_allclose([nonorthogonality(spca.components_), spca.cpev_[-1]], [0.0095, 0.7727], atol=5e-5)


def test_hidden_factors_spca_with_bounded_coefficients(hidden_factors):
    """Table 3 of the SPCArt paper, SPCA with T-l1 and 2.2: the supports, and CPEV 0.8286 of its sample."""
    spca = SPCA(2, bound=2.2, **GIVEN).fit(hidden_factors)
    expected = np.repeat([[0, 1, 0], [1, 0, 1]], [4, 4, 2], axis=1)
    assert_array_equal(spca.components_ != 0, expected)
    assert_allclose(spca.cpev_[-1], 0.8286, atol=6e-4)


def test_pitprops_spca_with_four_nonzeros(pitprops):
    assert_allclose(SPCA(6, 4, **GIVEN).fit(pitprops).cpev_[-1], 0.784, atol=5e-4)
    soft = SPCA(6, 4, ridge="inf", **GIVEN).fit(pitprops)
    assert_allclose(soft.cpev_[-1], 0.8085, atol=1e-4)
    assert_allclose(soft.explained_variance_ratio_.sum(), 0.683, atol=2e-4)


def test_pitprops_scotlass_published(pitprops):
    """Zou, Hastie and Tibshirani (2006), table 2: 19.6 % and, of six components, 69.3 %."""
    scotlass = SCoTLASS(6, bound=1.75, **GIVEN).fit(pitprops)
    assert_allclose(scotlass.explained_variance_ratio_[0], 0.1965, atol=5e-5)
    assert scotlass.n_nonzero_[0] == 4
    assert_allclose(scotlass.explained_variance_ratio_.sum(), 0.693, atol=5e-3)
    exact = SCoTLASS(6, bound=1.75, orth="exact", **GIVEN).fit(pitprops)
    assert_allclose(exact.explained_variance_ratio_.sum(), 0.693, atol=2e-3)
    for fitted in (scotlass, exact):
        assert fitted.bound_met_.all()
        assert np.abs(fitted.components_).sum(axis=1).max() <= 1.75 * (1 + 1e-9)


@pytest.mark.parametrize("orth", ["deflate", "exact"])
def test_hidden_factors_scotlass(hidden_factors, orth):
    scotlass = SCoTLASS(2, bound=2.0, orth=orth, init="published", **GIVEN).fit(hidden_factors)
    assert_allclose(scotlass.components_, np.repeat([[0, 1, 0], [1, 0, 0]], [4, 4, 2], axis=1) / 2, atol=1e-6)


@pytest.mark.parametrize(("bound", "nonzeros", "share"), [(1.2, 2, 10.92), (1.75, 4, 19.65), (2.5, 7, 29.89)])
def test_pitprops_pmd(pitprops, bound, nonzeros, share):
    pmd = PMD(1, bound=bound, **GIVEN).fit(pitprops)
    assert pmd.n_nonzero_[0] == nonzeros
    assert_allclose(100 * pmd.explained_variance_ratio_[0], share, atol=0.005)


def test_pitprops_pmd_without_an_active_bound(pitprops):
    pca = PCA(1, **GIVEN).fit(pitprops)
    assert_allclose(np.abs(pca.components_).sum(), 3.1162, atol=5e-5)
    pmd = PMD(1, bound=3.1163, init="published", **GIVEN).fit(pitprops)
    assert_allclose(pmd.components_, pca.components_, atol=1e-10)


@pytest.mark.parametrize(("rho", "nonzeros"), [(0.1, 11), (0.3, 7), (0.5, 7), (0.8, 7)])
def test_pitprops_dcpca(pitprops, rho, nonzeros):
    dcpca = DCPCA(1, rho=rho, **GIVEN).fit(pitprops)
    assert dcpca.n_nonzero_[0] == nonzeros
    if nonzeros == 7:
        assert_array_equal(np.flatnonzero(dcpca.components_[0]) + 1, [1, 2, 6, 7, 8, 9, 10])


def test_pitprops_empca_published(pitprops):
    """Table of the COP-PCA paper: 80.68 %, accumulated over projection deflations."""
    empca = EMPCA(6, 4, n_init=0, **GIVEN).fit(pitprops)
    S, total = pitprops, 0.0
    for w in empca.components_:
        total += w @ S @ w
        P = np.eye(13) - np.outer(w, w)
        S = P @ S @ P
    assert_allclose(total / 13, 0.8068, atol=5e-5)
    assert_allclose(empca.cpev_[-1], 0.8098, atol=1e-4)
    assert_allclose(empca.objective_.sum() / 13, empca.cpev_[-1])


def test_hidden_factors_empca(hidden_factors):
    """From the leading eigenvector it fails, as the COP-PCA paper reports; the best of many starts does not."""
    alone = EMPCA(1, 4, n_init=0, **GIVEN).fit(hidden_factors)
    assert_array_equal(np.flatnonzero(alone.components_[0]), [8, 9])
    best = EMPCA(2, 4, n_init=20, random_state=0, **GIVEN).fit(hidden_factors)
    assert_allclose(best.components_, np.repeat([[0, 1, 0], [1, 0, 0]], [4, 4, 2], axis=1) / 2, atol=1e-9)


@pytest.mark.parametrize(("rho", "cpev"), [(0.05, 0.8514), (0.1, 0.8110), (0.15, 0.8008), (0.2, 0.7780)])
def test_pitprops_alspca(pitprops, rho, cpev):
    alspca = ALSPCA(6, rho=rho, **GIVEN).fit(pitprops)
    assert_allclose(alspca.cpev_[-1], cpev, atol=3e-4)
    assert nonorthogonality(alspca.components_) <= 1e-3
    assert alspca.n_iter_ <= 10
    if rho == 0.15:
        assert_array_equal(alspca.n_nonzero_, [7, 2, 3, 1, 1, 1])


@pytest.mark.parametrize(("rho", "counts"), [(0.05, [8, 5, 6, 2, 8, 3]), (0.1, [8, 5, 5, 2, 1, 3])])
def test_pitprops_alspca_with_spectral_steps(pitprops, rho, counts):
    """An independent program, whose steps were not rounded, ended at these cardinalities."""
    assert_array_equal(ALSPCA(6, rho=rho, step="spectral", **GIVEN).fit(pitprops).n_nonzero_, counts)


def test_pitprops_alspca_published(pitprops):
    """Table 4 of the SPCArt paper, rho 0.65 for S: CPEV 0.8011, NOR 0.0008, 17 nonzeros; a local solution nearby."""
    alspca = ALSPCA(6, rho=0.65 / np.linalg.eigvalsh(pitprops)[-1], **GIVEN).fit(pitprops)
    assert_allclose(alspca.cpev_[-1], 0.8011, atol=1.1e-3)
    assert nonorthogonality(alspca.components_) <= 8e-4
    assert alspca.n_nonzero_[0] == 7
    assert abs(alspca.n_nonzero_.sum() - 17) <= 2


# References


def test_scotlass_reference(X):
    fitted = SCoTLASS(3, bound=1.8, **EXACT).fit(X)
    assert_allclose(fitted.components_, reference.scotlass(X, 1.8, 3), atol=1e-7)


@pytest.mark.parametrize("orth", [False, True])
def test_pmd_reference(X, orth):
    fitted = PMD(3, bound=1.8, deflation="schur" if orth else "projection", init="published", **EXACT).fit(X)
    assert_allclose(fitted.components_, reference.pmd(X, 1.8, 3, orth), atol=1e-7)


def test_dcpca_reference(X):
    rho = 0.1 * X.var(axis=0).max()
    fitted = DCPCA(3, rho=rho, refit=False, tol=0.0, max_iter=1000).fit(X)
    assert 3 < fitted.n_nonzero_.sum() < 3 * X.shape[1]
    assert_allclose(fitted.components_, reference.dcpca(X, rho, 3), atol=1e-9)


@pytest.mark.parametrize("nonnegative", [False, True])
def test_empca_reference(X, nonnegative):
    fitted = EMPCA(3, 4, nonnegative=nonnegative, n_init=0, tol=0.0, max_iter=1000).fit(X)
    assert_allclose(fitted.components_, reference.empca(X, 4, 3, nonnegative), atol=1e-7)


@pytest.mark.parametrize("n_iter", [1, 4])
def test_spca_reference(X, n_iter):
    scale = X.var(axis=0).max()
    options = {"tol": 0.0, "max_iter": n_iter}
    fitted = SPCA(3, l1=0.3 * scale, ridge=0.05 * scale, **options).fit(X)
    expected = reference.spca(X, lambda C, g: reference.elastic_net(C, g, 0.05 * scale, 0.3 * scale), 3, n_iter)
    assert_allclose(fitted.components_, expected, atol=1e-9)
    fitted = SPCA(3, 4, ridge="inf", **options).fit(X)
    assert_allclose(
        fitted.components_, reference.spca(X, lambda C, g: reference.soft_of_cardinality(g, 4), 3, n_iter), atol=1e-9
    )


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


@pytest.mark.parametrize("l1", [1e-5, 1e-3])
def test_hardly_a_penalty_on_more_features_than_samples(l1):
    X = np.random.default_rng(0).standard_normal((6, 50))
    X -= X.mean(axis=0)
    S = X.T @ X / 6
    g = S @ np.linalg.eigh(S)[1][:, -1]
    b = elastic_net(Gram(S), g, 1e-6, l1, np.zeros(50))
    rest = g - S @ b - 1e-6 * b
    assert np.abs(rest).max() <= 0.5 * l1 + 1e-9
    assert_allclose(rest[b != 0.0], 0.5 * l1 * np.sign(b[b != 0.0]), atol=1e-9)


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


def test_elastic_net_of_duplicates():
    S = np.ones((3, 3))
    b = elastic_net(Gram(S), np.ones(3), 1e-6, 0.5, np.zeros(3))
    assert_allclose(b, [0.25, 0.25, 0.25], atol=1e-6)


# Identities and limits


@pytest.mark.parametrize(
    "method",
    [
        SCoTLASS(2, 99, **EXACT),
        SCoTLASS(2, bound=9.0, orth="exact", tol=1e-12),
        PMD(2, 99, **EXACT),
        PMD(2, bound=9.0, deflation="schur", **EXACT),
        DCPCA(2, 99, **EXACT),
        DCPCA(2, rho=0.0, refit=False, tol=0.0),
        EMPCA(2, 99, **EXACT),
        SPCA(2, 99, ridge=0.1),
        SPCA(2, l1=0.0, ridge=0.1),
        SPCA(2, 99, ridge="inf"),
        SPCA(2, l1=0.0, ridge="inf"),
        ALSPCA(2, rho=0.0),
        ALSPCA(2, rho=0.0, max_correlation=0.0),
    ],
    ids=repr,
)
def test_dense_limit_is_pca(tall, method):
    assert_allclose(method.fit(tall).components_, PCA(2).fit(tall).components_, atol=1e-8)


def test_pmd_and_scotlass_agree(X):
    pmd, scotlass = PMD(3, bound=1.7, **EXACT).fit(X), SCoTLASS(3, bound=1.7, **EXACT).fit(X)
    assert_allclose(pmd.components_, scotlass.components_, atol=1e-10)
    assert_allclose(pmd.objective_**2, scotlass.objective_, atol=1e-10)


def test_pmd_scores_are_orthogonal(X):
    fitted = PMD(3, 5, deflation="schur").fit(X)
    A = reference_power.centred(X)
    U = []
    for w in fitted.components_:
        u = A @ w
        for before in U:
            u = u - before * (before @ u)
        U.append(u / np.linalg.norm(u))
    assert_allclose(fitted.objective_, [u @ A @ w for u, w in zip(U, fitted.components_, strict=True)], atol=1e-9)


def test_scotlass_exact_is_orthogonal(tall):
    fitted = SCoTLASS(3, bound=1.7, orth="exact").fit(tall)
    W = fitted.components_
    assert np.abs(W @ W.T - np.eye(3)).max() <= 1e-8
    assert fitted.bound_met_.all()
    assert fitted.converged_.all()


def test_scotlass_multi_is_no_worse(X):
    one, many = SCoTLASS(1, bound=1.6).fit(X), SCoTLASS(1, bound=1.6, init="multi").fit(X)
    assert many.objective_[0] >= one.objective_[0] - 1e-10  # the ends differ by their tolerance


def test_bound_of_one_leaves_one_feature(X):
    for method in (SCoTLASS(1, bound=1.0), PMD(1, 1), DCPCA(1, 1), SPCA(1, 1), EMPCA(1, 1)):
        assert_array_equal(method.fit(X).n_nonzero_, [1])


def test_a_bound_that_ties_cannot_meet_is_said():
    fitted = SCoTLASS(1, bound=1.5, **GIVEN).fit(0.5 * np.ones((4, 4)) + 0.5 * np.eye(4))
    assert_array_equal(fitted.bound_met_, [False])
    assert_allclose(fitted.components_, [[0.5, 0.5, 0.5, 0.5]])


def test_spca_with_too_large_a_penalty():
    X = np.random.default_rng(0).standard_normal((30, 6))
    with pytest.warns(UserWarning, match="components 2 are zero"):
        spca = SPCA(2, l1=[0.1, 100.0]).fit(X)
    assert spca.n_nonzero_[0] > 0
    assert np.isfinite(spca.components_).all()


def test_empca_nonnegative(X):
    fitted = EMPCA(3, 5, nonnegative=True, random_state=0).fit(X)
    assert fitted.components_.min() == 0.0
    assert np.all(fitted.n_nonzero_ <= 5)


def test_empca_more_starts_are_no_worse(X):
    few, many = EMPCA(1, 4, n_init=0).fit(X), EMPCA(1, 4, n_init=20, random_state=0).fit(X)
    assert many.objective_[0] >= few.objective_[0] - 1e-12


@pytest.mark.parametrize("max_correlation", [None, 0.0, 0.05])
def test_alspca_meets_its_constraints(X, max_correlation):
    fitted = ALSPCA(3, rho=0.1, max_correlation=max_correlation).fit(X)
    assert fitted.converged_.all()
    W = fitted.components_
    assert_allclose(W @ W.T, np.eye(3), atol=2e-3)
    S = np.cov(X.T, bias=True)
    C = W @ S @ W.T / np.linalg.eigvalsh(S)[-1]
    limit = np.inf if max_correlation is None else max_correlation
    assert np.all(np.abs(C - np.diag(np.diag(C))) <= limit + 2e-3)


def test_alspca_is_a_local_maximum(X):
    S = np.cov(X.T, bias=True)
    top = np.linalg.eigvalsh(S)[-1]
    W = ALSPCA(2, rho=0.1, tol=1e-5).fit(X).components_.T

    def orthogonal(M):
        U, _, Vt = np.linalg.svd(M, full_matrices=False)
        return U @ Vt

    def objective(M):
        return np.trace(M.T @ S @ M) - 0.1 * top * np.abs(M).sum()

    best, rng = objective(orthogonal(W)), np.random.default_rng(0)
    for size in (0.3, 0.1, 0.03):
        for _ in range(30):
            step = size * rng.standard_normal(W.shape) * (rng.random(W.shape) < 0.5) * (W != 0)
            assert objective(orthogonal(W + step)) <= best + 1e-4 * top


def test_alspca_one_penalty_per_component(X):
    fitted = ALSPCA(2, rho=[0.0, 0.3]).fit(X)
    assert fitted.n_nonzero_[0] > fitted.n_nonzero_[1]


# Monotone objectives


@pytest.mark.parametrize(
    ("method", "sense"),
    [
        (SCoTLASS(1, bound=1.7, tol=0.0), 1),
        (PMD(1, bound=1.7, tol=0.0), 1),
        (DCPCA(1, rho=0.1, refit=False, tol=0.0), 1),
        (SPCA(2, l1=0.2, ridge=0.01, tol=0.0), -1),
    ],
    ids=repr,
)
def test_objective_is_monotone(tall, method, sense):
    path = [clone(method).set_params(max_iter=m).fit(tall).objective_.sum() for m in range(1, 20)]
    assert np.all(sense * np.diff(path) >= -1e-10)
    assert sense * (path[-1] - path[0]) > 1e-6


@pytest.mark.parametrize("rho", [0.1, 0.3, 0.5, 0.8])
def test_pitprops_dcpca_objective(pitprops, rho):
    options = {"rho": rho, "refit": False, "tol": 0.0, **GIVEN}
    fits = [DCPCA(1, max_iter=m, **options).fit(pitprops) for m in range(1, 40)]
    objectives = [reference.dcpca_objective(pitprops, fit.components_[0], rho) for fit in fits]
    assert_allclose([fit.objective_[0] for fit in fits], objectives, atol=1e-12)
    assert np.diff(objectives).min() >= -1e-12


def test_spca_objective_is_what_the_docstring_says(X):
    ridge, l1, n = 0.1, 0.2, len(X)
    spca = SPCA(2, l1=l1, ridge=ridge, tol=1e-13, max_iter=5000).fit(X)
    A = reference_power.centred(X) * np.sqrt(n)
    S = A.T @ A / n
    B = spca.components_.T * 1.0
    for _ in range(30):
        U, _, Vt = np.linalg.svd(S @ B, full_matrices=False)
        B = np.array([reference.elastic_net(S, S @ a, ridge, l1) for a in (U @ Vt).T]).T
    U, _, Vt = np.linalg.svd(S @ B, full_matrices=False)
    whole = np.linalg.norm(A - A @ B @ (U @ Vt).T) ** 2 / n + ridge * (B**2).sum() + l1 * np.abs(B).sum()
    assert_allclose(spca.objective_.sum() + np.trace(S), whole, atol=1e-6)


# Invariances and searches


def test_rotated_samples_give_the_same(X):
    A = X - X.mean(axis=0)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((len(A), len(A))))[0]
    for method in (SCoTLASS(2, 4), SPCA(2, 4), EMPCA(2, 4, n_init=0)):
        rotated = clone(method)
        rotated._read = lambda Y, mean: (np.zeros(Y.shape[1]), Data(Q @ A), Data(Q @ A))
        assert_allclose(rotated.fit(X).components_, clone(method).fit(X).components_, atol=1e-7)


def test_a_missed_target_is_recorded():
    x, noise = np.random.default_rng(0).standard_normal((2, 50, 1))
    tied = 0.5 * x + 0.3 * noise
    dcpca = DCPCA(1, 2).fit(np.hstack([2.0 * x, tied, tied]))
    assert dcpca.n_nonzero_[0] == 1
    assert not dcpca.exact_cardinality_[0]


@pytest.mark.parametrize("method", [PMD(2, 3, bound=1.5), SPCA(2, 3, l1=0.1), DCPCA(2, 3, rho=0.1)], ids=repr)
def test_two_ways_to_set_sparsity(method):
    with pytest.raises(ValueError, match="both given"):
        method.fit(np.eye(4))


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (SCoTLASS(bound=0.9), r"bound is 0\.9; valid is .*\[1, inf"),
        (PMD(bound=[1.5, 0.5]), r"bound is \[1\.5, 0\.5\]"),
        (DCPCA(rho=-1.0), r"rho is -1\.0; valid is .*\[0, inf"),
        (DCPCA(eps=0.0), r"eps is 0\.0; valid is a number in \(0, inf"),
        (EMPCA(n_init=-1), "n_init is -1; valid is a whole number from 0"),
        (SPCA(ridge="infinite"), r"ridge is 'infinite'; valid is .*inf"),
        (SPCA(l1=[0.1, 0.1, 0.1]), "l1 has 3 values"),
        (ALSPCA(tol=0.0), r"tol is 0\.0; valid is a number in \(0, inf"),
        (ALSPCA(rho=[0.1]), "rho has 1 values"),
    ],
    ids=repr,
)
def test_invalid_parameters(method, words):
    with pytest.raises(ValueError, match=words):
        method.fit(np.eye(4))


# The l1 ball


@given(vectors, st.floats(1.0, 4.0))
@settings(deadline=None, max_examples=300)
def test_bounded_unit_is_feasible_and_best(z, bound):
    w = bounded_unit(z, bound)
    if not z.any():
        assert not w.any()
        return
    size = np.abs(z)
    ties = np.count_nonzero(size >= size.max() * (1 - 1e-9))
    assert_allclose(np.linalg.norm(w), 1.0)
    if ties > bound**2:
        assert_allclose(np.abs(w[w != 0]), ties**-0.5)
        return
    assert np.abs(w).sum() <= bound * (1 + 1e-7)
    assert w @ z >= reference.bounded(z, bound) @ z - 1e-7


def test_bounded_unit_reference():
    rng = np.random.default_rng(0)
    for _ in range(300):
        d = int(rng.integers(1, 40))
        z, bound = rng.standard_normal(d), rng.uniform(1.0, np.sqrt(d) + 0.1)
        assert_allclose(bounded_unit(z, bound), reference.bounded(z, bound), atol=1e-9)


def test_projection_onto_balls():
    rng = np.random.default_rng(0)
    for _ in range(200):
        d = int(rng.integers(2, 12))
        v, bound = rng.exponential(1.0) * rng.standard_normal(d), rng.uniform(1.0, np.sqrt(d))
        w = onto_balls(v, bound)
        assert np.linalg.norm(w) <= 1 + 1e-9
        assert np.abs(w).sum() <= bound * (1 + 1e-9)
        for _ in range(20):
            other = onto_balls(rng.standard_normal(d), bound)
            assert (v - w) @ (other - w) <= 1e-8


def test_orthogonal_maximum():
    rng = np.random.default_rng(0)
    for _ in range(20):
        z, basis = rng.standard_normal(8), np.linalg.qr(rng.standard_normal((8, 2)))[0]
        w, exact = orthogonal_bounded_unit(z, 9.0, basis)
        expected = z - basis @ (basis.T @ z)
        assert exact
        assert_allclose(w, expected / np.linalg.norm(expected), atol=1e-7)
        w, exact = orthogonal_bounded_unit(z, 1.9, basis)
        assert exact
        assert np.abs(w).sum() <= 1.9 + 1e-7
        trials = rng.standard_normal((2000, 8))
        trials -= trials @ basis @ basis.T
        trials /= np.maximum(np.linalg.norm(trials, axis=1), np.abs(trials).sum(axis=1) / 1.9)[:, None]
        assert w @ z >= (trials @ z).max() - 1e-7


# Baselines of scikit-learn


def test_library_page_names_what_exists():
    specs = library.spcabench_methods()
    assert [spec.name for spec in specs] == ["sklearn_spca", "sklearn_minibatch"]
    for spec in specs:
        module, name = spec.estimator.split(":")
        defaults = getattr(__import__(module, fromlist=[name]), name)().get_params()
        for parameter, declared in spec.parameters.items():
            assert parameter in defaults
            assert declared.valid.accepts(declared.default)
            assert parameter == "n_components" or declared.default == defaults[parameter]
        assert spec.knob.parameter in spec.parameters


def test_library_limits():
    X = np.random.default_rng(0).standard_normal((20, 4)) * np.geomspace(3, 0.3, 4)
    A = X - X.mean(axis=0)
    peak = np.linalg.norm(A, axis=0).max()
    dense = SparsePCA(2, alpha=1e-4 * peak, method="cd", tol=1e-4, random_state=0).fit(X)
    assert abs(reference_power.cpev(X, dense.components_)[-1] - PCA(2).fit(X).cpev_[-1]) < 1e-3
    assert not SparsePCA(2, alpha=1.1 * peak, random_state=0).fit(X).components_.any()


@pytest.mark.parametrize("kind", [PMD, SCoTLASS])
def test_the_bound_is_the_loosest_that_leaves_the_cardinality(kind):
    X = np.random.default_rng(0).standard_normal((60, 30))
    searched = kind(1, 8).fit(X)
    (bound,) = searched.calibrated_params_["bound"]
    assert searched.n_nonzero_[0] == 8
    assert kind(1, bound=1.002 * bound).fit(X).n_nonzero_[0] > 8


@pytest.mark.parametrize("kind", [PMD, SCoTLASS])
def test_several_starts_explain_more_under_a_bound(kind):
    X = np.random.default_rng(2).standard_normal((50, 200))
    one, three = (kind(1, bound=3.0, init=init).fit(X).objective_[0] for init in ("published", "several"))
    assert three > 1.05 * one


def test_the_default_ridge_goes_with_the_units_of_the_data():
    X = np.random.default_rng(0).standard_normal((60, 30))
    fitted, scaled = (SPCA(2, 4).fit(scale * X).components_ for scale in (1.0, 1e-3))
    assert_allclose(scaled, fitted, atol=1e-9)
    fitted, scaled = (SPCA(2, 4, ridge=1e-6).fit(scale * X).components_ for scale in (1.0, 1e-3))
    assert np.abs(scaled - fitted).max() > 0.05
