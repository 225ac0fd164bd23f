"""Rotation and SPCArt against published numbers, slow references and identities."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power
import reference_rotation as reference
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from spcabench_methods import PCA, Rotation, SimpleThresholding, SPCArt
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.blocks import polar
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.top_k import top_k
from truncated import LEVELS, levels

pytestmark = pytest.mark.filterwarnings("ignore:components")


@pytest.mark.parametrize(
    ("method", "pattern", "std", "nor", "cpev"),
    [
        (SPCArt(6), "424332", 0.0688, 0.0181, 0.8013),
        (SPCArt(6, truncation="l1"), "423233", None, 0.0033, 0.6940),
        (SPCArt(6, 3, truncation="sp"), "333333", 0.0, 0.0428, 0.7514),
        (SPCArt(6, truncation="en", energy=0.15), "524322", None, 0.0303, 0.8104),
        (SPCArt(6, truncation="en", energy=0.1), "624433", None, 0.0635, 0.8374),
    ],
    ids=repr,
)
def test_pitprops_published(pitprops, method, pattern, std, nor, cpev):
    fitted = clone(method).set_params(covariance="precomputed").fit(pitprops)
    assert "".join(map(str, fitted.n_nonzero_)) == pattern
    assert_allclose(reference.nonorthogonality(fitted.components_), nor, atol=5e-5)
    assert_allclose(fitted.cpev_[-1], cpev, atol=5e-5)
    if std is not None:
        assert_allclose(reference.unevenness(fitted.components_), std, atol=5e-5)


@pytest.mark.parametrize(("tol", "nor"), [(1e-2, 0.0181), (1e-3, 0.0174), (0.0, 0.0173)])
def test_pitprops_shows_the_stop_rule(pitprops, tol, nor):
    fitted = SPCArt(6, tol=tol, covariance="precomputed").fit(pitprops)
    assert_allclose(reference.nonorthogonality(fitted.components_), nor, atol=5e-5)
    if tol == 1e-2:
        assert fitted.n_iter_ == 18


@pytest.mark.parametrize(
    ("method", "second", "exact", "published"),
    [
        (SPCArt(), [0, 1, 2, 3], 0.98436, 0.9848),
        (SPCArt(truncation="l1"), [0, 1, 2, 3], 0.97262, 0.9728),
        (SPCArt(2, 6, truncation="sp"), [0, 1, 2, 3, 8, 9], 0.99637, 0.9968),
        (SPCArt(truncation="en", energy=0.1), [0, 1, 2, 3], 0.98436, 0.9848),
    ],
    ids=repr,
)
def test_synthetic_published(hidden_factors, method, second, exact, published):
    fitted = clone(method).set_params(covariance="precomputed").fit(hidden_factors)
    assert_array_equal(np.flatnonzero(fitted.components_[0]), [4, 5, 6, 7, 8, 9])
    assert_array_equal(np.flatnonzero(fitted.components_[1]), second)
    assert_allclose(fitted.cpev_[-1], exact, atol=5e-6)
    assert abs(fitted.cpev_[-1] - published) < 6e-4


def test_varimax_pitprops(pitprops):
    pca = PCA(6, covariance="precomputed").fit(pitprops)
    varimax = Rotation(6, covariance="precomputed").fit(pitprops)
    assert_allclose((pca.components_**2).var(axis=1).sum(), 0.0715, atol=5e-5)
    assert_allclose(varimax.objective_.sum(), 0.17310, atol=5e-6)
    assert_allclose((varimax.components_**2).var(axis=1), varimax.objective_, atol=1e-12)
    assert_allclose(varimax.cpev_[-1], 0.8700, atol=5e-5)
    assert_allclose(varimax.cpev_[-1], pca.cpev_[-1], atol=1e-12)


@levels
def test_spcart_reference(X, truncation, level):
    fitted = SPCArt(3, truncation=truncation, **level, tol=0.01).fit(X)
    expected = reference.spcart(reference.eigenvectors(X, 3), truncation, *level.values(), tol=0.01)
    signed = np.array([reference_power.with_sign(w) for w in expected.T])
    assert_allclose(fitted.components_, signed, atol=1e-9)


@pytest.mark.parametrize("criterion", ["varimax", "quartimax"])
@pytest.mark.parametrize("scaled", [False, True])
def test_rotation_reference(X, criterion, scaled):
    fitted = Rotation(3, criterion=criterion, scaled=scaled, tol=0.0, max_iter=5000).fit(X)
    V = reference.eigenvectors(X, 3)
    if scaled:
        V = V * np.linalg.svd(reference_power.centred(X))[1][:3]
    L = reference.varimax(V, 1.0 if criterion == "varimax" else 0.0)
    L = L / np.linalg.norm(L, axis=0)
    A = reference_power.centred(X)
    L = L[:, np.argsort(-np.linalg.norm(A @ L, axis=0))]
    signed = np.array([reference_power.with_sign(w) for w in L.T])
    assert_allclose(fitted.components_, signed, atol=1e-6)


def test_rotation_keeps_the_span(X):
    pca, rotation = PCA(3).fit(X), Rotation(3).fit(X)
    assert_allclose(rotation.components_ @ rotation.components_.T, np.eye(3), atol=1e-12)
    assert_allclose(rotation.cpev_[-1], pca.cpev_[-1], atol=1e-12)
    assert_allclose(Rotation(3, scaled=True).fit(X).cpev_[-1], pca.cpev_[-1], atol=1e-12)
    assert_allclose(Rotation(1).fit(X).components_, PCA(1).fit(X).components_, atol=1e-12)
    assert rotation.objective_.sum() > (pca.components_**2).var(axis=1).sum()


def test_unit_eigenvectors_make_both_criteria_one(X):
    varimax, quartimax = Rotation(3).fit(X), Rotation(3, criterion="quartimax").fit(X)
    assert_allclose(varimax.components_, quartimax.components_, atol=1e-3)
    assert_allclose(varimax.objective_ + 1 / X.shape[1] ** 2, quartimax.objective_, atol=1e-5)
    scaled = [Rotation(3, criterion=c, scaled=True).fit(X).components_ for c in ("varimax", "quartimax")]
    assert np.abs(scaled[0] - scaled[1]).max() > 1e-3


def test_rotation_is_truncated_afterwards(X):
    dense = Rotation(3).fit(X).components_
    W = Rotation(3, [4, 2, 5]).fit(X).components_
    assert_allclose(W, [unit(top_k(w, k)) for w, k in zip(dense, [4, 2, 5], strict=True)], atol=1e-12)
    W = Rotation(3, threshold=0.2).fit(X).components_
    assert_allclose(W, [unit(hard(w, 0.2)) for w in dense], atol=1e-12)
    plain, refit = Rotation(3, 4).fit(X), Rotation(3, 4, refit=True).fit(X)
    assert_array_equal(plain.components_ != 0, refit.components_ != 0)
    assert refit.explained_variance_[0] >= plain.explained_variance_[0]
    assert_array_equal(Rotation(3, refit=True).fit(X).components_, dense)


def test_first_step_is_simple_thresholding(X):
    for kwargs in ({}, {"threshold": 0.25}):
        first = SPCArt(3, max_iter=1, **kwargs).fit(X)
        assert_allclose(first.components_, SimpleThresholding(3, **kwargs).fit(X).components_, atol=1e-10)
    first = SPCArt(3, [4, 2, 5], truncation="sp", max_iter=1).fit(X)
    assert_allclose(first.components_, SimpleThresholding(3, [4, 2, 5]).fit(X).components_, atol=1e-10)


@pytest.mark.parametrize(
    "limit",
    [
        {"threshold": 0.0},
        {"truncation": "l1", "threshold": 0.0},
        {"truncation": "sp", "n_nonzero": 99},
        {"truncation": "en", "energy": 0.0},
    ],
    ids=repr,
)
def test_spcart_without_truncation_is_pca(X, limit):
    assert_allclose(SPCArt(3, **limit).fit(X).components_, PCA(3).fit(X).components_, atol=1e-10)


@levels
def test_one_component_is_one_truncation(X, truncation, level):
    v = reference.eigenvectors(X, 1)[:, 0]
    fitted = SPCArt(1, truncation=truncation, **level).fit(X)
    w = unit(reference.TRUNCATIONS[truncation](v, *level.values()))
    assert_allclose(fitted.components_[0], reference_power.with_sign(w), atol=1e-10)
    assert fitted.n_iter_ == 2


@pytest.mark.parametrize("truncation", ["l1", "sp"])
def test_objective_never_rises(X, truncation):
    level = dict(LEVELS)[truncation]
    path = [
        SPCArt(3, truncation=truncation, **level, tol=0.0, max_iter=m).fit(X).objective_.sum() for m in range(1, 25)
    ]
    assert np.all(np.diff(path) <= 1e-12)
    assert path[-1] < path[0] - 1e-6


def test_hard_thresholds_lower_their_objective_without_scaling(X):
    V = reference.eigenvectors(X, 3)
    R, path = np.eye(3), []
    for _ in range(25):
        W = np.column_stack([hard(z, 0.25) for z in (V @ R.T).T])
        R = polar(W.T @ V)
        path.append(np.linalg.norm(V - W @ R) ** 2 + 0.25**2 * np.count_nonzero(W))
    assert np.all(np.diff(path) <= 1e-12)
    assert path[-1] < path[0]


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("criterion", ["varimax", "quartimax"])
def test_criterion_never_falls(X, criterion, scaled):
    method = Rotation(3, criterion=criterion, scaled=scaled, tol=0.0)
    path = [clone(method).set_params(max_iter=m).fit(X).objective_.sum() for m in range(1, 25)]
    assert np.all(np.diff(path) >= -1e-12 * path[-1])


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
    S = np.diag([5.0, 4.0, 0.0, 0.0]) + 0.0
    S[:2, :2] = [[5.0, 0.0], [0.0, 4.0]]
    U = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [2**0.5, 0, -(2**0.5), 0]]) / 2
    S = U.T @ np.diag([5.0, 4.0, 3.0]) @ U
    fitted = SPCArt(3, threshold=0.6, covariance="precomputed").fit(S)
    assert_array_equal(fitted.n_nonzero_ > 0, [False, False, True])
    assert np.isfinite(fitted.components_).all()


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (SPCArt(threshold=1.5), r"'threshold' parameter .*\[0.0, 1.0\].* Got 1.5"),
        (SPCArt(energy=1.0, truncation="en"), r"'energy' parameter .*\[0.0, 1.0\).* Got 1.0"),
        (
            SPCArt(n_nonzero=3),
            "n_nonzero is given; valid with truncation='l0' is only threshold",
        ),
        (
            SPCArt(truncation="sp", threshold=0.1),
            "threshold is given; valid with truncation='sp' is only n_nonzero",
        ),
        (SPCArt(truncation="L0"), "'truncation' parameter .*half.* Got 'L0'"),
        (Rotation(n_nonzero=3, threshold=0.1), "both given"),
        (Rotation(3, n_nonzero=[3, 3]), "n_nonzero has 2 values"),
    ],
    ids=repr,
)
def test_faults_name_what_is_valid(X, method, message):
    with pytest.raises(ValueError, match=message):
        method.fit(X)
