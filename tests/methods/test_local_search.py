"""Truncated rows against a slow reference, and proofs and searches on the literature's instances."""

import os
from pathlib import Path

import numpy as np
import pytest
import reference_greedy as reference
from instances import CSV, NAMES
from numpy.testing import assert_allclose, assert_array_equal
from reference_power import with_sign
from snapshots import read
from spcabench_methods import GSPCA, RowTruncation
from test_certified import TOL, searched

COVARIANCES = Path(os.environ.get("SPCABENCH_DATA", "none")) / "covariances"


@pytest.mark.parametrize("refit", [False, True])
@pytest.mark.parametrize("k", [1, 4, 9])
def test_reference_of_truncated_rows(X, k, refit):
    found = RowTruncation(1, k, refit=refit).fit(X).components_[0]
    assert_allclose(found, with_sign(reference.truncated_rows(np.cov(X.T, bias=True), k, refit)), atol=1e-9)


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


SHORT = {("eisen2", "5"): 0.03180986}
"""By what share of the optimum local search stops short, where it does."""


@pytest.mark.skipif(not COVARIANCES.is_dir(), reason="SPCABENCH_DATA has no covariances")
@pytest.mark.parametrize("name", NAMES)
def test_the_instances_of_the_exact_literature_are_proved_in_few_nodes_and_found_by_local_search_but_one(name):
    """As `reports/instances.csv` has their optima."""
    S = np.load(COVARIANCES / f"{name}.npz")["covariance"]
    for row in read(CSV).rows:
        if row["data"] == name:
            search = searched(S, int(row["k"]))
            assert_allclose(search.value, float(row["value"]), rtol=5e-9)
            assert search.upper_bound <= search.value * (1 + 2 * TOL)
            assert search.n_nodes <= 30
            local = GSPCA(1, int(row["k"]), direction="forward", polish=True, covariance="precomputed").fit(S)
            short = SHORT.get((name, row["k"]), 0.0)
            assert_allclose(local.objective_[0], (1 - short) * search.value, rtol=1e-6)
