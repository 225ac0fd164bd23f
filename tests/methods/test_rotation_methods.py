"""Rotation and SPCArt against slow references and identities."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power
import reference_rotation as reference
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from spcabench_methods import PCA, Rotation, SPCArt
from spcabench_methods.core.arrays import unit
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.top_k import top_k
from truncated import levels

pytestmark = pytest.mark.filterwarnings("ignore:components")


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


@levels
def test_one_component_is_one_truncation(X, truncation, level):
    v = reference.eigenvectors(X, 1)[:, 0]
    fitted = SPCArt(1, truncation=truncation, **level).fit(X)
    w = unit(reference.TRUNCATIONS[truncation](v, *level.values()))
    assert_allclose(fitted.components_[0], reference_power.with_sign(w), atol=1e-10)
    assert fitted.n_iter_ == 2


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
