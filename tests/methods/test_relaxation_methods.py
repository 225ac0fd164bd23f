"""DSPCA and Fantope projection against plain programs, and their limits."""

import numpy as np
import pytest
import reference_fantope
from drawn import covariance
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import DSPCA, SubspaceFPS
from spcabench_methods.relaxation.fantope import Fantope

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


def test_one_feature_is_left(pitprops):
    dspca = DSPCA(1, lam=[2.0], **GIVEN).fit(np.diag([1.0, 3.0, 2.0]))
    assert_array_equal(dspca.components_, [[0.0, 1.0, 0.0]])
    assert_allclose([dspca.objective_[0], dspca.upper_bound_[0]], 1.0)
    assert_array_equal(DSPCA(1, 1, **GIVEN).fit(pitprops).n_nonzero_, [1])


def test_eliminated_features_change_nothing(pitprops):
    S = np.diag(np.append(np.ones(13), [0.1, 0.05]))
    S[:13, :13] = pitprops
    S[:13, 13:] = 0.03
    S[13:, :13] = 0.03
    small, large = DSPCA(1, lam=0.3, **GIVEN).fit(pitprops), DSPCA(1, lam=0.3, **GIVEN).fit(S)
    assert_array_equal(large.components_[0, :13], small.components_[0])
    assert_array_equal(large.components_[0, 13:], 0.0)


# The projection


@pytest.mark.parametrize("d", [1, 6])
def test_the_projection_is_the_plain_one(d):
    rng = np.random.default_rng(d)
    for scale in (0.1, 3.0):
        A = scale * rng.standard_normal((d, d))
        A += A.T
        for r in {1, (d + 1) // 2, d}:
            Z = Fantope(r).nearest(A)
            assert_allclose(Z, reference_fantope.projected(A, r), atol=1e-12)
            assert_allclose(Fantope(r).nearest(Z), Z, atol=1e-12)
            values = np.linalg.eigvalsh(Z)
            assert values.sum() == pytest.approx(r)
            assert values[0] >= -1e-12
            assert values[-1] <= 1.0 + 1e-12


# The solvers


@pytest.mark.parametrize("seed", [1, 2])
def test_the_plain_program_without_screening(seed):
    """In the second matrix two features without a covariance above lam are in the optimum, as r is 2."""
    S = covariance(seed, 8)
    scale = S.diagonal().max()
    for r, share in ((1, 0.1), (2, 0.05), (2, 0.2), (3, 0.1)):
        phi = reference_fantope.fps(S / scale, r, share)
        for solver in ("admm", "gradient"):
            found = SubspaceFPS(r, lam=share * scale, solver=solver, **GIVEN).fit(S)
            assert_allclose(found.objective_, scale * phi, atol=1e-5 * scale)
            assert_allclose(found.upper_bound_, scale * phi, atol=1e-5 * scale)


# The loadings of a subspace


def test_refitted_loadings_share_the_features(pitprops):
    found = SubspaceFPS(2, lam=0.3, **GIVEN).fit(pitprops)
    features = SubspaceFPS(2, lam=0.3, refit=False, **GIVEN).fit(pitprops).components_.any(axis=0)
    assert_array_equal(found.components_ != 0.0, np.tile(features, (2, 1)))
    best = np.linalg.eigvalsh(pitprops[np.ix_(features, features)])[:-3:-1]
    assert_allclose(np.diag(found.components_ @ pitprops @ found.components_.T), best)


def test_loadings_of_one_block_have_uncorrelated_scores(X):
    S = np.cov(X.T, bias=True)
    for refit in (False, True):
        W = SubspaceFPS(2, lam=0.02 * S.max(), refit=refit, **GIVEN).fit(S).components_
        assert_allclose(W @ W.T, np.eye(2), atol=1e-8)
        assert_allclose(np.triu(W @ S @ W.T, 1), 0.0, atol=1e-8)


def test_large_penalties_leave_the_largest_variances():
    S = np.diag([1.0, 3.0, 2.0]) + 0.1
    for method in (SubspaceFPS(2, lam=1.0, **GIVEN), SubspaceFPS(2, 1, **GIVEN)):
        assert_array_equal(method.fit(S).components_.any(axis=0), [False, True, True])
        assert_array_equal(method.set_params(refit=False).fit(S).components_, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def test_a_search_reaches_its_number_of_features_and_can_be_repeated(X):
    found = SubspaceFPS(2, 5).fit(X)
    assert np.count_nonzero(found.components_.any(axis=0)) == 5
    assert found.n_fits_ > 1
    assert_array_equal(SubspaceFPS(2, **found.calibrated_params_).fit(X).components_, found.components_)
