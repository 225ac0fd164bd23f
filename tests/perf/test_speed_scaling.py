"""How the time of an iteration grows with the samples and with the features, beside a product with the same data.

Time is proportional to a power of the size.  What caches hold less and less of costs more for each entry, however it is
multiplied.  So each exponent is set beside that of NumPy's own product, which does the same reading in the same run.
"""

from __future__ import annotations

import numpy as np
import pytest
from claims import SCALING
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from sklearn.base import clone
from spcabench_methods import COPPCA, RSVD, RSVDGP, GPower, Rotation, SPCArt, TPower

FEATURES = (4000, 8000, 16000, 32000, 64000)
SAMPLES = (100, 200, 400, 800, 1600)
FIXED = {"n": 100, "d": 8000}
WIDER = (32_000, 64_000, 128_000, 256_000)
"""For the rotations, of 20 samples: they work on loadings alone, which fit the caches at fewer features."""

METHODS = {
    "tpower": TPower(1, 50, tol=0.0),
    "gpower_l1": GPower(1, penalty="l1", rho=0.2, refit=False, tol=0.0),
    "gpower_l0": GPower(1, penalty="l0", rho=0.2, refit=False, tol=0.0),
    "rsvd_l0": RSVD(1, 50, penalty="l0", tol=0.0),
    "rsvdgp_sp": RSVDGP(1, 50, truncation="sp", tol=0.0),
    "spcart_l0": SPCArt(10, truncation="l0", tol=0.0),
    "spcart_sp": SPCArt(10, 50, truncation="sp", tol=0.0),
    "varimax": Rotation(10, tol=0.0),
    "cop": COPPCA(1, 1),
}


def each_iteration(method, X):
    """Return the CPU time of one iteration: what more of them cost, over how many more."""
    if isinstance(method, COPPCA):
        lengths = [{"n_steps": m * X.shape[1]} for m in (1, 21)]
    else:
        lengths = [{"max_iter": m} for m in (2, 42)]
    short, long = (clone(method).set_params(**length).fit(X) for length in lengths)
    times = [(seconds(lambda: short.fit(X)), seconds(lambda: long.fit(X))) for _ in range(3)]
    fast, slow = map(min, zip(*times, strict=True))
    return (slow - fast) / (long.n_iter_ - short.n_iter_)


def products(X):
    """Return the CPU time of a product with the samples and one with their transpose."""
    w = np.ones(X.shape[1])
    return seconds(lambda: X.T @ (X @ w), 5)


def products_of_loadings(X):
    """Return that of the two products of an alternation, with loadings like those of ten components."""
    V = np.random.default_rng(1).standard_normal((10, X.shape[1]))
    R = np.eye(10)
    return seconds(lambda: (R @ V) @ V.T, 5)


def second_moments(X):
    """Return that of the matrix of second moments."""
    return seconds(lambda: X.T @ X, 3)


ROTATIONS = ("spcart_l0", "spcart_sp", "varimax")
CASES = [(name, axis) for name in METHODS for axis in "nd" if name not in ROTATIONS or axis == "d"]


@cpu
@pytest.mark.parametrize(("name", "axis"), CASES)
def test_iteration(benchmark, name, axis):
    rng = np.random.default_rng(0)
    wide = name in ROTATIONS
    sizes = WIDER if wide else {"n": SAMPLES, "d": FEATURES}[axis]
    times, least = [], []
    for size in sizes:
        shape = {**FIXED, **({"n": 20} if wide else {}), axis: size}
        X = rng.standard_normal((shape["n"], shape["d"]))
        times.append(each_iteration(METHODS[name], X))
        least.append((products_of_loadings if wide else products)(X))
    benchmark.pedantic(clone(METHODS[name]).fit, args=(X[:20],), rounds=1)
    grows(benchmark, name, axis, "a step of the path" if name == "cop" else "an iteration", sizes, times, least)


@cpu
@pytest.mark.parametrize("name", METHODS)
def test_whole_fit_with_far_more_samples(benchmark, name):
    rng = np.random.default_rng(0)
    sizes = (10_000, 20_000, 40_000, 80_000)
    method = clone(METHODS[name])
    times, least = [], []
    for n in sizes:
        X = rng.standard_normal((n, 200)) * np.arange(1, 201) ** -0.5
        times.append(seconds(lambda X=X: method.fit(X), 3))
        least.append(second_moments(X))
    benchmark.pedantic(method.fit, args=(X,), rounds=1)
    grows(benchmark, name, "n", "a fit, d = 200", sizes, times, least)


def grows(benchmark, name, axis, what, sizes, times, least):
    """Conclude from the slopes of the times on logarithmic axes."""
    ours, theirs = (exponent(sizes, seconds) for seconds in (times, least))
    print(f"{name}: {what} takes time proportional to {axis}^{ours:.2f}, its products to {axis}^{theirs:.2f}")
    benchmark.extra_info["seconds"] = dict(zip(map(str, sizes), times, strict=True))
    along = f"{axis} = {sizes[0]} to {sizes[-1]}"
    cells = {"method": name, "of": what, "along": along, "exponent": round(ours, 2), "of products": round(theirs, 2)}
    conclude(benchmark, SCALING, ours - theirs, **cells)


def exponent(sizes, times):
    """Return the slope on logarithmic axes."""
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(times, 1e-9)), 1)[0])
