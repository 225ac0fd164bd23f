"""EESPCA against the eigenvalues of submatrices, computed in full."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from spcabench_methods import EESPCA
from spcabench_methods.classic import eespca


def entries(S):
    values, vectors = np.linalg.eigh(S)
    v, d = vectors[:, -1], len(S)
    a = np.zeros(d)
    for i in range(d):
        W = v.copy()
        for _ in range(5):
            W[i] = 0.0
            W = S @ (W / np.linalg.norm(W))
        W[i] = 0.0
        W = W / np.linalg.norm(W)
        a[i] = np.sign(v[i]) * np.sqrt(max(1.0 - W @ S @ W / values[-1], 0.0))
    return a / np.linalg.norm(a)


@pytest.mark.parametrize("at_once", [256, 3])
def test_reference(X, at_once, monkeypatch):
    monkeypatch.setattr(eespca, "AT_ONCE", at_once)
    a = entries(np.cov(X.T, bias=True))
    a *= np.sign(a[np.argmax(np.abs(a))])
    for threshold in (0.0, 0.2):
        kept = np.where(np.abs(a) < threshold, 0.0, a)
        found = EESPCA(1, threshold=threshold).fit(X).components_[0]
        assert_allclose(found, kept / np.linalg.norm(kept), atol=1e-6)


def test_later_components_are_those_of_deflated_matrices(tall):
    S = np.cov(tall.T, bias=True)
    w, second = EESPCA(2, 4, covariance="precomputed").fit(S).components_
    P = np.eye(len(S)) - np.outer(w, w)
    assert_allclose(EESPCA(1, 4, covariance="precomputed").fit(P @ S @ P).components_[0], second, atol=1e-6)


def test_equal_entries_are_kept():
    S = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    assert_allclose(EESPCA(1, covariance="precomputed").fit(S).components_, [[0.5] * 4])


def test_two_ways_to_set_the_sparsity(tall):
    with pytest.raises(ValueError, match="n_nonzero and threshold are both given"):
        EESPCA(1, 3, threshold=0.1).fit(tall)
