"""Truncated rows and local search against slow references, and proofs and searches on the literature's instances."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import reference_greedy as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import GSPCA, RowTruncation
from test_certified import TOL, searched

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


OPTIMA = {
    "housing": (3.72385861, 3.73419228),
    "keggdirected": (451.594832, 451.894971, 451.924129),
    "pol": (36.5574055, 38.2874953, 38.8281171, 38.8722614),
    "wdbc": (5.64828763, 5.65877748, 5.65879247, 5.65879307),
    "dermatology": (3.37507789, 3.40732344, 3.41608798, 3.42069190),
    "spambase": (41.8349033, 41.8519465, 41.8564468, 41.8586644),
    "digits": (3.44905188, 5.88010846, 7.83549562, 9.45054016),
    "buzz": (1387.78646, 2472.31107, 3336.87588, 3993.17477),
    "eisen1": (14.0757059, 17.3354991, 17.5842935, 17.7194611),
    "song": (2038.89636, 2112.47686, 2134.68689, 2144.23672),
    "eisen2": (6.63616004, 11.7182015, 15.6736377, 19.3228341),
    "gas": (16.8011122, 18.2091580, 18.6683480, 18.6831391),
}
"""Values proved before, at k = 5, 10, 15, 20."""


@pytest.mark.skipif(not COVARIANCES.is_dir(), reason="SPCABENCH_DATA has no covariances")
@pytest.mark.parametrize("name", OPTIMA)
def test_the_instances_of_the_exact_literature_are_proved_in_few_nodes(name):
    S = np.load(COVARIANCES / f"{name}.npz")["covariance"]
    for k, optimum in zip((5, 10, 15, 20), OPTIMA[name], strict=False):
        search = searched(S, k)
        assert_allclose(search.value, optimum, rtol=5e-9)
        assert search.upper_bound <= search.value * (1 + 2 * TOL)
        assert search.n_nodes <= 30


GAPS = {
    "housing": {5: 0.0001, 10: 0.0000},
    "pol": {5: 0.3142, 15: 0.0015},
    "song": {10: 0.0031, 20: 0.0005},
    "eisen1": {10: 0.0041, 20: 0.0030},
    "eisen2": {10: 0.0289, 20: 0.0540},
    "digits": {10: 0.0145, 20: 0.0025},
    "buzz": {10: 0.0052, 20: 0.0010},
    **{name: {5: None, 15: None} for name in ("keggdirected", "wdbc", "dermatology")},
    **{name: {10: None, 20: None} for name in ("gas", "spambase")},
}
"""By how many percent the variance of truncated rows with their signs is below that of local search, if published."""


@pytest.mark.nightly
@pytest.mark.skipif(not COVARIANCES.is_dir(), reason="the covariances of the literature are not here")
@pytest.mark.parametrize("name", GAPS)
def test_instances_of_the_literature(name):
    S = np.load(COVARIANCES / f"{name}.npz")["covariance"]
    for k, gap in GAPS[name].items():
        local = GSPCA(1, k, direction="forward", polish=True, covariance="precomputed").fit(S).objective_[0]
        assert_allclose(local, OPTIMA[name][k // 5 - 1], rtol=1e-6)
        truncated, refit = (
            RowTruncation(1, k, refit=refit, covariance="precomputed").fit(S).objective_[0] for refit in (False, True)
        )
        assert 100 * (1 - refit / local) < 5e-5
        if gap is not None:
            assert_allclose(100 * (1 - truncated / local), gap, atol=6e-5)
