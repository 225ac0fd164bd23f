"""Samples that lack values: what is fitted in their place, and the Python that does the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from spcabench import make
from spcabench.explore.budget import Budget
from spcabench.explore.completing import completed
from spcabench.explore.portfolio import portfolio
from spcabench.explore.prepared import prepared
from spcabench.explore.reading import read
from spcabench.explore.refit import script, steps
from spcabench.explore.understanding import understand

AT_ONCE = Budget(60, started=0.0, clock=lambda: 0.0)
"""A machine on which nothing takes time."""
CALL = "spcabench.make('tpower', n_components=2, n_nonzero=3)"


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 8))
    X[:, :3] += 2 * rng.standard_normal((80, 1))
    X[:, 3:6] += rng.standard_normal((80, 1))
    X[rng.random(X.shape) < 0.15] = np.nan
    pd.DataFrame(30.0 ** (np.arange(8) / 7) * X, columns=list("abcdefgh")).to_csv(tmp_path / "own.csv", index=False)
    source = read(tmp_path / "own.csv")
    return source, understand(source.frame, missing="em")


def test_moments_are_estimated_and_samples_completed(table):
    source, how = table
    assert "second moments by expectation maximisation (otherwise --missing drop)" in str(how.findings[0])
    before = prepared(source.frame, how)
    assert before.standardise
    found = completed(before, portfolio().incomplete, None, AT_ONCE)
    assert (found.rank, found.converged) == (5, True)
    X, seen = found.table.X, ~np.isnan(before.X)
    assert np.isfinite(X).all()
    sd = np.nanstd(before.X, axis=0)
    np.testing.assert_allclose(X[seen], ((before.X - np.nanmean(before.X, axis=0)) / sd)[seen])
    filled = found.table.scaled
    assert np.all(np.diag(found.table.moments) > np.mean(filled**2, axis=0))  # what is missing has a variance too
    hurried = completed(before, portfolio().incomplete, 6, Budget(10, started=-60.0, clock=lambda: 0.0))
    assert (hurried.rank, hurried.max_iter) == (7, 10)


def test_the_script_fits_the_same_moments(table, capsys):
    source, how = table
    found = completed(prepared(source.frame, how), portfolio().incomplete, None, AT_ONCE)
    call = f"MomentSPCA({CALL}, rank={found.rank}, max_iter={found.max_iter})"
    names = {}
    exec(script(steps(source, how, call, portfolio().incomplete)), names)
    expected = make("tpower", n_components=2, n_nonzero=3, covariance="precomputed").fit(found.table.moments)
    np.testing.assert_allclose(names["loadings"].to_numpy().T, expected.components_, atol=1e-8)
    assert np.isfinite(names["scores"]).all()
