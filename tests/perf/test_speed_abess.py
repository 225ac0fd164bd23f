"""The methods with exact cardinality against the SparsePCA of abess, one component; needs the extra `perf`."""

from __future__ import annotations

import numpy as np
import pytest
from claims import ABESS, conclude, cpu, seconds
from problems import cardinality, covariance, samples
from sklearn.base import clone
from spcabench_methods import COPPCA, GSPCA, RSVD, RSVDGP, PathSPCA, Splicing, TPower

abess = pytest.importorskip("abess.decomposition")

METHODS = {
    "tpower": TPower(),
    "rsvd_l0": RSVD(penalty="l0", init="max_variance"),
    "rsvdgp_sp": RSVDGP(truncation="sp"),
    "cop": COPPCA(whole_path=False, init="max_variance"),
    "splicing": Splicing(),
    "pathspca": PathSPCA(),
    "gspca_forward": GSPCA(direction="forward"),
}
SIZES = ("pitprops 13", "hastie 180", "500 x 2000", "5000 x 1000")


def theirs_of(size, k):
    """Return a call that fits abess.

    It takes samples, but where there are more features than samples returns a dense vector; there it gets the
    covariance, with so much on the diagonal that its check for a positive semidefinite matrix passes.  With more
    features still, its matrices do not fit.
    """
    X = samples(size)
    method = abess.SparsePCA(support_size=k)
    if X.shape[1] <= len(X):
        return method, lambda: method.fit(X)
    S = covariance(size) + 1e-8 * np.eye(X.shape[1])
    return method, lambda: method.fit(Sigma=S)


@pytest.fixture(scope="module")
def measured():
    """Time abess once on each size where it takes long."""
    return {}


@cpu
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("size", SIZES)
def test_fit(benchmark, measured, size, name):
    X = samples(size)
    k = 4 if X.shape[1] < 20 else cardinality(X.shape[1])
    method, fit = theirs_of(size, k)
    if size not in measured or measured[size] < 1.0:
        measured[size] = seconds(fit)
        fitted = method.coef_.ravel()
        measured[size, "w"] = fitted / np.linalg.norm(fitted)
    ours = clone(METHODS[name]).set_params(n_components=1, n_nonzero=k)
    if name == "cop":
        ours.set_params(n_steps=10 * X.shape[1])
    ours.fit(X)
    rounds = 500 if X.shape[1] < 20 else 20 if X.shape[1] < 500 else 3
    benchmark.pedantic(ours.fit, args=(X,), rounds=rounds)
    if measured[size] < 1.0:
        measured[size] = min(measured[size], seconds(fit, rounds))
    w, theirs = measured[size, "w"], measured[size]
    assert ours.n_nonzero_[0] == np.count_nonzero(w) == k
    variance, other = (float(np.mean((X @ v) ** 2)) for v in (ours.components_[0], w))
    mine = benchmark.stats.stats.min
    assert variance >= (1.0 - 1e-6) * other
    conclude(
        benchmark,
        ABESS,
        theirs / mine,
        size=size,
        method=name,
        nonzeros=k,
        variance=variance,
        **{"variance of abess": other, "ms": 1e3 * mine, "ms of abess": 1e3 * theirs},
    )
