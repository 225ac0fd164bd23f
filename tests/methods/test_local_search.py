"""Truncated rows and local search against slow references, and on the instances of the literature."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import reference_greedy as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import GSPCA, RowTruncation

COVARIANCES = Path(os.environ.get("SPCABENCH_DATA", "none")) / "covariances"


def positive(w):
    return w * np.sign(w[np.argmax(np.abs(w))])


@pytest.mark.parametrize("refit", [False, True])
@pytest.mark.parametrize("k", [1, 4, 9])
def test_reference_of_truncated_rows(X, k, refit):
    S = np.cov(X.T, bias=True)
    found = RowTruncation(1, k, refit=refit).fit(X).components_[0]
    assert_allclose(found, positive(reference.truncated_rows(S, k, refit)), atol=1e-9)


def test_rows_are_truncated_a_few_at_a_time(tall, monkeypatch):
    whole = RowTruncation(2, 4).fit(tall).components_
    monkeypatch.setattr("spcabench_methods.greedy.row_truncation.BLOCK", 40)
    assert_array_equal(RowTruncation(2, 4).fit(tall).components_, whole)


def test_a_single_feature_is_kept_where_rows_explain_less():
    S = np.full((4, 4), 0.1) + np.diag([4.0, 3.0, 3.0, 3.0])
    S[0, 1:] = S[1:, 0] = [-0.9, 0.9, 0.9]
    S[1:, 1:] -= 0.5 * (1 - np.eye(3))
    w = RowTruncation(1, 3, covariance="precomputed").fit(S).components_[0]
    assert w @ S @ w >= 4.1


INSTANCES = {
    ("housing", 5): (3.723859, 0.0001),
    ("housing", 10): (3.734192, 0.0000),
    ("pol", 5): (36.557406, 0.3142),
    ("pol", 15): (38.828117, 0.0015),
    ("song", 20): (2144.236724, 0.0005),
    ("eisen1", 10): (17.335499, 0.0041),
    ("eisen1", 20): (17.719461, 0.0030),
    ("eisen2", 10): (11.718201, 0.0289),
    ("eisen2", 20): (19.322834, 0.0540),
    ("digits", 10): (5.880108, 0.0145),
    ("digits", 20): (9.450540, 0.0025),
    ("buzz", 10): (2472.311075, 0.0052),
    ("buzz", 20): (3993.174772, 0.0010),
    ("song", 10): (2112.476859, 0.0031),
    ("gas", 10): (18.209158, None),
    ("gas", 20): (18.683139, None),
    ("keggdirected", 5): (451.594832, None),
    ("keggdirected", 15): (451.924129, None),
    ("wdbc", 5): (5.648288, None),
    ("wdbc", 15): (5.658792, None),
    ("dermatology", 5): (3.375078, None),
    ("dermatology", 15): (3.416088, None),
    ("spambase", 10): (41.851947, None),
    ("spambase", 20): (41.858664, None),
}
"""The variance of local search, and by how many percent that of truncated rows with their signs is smaller."""


@pytest.mark.nightly
@pytest.mark.skipif(not COVARIANCES.is_dir(), reason="the covariances of the literature are not here")
@pytest.mark.parametrize(("name", "k"), INSTANCES)
def test_instances_of_the_literature(name, k):
    with np.load(COVARIANCES / f"{name}.npz") as held:
        S = held[held.files[0]]
    value, gap = INSTANCES[name, k]
    local = GSPCA(1, k, direction="forward", polish=True, covariance="precomputed").fit(S).objective_[0]
    assert_allclose(local, value, rtol=1e-6)
    truncated, refit = (
        RowTruncation(1, k, refit=refit, covariance="precomputed").fit(S).objective_[0] for refit in (False, True)
    )
    assert 100 * (1 - refit / local) < 5e-5
    if gap is not None:
        assert_allclose(100 * (1 - truncated / local), gap, atol=6e-5)
