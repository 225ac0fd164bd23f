"""Rotation and SPCArt against published numbers, slow references, identities and the bounds proved for them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import reference_power
import reference_rotation as reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from spcabench_methods import PCA, Rotation, SimpleThresholding, SPCArt
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.unit import unit
from spcabench_methods.rotation.art_steps import (
    WIDTH,
    alternation,
    bounds,
    compiled_parts,
    in_blocks,
    in_rows,
    truncate,
)
from spcabench_methods.rotation.nearest import nearest_rotation
from spcabench_methods.truncations import Selection, truncations
from spcabench_methods.truncations.energy import energy
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k

pytestmark = pytest.mark.filterwarnings("ignore:components")

LEVELS = [("l1", {"threshold": 0.15}), ("l0", {"threshold": 0.2}), ("sp", {"n_nonzero": 5}), ("en", {"energy": 0.2})]
levels = pytest.mark.parametrize(("truncation", "level"), LEVELS, ids=[name for name, _ in LEVELS])


seeds = st.integers(0, 2**32 - 1)
entries = arrays(np.float64, st.integers(2, 12), elements=st.floats(-1, 1, width=32))
vectors = entries.filter(lambda v: np.linalg.norm(v) > 1e-3).map(unit)


def columns(method):
    return method.components_.T


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
        (SPCArt(threshold=1.5), r"threshold is 1.5; valid is .*\[0, 1\]"),
        (SPCArt(energy=1.0, truncation="en"), r"energy is 1.0; valid is .*\[0, 1\)"),
        (
            SPCArt(n_nonzero=3),
            "n_nonzero is given; valid with truncation='l0' is only threshold",
        ),
        (
            SPCArt(truncation="sp", threshold=0.1),
            "threshold is given; valid with truncation='sp' is only n_nonzero",
        ),
        (SPCArt(truncation="L0"), "truncation is 'L0'; valid is one of en, half, l0, l1, scad, sp"),
        (Rotation(n_nonzero=3, threshold=0.1), "both given"),
        (Rotation(3, n_nonzero=[3, 3]), "n_nonzero has 2 values"),
    ],
    ids=repr,
)
def test_faults_name_what_is_valid(X, method, message):
    with pytest.raises(ValueError, match=message):
        method.fit(X)


@given(vectors, st.floats(0, 0.99))
def test_energy_is_what_its_definition_says(z, share):
    assert_array_equal(energy(z, share) != 0, reference.energy(z, share) != 0)
    assert np.linalg.norm(z - energy(z, share)) ** 2 <= share + 1e-9


@given(st.integers(0, 12), st.sampled_from([1, 1e-12, 1e-300]), vectors, st.floats(0, 1))
def test_compiled_truncations_are_the_plain_ones(k, spread, v, threshold):
    v = v * spread ** np.linspace(0, 1, len(v))
    assert_array_equal(top_k.compiled(v, k + 1), reference_power.largest(v, k + 1))
    assert_array_equal(hard.compiled(v, threshold), reference_power.hard(v, threshold))
    assert_array_equal(soft.compiled(v, threshold), reference_power.soft(v, threshold))


@pytest.mark.parametrize("decimals", [1, 2, 12])
def test_compiled_truncations_of_long_vectors(decimals):
    v = np.random.default_rng(0).standard_normal(5001).round(decimals)
    for share in (0.0, 0.1, 0.5, 0.9):
        assert_array_equal(top_k(v, int(share * 5000) + 1), reference_power.largest(v, int(share * 5000) + 1))
        assert_array_equal(energy(v, share), reference.energy(v, share))


@cache
def one_step(rule):
    """Compile a step of the alternation."""
    shrunk, share = compiled_parts(rule)
    return njit(lambda *arrays: truncate(shrunk, share, *arrays))


class Truncated:
    """Loadings that follow rows by a rule."""

    def __init__(self, truncation, level, shape):
        self.rule = truncations()[truncation]
        self.W, self.scales = in_blocks(np.zeros(shape)), np.zeros(shape[0])
        self.limits = bounds(self.rule, np.full(shape[0], level, dtype=np.float64), self.W[:, 0].size)
        self.cuts = np.full(shape[0], 0.1)

    def follow(self, rows):
        """Return the loadings, their squared change, and their products with the rows."""
        V, R = in_blocks(rows), np.eye(len(rows))
        Z = np.empty_like(V if isinstance(self.rule, Selection) else V[:1])
        sums, space = np.empty((len(R), 4)), np.empty((2, *R.shape))
        change = one_step(self.rule)(R, V, Z, self.W, self.scales, self.limits, self.cuts, sums, space)
        return in_rows(self.W, rows.shape[1]) * self.scales[:, None], change, space[0]


@pytest.mark.parametrize("decimals", [1, 3, 15])
@pytest.mark.parametrize("d", [1, 12, 33, 700, WIDTH + 1, 2 * WIDTH + 3])
@levels
def test_rows_that_move_are_truncated_as_plainly(truncation, level, d, decimals):
    rng = np.random.default_rng(0)
    Z, W = rng.standard_normal((3, d)), np.zeros((3, d))
    loadings = Truncated(truncation, *level.values(), Z.shape)
    for step in (0.0, 1e-3, 0.05, 0.5, 5.0, 0.0):
        Z = Z + step * rng.standard_normal((3, d))
        rows = np.array([unit(z) for z in Z.round(decimals) + 10.0**-decimals])
        expected = np.array([unit(reference.TRUNCATIONS[truncation](z, *level.values())) for z in rows])
        moved = np.sum((expected - W) ** 2)
        W, change, M = loadings.follow(rows)
        assert_allclose(change, moved, rtol=1e-12, atol=1e-18)
        assert_allclose(W, expected, atol=1e-15)
        assert_allclose(M, expected @ rows.T, atol=1e-14)


def test_a_change_is_exact_where_hardly_anything_was_left():
    d, level = 16, 0.25
    nothing = np.full((1, d), level) * np.where(np.arange(d) < 3, 1.0 + 1e-15, 1.0)
    much = unit(np.arange(1.0, d + 1.0))[None]
    loadings, W = Truncated("l1", level, (1, d)), np.zeros((1, d))
    for rows in (nothing, much, nothing, nothing, 0.0 * much, much, much):
        old, (W, change, _) = W, loadings.follow(rows)
        assert_allclose(np.linalg.norm(W), 1.0 if rows.any() else 0.0)
        assert_allclose(change, np.sum((W - old) ** 2), rtol=1e-12, atol=1e-30)


@pytest.mark.parametrize("d", [1, 5, WIDTH, WIDTH + 1, 3 * WIDTH - 1])
def test_blocks_of_columns_hold_the_rows(d):
    rows = np.random.default_rng(0).standard_normal((3, d))
    blocks = in_blocks(rows)
    assert blocks.shape[2] <= WIDTH
    assert_array_equal(in_rows(blocks, d), rows)
    assert_allclose((blocks**2).sum(), (rows**2).sum())


@pytest.mark.parametrize("d", [40, 2 * WIDTH + 3])
@levels
def test_the_alternation_in_blocks_is_the_plain_one(truncation, level, d):
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((d, 4)))[0].T
    given = {"l1": d**-0.5, "l0": d**-0.5, "sp": 0.3 * d // 1, "en": 0.2}[truncation]
    rule, columns = truncations()[truncation], in_blocks(V)
    limits = bounds(rule, np.full(4, given), columns[:, 0].size)
    blocks, R, M, _, _ = alternation(rule)(columns, limits, -1.0, 6)
    Q, W = np.eye(4), V
    for n_iter in range(6):
        Q = polar(W @ V.T) if n_iter else Q
        W = np.array(
            [unit(reference.TRUNCATIONS[truncation](z, int(given) if truncation == "sp" else given)) for z in Q @ V]
        )
    assert_allclose(R, Q, atol=1e-12)
    assert_allclose(M, W @ V.T, atol=1e-12)
    assert_allclose(in_rows(blocks, d), W, atol=1e-12)


@pytest.mark.parametrize("d", [3, 7, 10, 13, 49, 100])
def test_equal_entries_lose_their_share(d):
    found = [np.count_nonzero(energy(np.full(d, d**-0.5), zeros / d) == 0) for zeros in range(d)]
    assert_array_equal(found, np.arange(d))


@pytest.mark.parametrize("r", [1, 2, 5, 20, 32, 40])
@pytest.mark.parametrize("smallest", [1.0, 0.3, 0.02, 1e-4])
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
    blocks, R, _, n_iter, _ = alternation(soft)(in_blocks(V), limits, -1.0, 4)
    assert n_iter == 4
    assert_allclose(R @ R.T, np.eye(r), atol=1e-12)
    assert not blocks[0, -1].any()


def test_an_entry_at_the_threshold_goes():
    assert_array_equal(hard(np.array([0.5, -0.75]), 0.5), [0.0, -0.75])
    assert_array_equal(soft(np.array([0.5, -0.75]), 0.5), [0.0, -0.25])


def test_energy_removes_zeros_alone_at_no_share():
    assert_array_equal(energy(np.array([3.0, 0.0, -1e-8]), 0.0), [3.0, 0.0, -1e-8])
    assert_array_equal(energy(np.full(10, 10**-0.5), 0.1) == 0, [False] * 9 + [True])
    assert_array_equal(energy(np.ones(3), 1 - 1e-16), [1.0, 0.0, 0.0])
    assert_array_equal(energy(np.zeros(3), 0.5), np.zeros(3))


def sparsity(w):
    return 1 - np.count_nonzero(w) / len(w)


def deviation(w, z):
    """Return the sine of the angle between two lines, 1 if w is zero."""
    if not w.any():
        return 1.0
    u = unit(w)
    return float(np.linalg.norm(z - u * (u @ z)))


@given(vectors, st.floats(0, 1))
def test_bounds_of_hard_thresholds(z, threshold):
    d, w = len(z), hard(z, threshold)
    if threshold < d**-0.5:
        assert 0 <= sparsity(w) <= 1 - 1 / d + 1e-12
        assert deviation(w, z) <= np.sqrt(d - 1) * threshold + 1e-7
    else:
        assert 1 - 1 / (d * threshold**2) < sparsity(w) + 1e-12
    if w.any():
        assert_allclose(deviation(w, z), np.linalg.norm(z - w), atol=1e-7)


@given(vectors, st.floats(1e-3, 1))
def test_bounds_of_soft_thresholds(z, threshold):
    d, w, hardened = len(z), soft(z, threshold), hard(z, threshold)
    assert_array_equal(w != 0, hardened != 0)
    if threshold < d**-0.5:
        assert sparsity(w) <= 1 - 1 / d + 1e-12
    assert deviation(w, z) >= deviation(hardened, z) - 1e-7
    if w.any():
        cut = np.linalg.norm(z - hardened)
        assert cut - 1e-7 <= deviation(w, z) < np.sqrt(cut**2 + threshold**2 * np.count_nonzero(w))


@given(vectors, st.integers(0, 11))
def test_bounds_of_given_zeros(z, zeros):
    d = len(z)
    assume(zeros < d)
    w = top_k(z, d - zeros)
    assert zeros / d <= sparsity(w) + 1e-12 <= 1 - 1 / d + 2e-12
    assert deviation(w, z) <= np.sqrt(zeros / d) + 1e-7
    if np.count_nonzero(z) >= d - zeros:
        assert_allclose(sparsity(w), zeros / d)


@given(vectors, st.floats(0, 0.99))
def test_bounds_of_truncated_energy(z, share):
    d, w = len(z), energy(z, share)
    assert np.floor(share * d) / d <= sparsity(w) + 1e-12 <= 1 - 1 / d + 2e-12
    assert deviation(w, z) <= np.sqrt(share) + 1e-7


@given(seeds, st.integers(2, 5), st.sampled_from(LEVELS))
def test_bound_of_cosines(seed, r, level):
    d = 12
    Z = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, r)))[0].T
    W = [unit(reference.TRUNCATIONS[level[0]](z, *level[1].values())) for z in Z]
    angles = [np.arcsin(min(deviation(w, z), 1.0)) for w, z in zip(W, Z, strict=True)]
    for i in range(r):
        for j in range(i):
            total = angles[i] + angles[j]
            assert abs(W[i] @ W[j]) <= (np.sin(total) if total <= np.pi / 2 else 1.0) + 1e-9


@given(seeds, st.integers(1, 5))
def test_bound_of_variance_for_any_loadings(seed, r):
    rng = np.random.default_rng(seed)
    A, W = rng.standard_normal((15, 10)) * rng.uniform(0.1, 3, 10), rng.standard_normal((10, r))
    scales, Vt = np.linalg.svd(A)[1:]
    smallest = np.linalg.svd(W.T @ Vt[:r].T)[1].min()
    assert smallest**2 * (scales[:r] ** 2).sum() <= np.linalg.norm(A @ W) ** 2 * (1 + 1e-9)


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(2, 4), st.sampled_from([0.0, 0.01, 0.05, 0.2]))
def test_bound_of_variance_at_a_fixed_point(seed, r, share):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 10)) * rng.uniform(0.1, 3, 10)
    fitted = SPCArt(r, truncation="en", energy=share, tol=1e-12, max_iter=5000).fit(X)
    assume(fitted.converged_.all())
    W, V = columns(fitted), PCA(r).fit(X).components_.T
    M = V.T @ W @ polar(W.T @ V)
    assert_allclose(M, M.T, atol=1e-8)
    assert np.linalg.eigvalsh(M + M.T).min() >= -1e-8
    Z = V @ polar(W.T @ V).T
    angle = max(np.arcsin(min(deviation(w, z), 1.0)) for w, z in zip(W.T, Z.T, strict=True))
    A = reference_power.centred(X)
    factor = np.cos(angle) ** 2 - np.sqrt(r - 1) * np.sin(2 * angle)
    assert factor * np.linalg.norm(A @ V) ** 2 <= np.linalg.norm(A @ W) ** 2 + 1e-9
