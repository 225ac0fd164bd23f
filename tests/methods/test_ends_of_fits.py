"""What a fit leaves at its end: refitted loadings, attributes, and the ends of data that hold next to nothing."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from spcabench_methods import (
    COPPCA,
    DSPCA,
    FPS,
    ROSPCA,
    RSPCA,
    RSVD,
    SCA,
    SPCA,
    AManPG,
    DiagonalThresholding,
    GPower,
    GPowerBlock,
    ManPG,
    MomentSPCA,
    PathSPCA,
    SparsePCASelector,
    SPCAGrid,
    SubspaceFPS,
    ThresholdedOja,
    TPower,
    polish,
)
from spcabench_methods.certified.certify import moments_of
from spcabench_methods.core.checks import checked_covariance

WIDE = np.random.default_rng(0).standard_normal((200, 100))


@pytest.mark.filterwarnings("ignore:the requested")
@pytest.mark.parametrize("method", [GPower(1, 40), RSVD(1, 40, penalty="l1", refit=True)])
def test_refitted_loadings_are_leading_eigenvectors_though_nothing_is_exchanged(method):
    w = method.fit(WIDE).components_[0]
    support = np.flatnonzero(w)
    assert len(support) > 25
    S = np.cov(WIDE[:, support], rowvar=False, bias=True)
    np.testing.assert_allclose(w[support] @ S @ w[support], np.linalg.eigvalsh(S)[-1], rtol=1e-12)


@pytest.mark.filterwarnings("ignore:components")
@pytest.mark.parametrize("sparsity", [{"n_nonzero": 2}, {"bound": 1.0}])
def test_the_elastic_net_ends_where_nothing_is_left(sparsity):
    assert not SPCA(1, ridge=0.0, **sparsity).fit(np.ones((5, 3))).components_.any()
    assert not SPCA(3, n_nonzero=2).fit(WIDE[:3]).components_[2].any()


@pytest.mark.parametrize(
    "method",
    [
        *(SPCA(1, 1), GPowerBlock(1), ManPG(1), AManPG(1), SCA(1)),
        *(FPS(1, lam=2), FPS(1, lam=2, solver="gradient"), DSPCA(1, lam=2)),
    ],
    ids=str,
)
def test_a_fit_that_changes_nothing_any_more_converges_with_no_tolerance(method):
    method.set_params(tol=0, max_iter=50, covariance="precomputed")
    assert method.fit(np.diag([16.0, 4.0, 1.0])).converged_.all()


def test_polish_scales_its_rows():
    found = polish(np.diag([3.0, 2.0, 1.0]), [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    np.testing.assert_array_equal(found, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def test_rospca_where_most_samples_are_equal():
    X = np.zeros((20, 2))
    X[19] = [1.0, 2.0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not ROSPCA(1).fit(X).components_.any()


@pytest.mark.filterwarnings("error:the requested")
def test_rospca_compares_what_the_grid_finds_with_what_was_asked_for():
    X = WIDE[:100, :8].copy()
    X[:, :4] += 3.0 * WIDE[100:, [8]]
    method = ROSPCA(2, [1, 4], inner="grid", random_state=0).fit(X)
    assert sorted(method.n_nonzero_) == [1, 4]
    assert method.exact_cardinality_.all()


@pytest.mark.filterwarnings("ignore:components")
def test_a_relaxation_that_is_stopped_at_once_has_loadings():
    S = 0.5 * np.ones((10, 10)) + 0.5 * np.eye(10)
    method = SubspaceFPS(1, lam=0.2, max_iter=1, covariance="precomputed").fit(S)
    assert np.linalg.norm(method.components_) == pytest.approx(1.0)
    assert not method.converged_.any()


def test_a_new_stream_forgets_the_fit():
    method = ThresholdedOja(1, 3).fit(WIDE).partial_fit(WIDE[:50])
    assert {name for name in vars(method) if name.endswith("_")} == {
        "components_",
        "mean_",
        "n_nonzero_",
        "n_features_in_",
        "n_samples_seen_",
    }


def test_a_start_at_a_fixed_point_is_truncated():
    X = np.array([[3.0, 1.0], [-3.0, -1.0], [3.0, -1.0], [-3.0, 1.0]])
    np.testing.assert_array_equal(RSPCA(1, 1, init=[1.0, 1e-12]).fit(X).n_nonzero_, [1])


@pytest.mark.parametrize("missing", ["em", "pairwise"])
def test_a_constant_column_has_no_loading_though_samples_are_missing(missing):
    X = WIDE[:10, :4].copy()
    X[:, 2], X[0, 0] = 0.1, np.nan
    assert MomentSPCA(TPower(1, 4), missing=missing).fit(X).components_[0, 2] == 0.0


def test_samples_that_lack_values_have_a_score():
    X = WIDE[:, :6].copy()
    assert MomentSPCA(TPower(1, 3)).fit(X).score(X) == pytest.approx(TPower(1, 3).fit(X).score(X))
    X[0, 0] = np.nan
    method = MomentSPCA(TPower(1, 3)).fit(X)
    assert method.score(X) == pytest.approx(method.score(method.complete(X)))
    with pytest.raises(ValueError, match="X has 2 columns; valid is n_components=1"):
        method.inverse_transform(X[:, 1:3])


def test_least_squares_scores_are_an_array_whatever_the_output_of_transform():
    method = TPower(2, 10).fit(WIDE)
    expected = method.least_squares_scores(WIDE)
    found = method.set_output(transform="pandas").least_squares_scores(WIDE)
    assert type(found) is np.ndarray
    np.testing.assert_array_equal(found, expected)


def test_no_path_to_a_cardinality_has_a_loading_with_more_nonzeros():
    assert PathSPCA(1, 30).fit(WIDE).path_[0].cardinalities[-1] == 30


def test_a_variance_just_below_zero_is_zero_and_has_no_covariances():
    S = np.array([[2.0, 0.5, 1e-9], [0.5, 1.0, 0.0], [1e-9, 0.0, -1e-9]])
    np.testing.assert_array_equal(checked_covariance(S), [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]])
    ordinary = np.eye(2)
    assert checked_covariance(ordinary) is ordinary
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not GPowerBlock(1, covariance="precomputed").fit(S).components_[0, 2]


def test_a_constant_feature_of_samples_that_are_certified_has_no_variance():
    X = WIDE[:10, :4].copy()
    X[:, 2] = 0.1
    assert moments_of(X).diagonal[2] == 0.0


@pytest.mark.parametrize("method", [SCA(3, shrinkage=0.0), AManPG(3, l1=0.0)])
def test_a_constant_feature_has_no_loading_though_nothing_is_penalised(method):
    X = WIDE[:20, :6].copy()
    X[:, 1] = 0.1
    assert not method.fit(X).components_[:, 1].any()


@pytest.mark.parametrize(
    "method",
    [
        GPowerBlock(6),
        SPCAGrid(6, scale="sd"),
        DiagonalThresholding(1),
        DiagonalThresholding(1, alpha=99, deflation=None),
        DiagonalThresholding(1, covariance="precomputed"),
        *(wrapper(COPPCA(1, n_steps=1)) for wrapper in (clone, MomentSPCA, SparsePCASelector)),
    ],
    ids=str,
)
@pytest.mark.parametrize("call", ["fit", "fit_transform"])
def test_warnings_name_the_line_that_calls_the_estimator(method, call):
    with pytest.warns() as caught:
        getattr(method, call)(np.ones((6, 6)) - 2.0 * np.eye(6))
    assert {warning.filename for warning in caught} == {__file__}
