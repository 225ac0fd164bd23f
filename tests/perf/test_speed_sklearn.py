"""Every power, rotation and path method against scikit-learn's SparsePCA, asked for its number of nonzeros."""

import numpy as np
import pytest
from claims import SKLEARN, conclude, cpu, seconds
from problems import N_COMPONENTS, SIZES, baseline, samples
from sklearn.base import clone
from spcabench_methods import COPPCA, RSVD, RSVDGP, GPower, Rotation, SPCArt, TPower

from spcabench import search_penalty
from spcabench.perf.bench import cpev

EXACT = {
    "tpower": TPower(),
    "rsvd_l1": RSVD(penalty="l1"),
    "rsvd_l0": RSVD(penalty="l0"),
    "rsvd_scad": RSVD(penalty="scad"),
    "rsvdgp_sp": RSVDGP(truncation="sp"),
    "varimax": Rotation(),
    "quartimax": Rotation(criterion="quartimax"),
    "spcart_sp": SPCArt(truncation="sp"),
    "cop": COPPCA(whole_path=False),
}
SEARCHED_INSIDE = {
    "gpower_l1": GPower(penalty="l1"),
    "gpower_l0": GPower(penalty="l0"),
    "rsvdgp_l1": RSVDGP(truncation="l1"),
    "rsvdgp_l0": RSVDGP(truncation="l0"),
    "rsvdgp_en": RSVDGP(truncation="en"),
}
SEARCHED_OUTSIDE = {
    "spcart_l1": (SPCArt(truncation="l1"), "threshold"),
    "spcart_l0": (SPCArt(truncation="l0"), "threshold"),
    "spcart_en": (SPCArt(truncation="en"), "energy"),
}


def prepared(name, X, counts):
    """Return an estimator at its penalty, and its CPU time with the search inside, if it has one."""
    if name in SEARCHED_OUTSIDE:
        method, penalty = SEARCHED_OUTSIDE[name]
        method = clone(method).set_params(n_components=N_COMPONENTS)

        def fit(level):
            found = clone(method).set_params(**{penalty: level}).fit(X)
            return int(found.n_nonzero_.sum()), found

        return search_penalty(fit, 0.0, 0.9999, sum(counts), max_fits=25).result, None
    if name in SEARCHED_INSIDE:
        method = clone(SEARCHED_INSIDE[name]).set_params(n_components=N_COMPONENTS, n_nonzero=counts)
        method.fit(X)
        searching = seconds(lambda: method.fit(X), 3)
        return method.set_params(**method.calibrated_params_), searching
    method = clone(EXACT[name]).set_params(n_components=N_COMPONENTS, n_nonzero=counts)
    return method.set_params(n_steps=10 * X.shape[1]) if name == "cop" else method, None


@cpu
@pytest.mark.parametrize("name", [*EXACT, *SEARCHED_INSIDE, *SEARCHED_OUTSIDE])
@pytest.mark.parametrize("size", SIZES)
def test_fit(benchmark, size, name):
    X, other = samples(size), baseline(size)
    method, searching = prepared(name, X, other.counts)
    method.fit(X)
    theirs = seconds(lambda: clone(other.estimator).fit(X))
    rounds = int(np.clip(theirs / 0.05, 3, 15))
    benchmark.pedantic(method.fit, args=(X,), rounds=rounds)
    if theirs < 0.5:
        theirs = min(theirs, seconds(lambda: clone(other.estimator).fit(X), 3))
    ours = benchmark.stats.stats.min
    if name in EXACT:
        assert list(method.n_nonzero_) == other.counts
    conclude(
        benchmark,
        SKLEARN,
        theirs / ours,
        size=size,
        method=name,
        nonzeros=int(method.n_nonzero_.sum()),
        cpev=cpev(X, method.components_),
        **{
            "nonzeros of SparsePCA": sum(other.counts),
            "cpev of SparsePCA": other.cpev,
            "ratio with the search": round(theirs / searching, 2) if searching else "",
        },
    )
