"""Rotation and SPCArt against slow references, and identities; the checks of published numbers hold what SCA finds."""

import numpy as np
import pytest
import reference_power
import reference_rotation as reference
from numpy.testing import assert_allclose, assert_array_equal
from reference_power import signed
from spcabench_methods import PCA, SCA, Rotation, SPCArt
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.blocks import polar
from spcabench_methods.rotation.art_steps import alternation, bounds
from spcabench_methods.rotation.nearest import nearest_rotation
from spcabench_methods.truncations import truncations
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k
from truncated import levels

pytestmark = pytest.mark.filterwarnings("ignore:components")


@levels
def test_spcart_reference(X, truncation, level):
    fitted = SPCArt(3, truncation=truncation, **level, tol=0.01).fit(X)
    expected = reference.spcart(reference.eigenvectors(X, 3), truncation, *level.values(), tol=0.01)
    assert_allclose(fitted.components_, signed(expected.T), atol=1e-9)


@pytest.mark.parametrize("criterion", ["varimax", "quartimax"])
@pytest.mark.parametrize("scaled", [False, True])
def test_rotation_reference(X, criterion, scaled):
    fitted = Rotation(3, criterion=criterion, scaled=scaled, tol=0.0, max_iter=5000).fit(X)
    V = reference.eigenvectors(X, 3)
    if scaled:
        V = V * np.linalg.svd(reference_power.centred(X))[1][:3]
    gamma = 1.0 if criterion == "varimax" else 0.0
    L = reference.varimax(V, gamma)
    W, parts = L / np.linalg.norm(L, axis=0), (L**4).mean(axis=0) - gamma * (L**2).mean(axis=0) ** 2
    order = np.argsort(-np.linalg.norm(reference_power.centred(X) @ W, axis=0))
    assert_allclose(fitted.components_, signed(W.T[order]), atol=1e-6)
    assert_allclose(fitted.objective_, parts[order], rtol=1e-6)


def test_rotation_is_truncated_afterwards(X):
    dense = Rotation(3).fit(X).components_
    W = Rotation(3, [4, 2, 5]).fit(X).components_
    assert_allclose(W, [unit(top_k(w, k)) for w, k in zip(dense, [4, 2, 5], strict=True)], atol=1e-12)
    W = Rotation(3, threshold=0.2).fit(X).components_
    assert_allclose(W, [unit(hard(w, 0.2)) for w in dense], atol=1e-12)
    plain, refit = Rotation(3, 4).fit(X), Rotation(3, 4, refit=True).fit(X)
    assert_array_equal(plain.components_ != 0, refit.components_ != 0)
    assert refit.explained_variance_[0] > plain.explained_variance_[0]
    assert_array_equal(Rotation(3, refit=True).fit(X).components_, dense)


@levels
def test_objective_is_what_the_docstring_says(X, truncation, level):
    fitted = SPCArt(3, truncation=truncation, **level, max_iter=1).fit(X)
    W, V = fitted.components_, PCA(3).fit(X).components_
    parts = ((W - V * np.sign((W * V).sum(axis=1))[:, None]) ** 2).sum(axis=1)
    if truncation == "l1":
        parts = 0.5 * parts + 0.15 * np.abs(W).sum(axis=1)
    if truncation == "l0":
        parts = parts + 0.2**2 * np.count_nonzero(W, axis=1)
    assert_allclose(fitted.objective_, parts, atol=1e-10)


def test_a_loading_that_is_truncated_to_nothing_stays_zero():
    U = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [2**0.5, 0, -(2**0.5), 0]]) / 2
    S = U.T @ np.diag([5.0, 4.0, 3.0]) @ U
    fitted = SPCArt(3, threshold=0.6, covariance="precomputed").fit(S)
    assert_array_equal(fitted.n_nonzero_ > 0, [False, False, True])
    assert np.isfinite(fitted.components_).all()


def test_shrinkage_leads_from_all_entries_to_one_each(tall):
    assert_allclose(SCA(3, shrinkage=0.0).fit(tall).cpev_[-1], PCA(3).fit(tall).cpev_[-1])
    some, more = (SCA(3, shrinkage=s).fit(tall).n_nonzero_.sum() for s in (0.6, 0.9))
    assert 36 > some > more
    assert SCA(3, shrinkage=0.5, truncation="l0").fit(tall).n_nonzero_.sum() == round(3 * (12 - 0.5 * 11))


def test_gamma_and_shrinkage_are_one_number(tall):
    gamma = 3 * (np.sqrt(12) - 0.4 * (np.sqrt(12) - 1))
    same = [SCA(3, **way).fit(tall).components_ for way in ({"gamma": gamma}, {"shrinkage": 0.4})]
    assert_allclose(*same, atol=1e-12)
    default = [SCA(3, **way).fit(tall).components_ for way in ({"gamma": 6.0}, {})]
    assert_array_equal(*default)


@pytest.mark.parametrize("r", [1, 2, 5, 32, 40])
@pytest.mark.parametrize("smallest", [1.0, 0.02, 1e-4])
def test_nearest_rotation_is_the_polar_factor(r, smallest):
    rng = np.random.default_rng(r)
    U, V = np.linalg.qr(rng.standard_normal((2, r, r)))[0]
    M = U * np.linspace(1.0, smallest, r) @ V.T
    found, settled = nearest_rotation(np.array([M] * 5))
    assert settled == (r <= 32 and (r <= 2 or smallest > 0.01))
    assert_allclose(found if settled else polar(M), U @ V.T, atol=1e-11)


@pytest.mark.parametrize("r", [3, 40])
def test_rotations_that_newton_does_not_find_are_found_by_a_decomposition(r):
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((60, r)))[0].T
    limits = np.where(np.arange(r) < r - 1, 0.1, 1.0)  # nothing is left of the last row, so that W V' is singular
    W, R, _, n_iter, _ = alternation(soft)(np.ascontiguousarray(V), limits, -1.0, 4)
    assert n_iter == 4
    assert_allclose(R @ R.T, np.eye(r), atol=1e-12)
    assert not W[-1].any()


@pytest.mark.parametrize("d", [40, 2048])
@levels
def test_the_alternation_is_the_plain_one(truncation, level, d):
    """Each feature is there four times, and so entries tie."""
    V = np.repeat(np.linalg.qr(np.random.default_rng(0).standard_normal((d // 4, 4)))[0].T / 2, 4, axis=1)
    given = {"l1": d**-0.5, "l0": d**-0.5, "sp": 0.3 * d // 1, "en": 0.2}[truncation]
    rule = truncations()[truncation]
    limits = bounds(rule, np.full(4, given), d)
    found, R, M, _, _ = alternation(rule)(V.copy(), limits, -1.0, 6)
    level = int(given) if truncation == "sp" else given
    W = reference.spcart(V.T, truncation, level, n_iter=6).T
    assert_allclose(found, W, atol=1e-12)
    assert_allclose(M, W @ V.T, atol=1e-12)
    assert_allclose([unit(rule(z, level)) for z in R @ V], W, atol=1e-12)
