"""Benchmarks of fits by pytest-benchmark: one fit a round, warm, by processor time, and how good the fit is.

The tests of this file run where ``pytest --spcabench-bench NAME`` asks for them; `spcabench.check.pytest_plugin` says
of which methods.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from spcabench.metrics.variance import orthonormal_basis
from spcabench.perf.callgrind import instructions

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

Better = Literal["higher", "lower", "same"]
"""Which objectives are better; of ``same`` no other one is as good."""

COMPONENTS, K = 2, 8
"""Components of the standard problems, and nonzeros of each."""
SIZES = {"100 x 60": (100, 60), "40 x 400": (40, 400)}
"""Samples and features of the standard problems."""
WARM = 3
"""Fits before those that are measured."""
ROUNDS, SPAN = (50, 1000), 0.7
"""The fewest and the most rounds, and the seconds that short fits are repeated for."""
SHARED, PATIENCE, FIRST = 1.2, 5.0, 2.0
"""How much slower work is on a core that is shared, for how many seconds a benchmark waits, and looks at first."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The options of mallopt in malloc.h."""
SLACK = 1e-4
"""A CPEV or an objective that is worse by more of its size is worse."""

one_fit_a_round = pytest.mark.benchmark(timer=time.process_time, disable_gc=True, warmup=False)
"""Marks tests that call `measure`."""


@cache
def samples(size: str) -> NDArray[np.float64]:
    """Return the samples of a standard problem: two sparse spikes in noise."""
    n, d = SIZES[size]
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    for j, strength in enumerate((4.0, 3.0)):
        X[:, j * K : (j + 1) * K] += strength * rng.standard_normal((n, 1)) / np.sqrt(K)
    X -= X.mean(axis=0)
    X.flags.writeable = False
    return X


class OwnCore:
    """Waits until no other program slows the processor's core, as the time of a fixed piece of work shows.

    On a virtual machine a neighbour on the same core can double the processor time of a fit, and nothing else shows it.
    What the work takes on a core of one's own is a low quantile of its times at first, and falls slowly if it is
    faster later: a moment at a higher clock rate counts little.
    """

    alone = math.inf

    def __init__(self) -> None:
        self._patience = PATIENCE

    def wait(self) -> None:
        """Return when the work takes about what it takes alone, or when all waits have taken too long."""
        begin = time.monotonic()
        if OwnCore.alone == math.inf:
            first = [_probe()]
            while time.monotonic() < begin + FIRST:
                first.append(_probe())
            OwnCore.alone, begin = float(np.quantile(first, 0.05)), time.monotonic()
        while (seconds := _probe()) > SHARED * OwnCore.alone and time.monotonic() < begin + self._patience:
            pass
        self._patience -= time.monotonic() - begin
        OwnCore.alone += 0.02 * min(0.0, seconds - OwnCore.alone)


def keep_freed_memory() -> None:
    """Let glibc keep what is freed; in some processes pages else come and go with each fit, a third of its time."""
    with contextlib.suppress(AttributeError):  # other libraries have no such call
        for option in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            ctypes.CDLL(None).mallopt(option, 2**30)


def _probe() -> float:
    """Return the least seconds of three times the same work: the first finds the caches as a fit leaves them."""
    return min(map(_work, range(3)))


def _work(_: int) -> float:
    A, begin = samples("100 x 60"), time.process_time()
    w = A[0]
    for _ in range(5):
        w = A.T @ (A @ w)
        w /= np.linalg.norm(w)
    return time.process_time() - begin


def measure(benchmark: BenchmarkFixture, estimator: Any, X: NDArray[np.float64], better: Better = "same") -> None:
    """Time the fits of an estimator, and keep how good they are, for the next comparison.

    ``spcabench-perf`` runs the same benchmarks and counts the instructions of one fit.

    Parameters
    ----------
    benchmark : BenchmarkFixture
        The fixture of pytest-benchmark.
    estimator : object
        With ``fit`` and ``components_``.
    X : ndarray of shape (n_samples, n_features)
    better : {"higher", "lower", "same"}
        Which values of its ``objective_`` are better.
    """
    keep_freed_memory()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(WARM):
            begin = time.process_time()
            estimator.fit(X)
            seconds = time.process_time() - begin
        gc.collect()
        rounds = int(np.clip(SPAN / max(seconds, 1e-6), *ROUNDS))
        wait = OwnCore().wait if benchmark.enabled else None
        benchmark.pedantic(estimator.fit, (X,), setup=wait, rounds=rounds)
        counted = instructions(lambda: estimator.fit(X))
    W = np.asarray(estimator.components_, dtype=np.float64)
    benchmark.extra_info |= {
        "better": better,
        "cpev": cpev(X, W),
        "nonzeros": int(np.count_nonzero(W)),
        "iterations": int(np.sum(getattr(estimator, "n_iter_", 0))),
        "instructions": counted,
    }
    if (objective := getattr(estimator, "objective_", None)) is not None:
        benchmark.extra_info["objective"] = float(np.sum(objective))


def cpev(X: NDArray[np.float64], W: NDArray[np.float64]) -> float:
    """Return the share of the variance of samples in the span of loadings in rows, from 0 to 1."""
    A = X - X.mean(axis=0)
    return float(((A @ orthonormal_basis(W.T)) ** 2).sum() / (A**2).sum())


def worse(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is worse than it was, from two ``extra_info`` of a benchmark, if `measure` has kept both."""
    if "better" not in before or "better" not in now:
        return
    directions = {"cpev": "higher", "objective": now["better"]}
    for name, better in directions.items():
        if (old := before.get(name)) is None:
            continue
        new = now.get(name, np.nan)
        lost = {"higher": old - new, "lower": new - old, "same": abs(new - old)}[better]
        if not lost <= SLACK * abs(old):
            yield f"{name} is {new:.9g} and was {old:.9g}, where {better} is better"


@one_fit_a_round
@pytest.mark.parametrize("size", SIZES)
def test_fit(benchmark: BenchmarkFixture, spcabench_method: Callable[[int, int, int, int], Any], size: str) -> None:
    """Fit a registered method to a standard problem; its name is the same wherever spcabench is installed."""
    benchmark.fullname = f"spcabench::{benchmark.name}"
    measure(benchmark, spcabench_method(*SIZES[size], COMPONENTS, K), samples(size))
