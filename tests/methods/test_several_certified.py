"""Bounds for several components: never below what enumeration reaches, and proofs of disjoint supports."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import certify_many
from spcabench_methods.certified import several as joint_bounds
from spcabench_methods.certified.several import (
    disjoint_bound,
    eigenvalue_bound,
    parts,
    sparse_eigenvalue,
    split_bound,
)


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
    values = {I: np.linalg.eigvalsh(S[np.ix_(I, I)])[-1] for I in itertools.combinations(range(len(S)), k)}
    return max(values[I] + values[J] for I, J in itertools.combinations(values, 2) if not set(I) & set(J))


@settings(max_examples=20, deadline=None)
@given(problems, st.integers(2, 3), st.integers(0, 10_000))
def test_no_orthogonal_loadings_exceed_the_bounds(S, k, seed):
    reached = max(v @ S @ v + w @ S @ w for v, w in pairs(S, k))
    Z = np.random.default_rng(seed).standard_normal(S.shape)
    M = np.linalg.norm(S) * (Z + Z.T) / len(S)
    for bound in (eigenvalue_bound(S, 2), parts(S, M, [k, k])[0], split_bound(S, [k, k], 0.0, 5, math.inf)):
        assert bound >= reached * (1 - 1e-12)


@settings(max_examples=20, deadline=None)
@given(problems)
def test_no_disjoint_loadings_exceed_the_bound(S):
    found, best = disjoint_bound(S, 2, 2, 0.0, 500), best_disjoint(S, 2)
    assert found.bound >= best * (1 - 1e-12)
    assert found.value <= best * (1 + 1e-12)
    I, J = found.supports.tolist()
    assert not set(I) & set(J)


@pytest.mark.parametrize("k", [1, 4, 13])
def test_a_search_bounds_where_supports_are_too_many_to_enumerate(pitprops, monkeypatch, k):
    indefinite = pitprops - 2.0 * np.eye(13)[[0]].T @ np.eye(13)[[0]] - np.eye(13)
    bound, w = sparse_eigenvalue(indefinite, k)
    monkeypatch.setattr(joint_bounds, "MOST_EVALUATED", 0)
    searched, v = sparse_eigenvalue(indefinite, k)
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
