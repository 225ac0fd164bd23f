"""Fits of problems drawn at random, against a few lines of NumPy with the same steps, and what defaults cost.

``pytest tests/perf/test_random_problems.py -s`` prints medians and 5 % quantiles, and the slowest problems.
``SPCABENCH_DRAW=seed,number`` chooses another draw.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from random_problems import Problem, gpower, problems, spcart, tpower
from spcabench_methods import GPower, SPCArt, TPower

SEED, NUMBER = map(int, os.environ.get("SPCABENCH_DRAW", "0,100").split(","))
LEAST, QUANTILE = 1.3, 0.9
"""The least median of NumPy's time over ours, and its least 5 % quantile."""
TYPICAL, MOST, NOISE = 2.0, 3.0, 3e-4
"""The largest median of the time of a default fit over the published one, the most for any beyond so many seconds."""

PAIRS: dict[str, tuple[Callable[[Problem], Any], Callable[[Problem], Any]]] = {
    "tpower": (lambda p: TPower(p.r, p.k, init="published").fit(p.X), tpower),
    "gpower_l0": (
        lambda p: GPower(p.r, penalty="l0", rho=p.rho, init="published", refit=False).fit(p.X),
        lambda p: gpower(p, 0.0),
    ),
    "gpower_l1": (
        lambda p: GPower(p.r, penalty="l1", rho=p.rho, init="published", refit=False).fit(p.X),
        lambda p: gpower(p, 1.0),
    ),
    "spcart_sp": (lambda p: SPCArt(p.r, n_nonzero=p.k, truncation="sp").fit(p.X), spcart),
}
DEFAULTS: dict[str, tuple[Callable[[Problem], Any], Callable[[Problem], Any]]] = {
    "tpower": (lambda p: TPower(p.r, p.k).fit(p.X), PAIRS["tpower"][0]),
    **{
        f"gpower_{penalty}": (
            lambda p, penalty=penalty: GPower(p.r, p.k, penalty=penalty).fit(p.X),  # type: ignore[misc]
            lambda p, penalty=penalty: GPower(p.r, p.k, penalty=penalty, init="published").fit(p.X),  # type: ignore[misc]
        )
        for penalty in ("l0", "l1")
    },
}


def seconds(call: Callable[[], Any]) -> float:
    """Return the CPU time of a call."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


def times(pair: tuple[Callable[[Problem], Any], Callable[[Problem], Any]], problem: Problem) -> tuple[float, float]:
    """Return the CPU time of both, in turns, the least of several."""
    for fit in pair:
        fit(problem)
    first = seconds(lambda: pair[0](problem))
    rounds = 9 if first < 0.01 else 5 if first < 0.1 else 2
    found = np.array([[seconds(lambda fit=fit: fit(problem)) for fit in pair] for _ in range(rounds)])  # type: ignore[misc]
    ours, other = found.min(axis=0)
    return float(ours), float(other)


def listed(ratios: dict[str, float]) -> str:
    """Return the median, the quantiles, and the ends of some ratios."""
    values = np.array(list(ratios.values()))
    ends = sorted(ratios, key=lambda name: ratios[name])
    shown = ", ".join(f"{name}: {ratios[name]:.2f}" for name in (*ends[:4], *ends[-4:]))
    low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
    return f"median {middle:.2f}, 5 % {low:.2f}, 95 % {high:.2f}; {shown}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PAIRS)
def test_against_numpy(name: str) -> None:
    ratios = {}
    for problem in problems(SEED, NUMBER):
        ours, numpy = times(PAIRS[name], problem)
        ratios[problem.name] = numpy / ours
    print(f"\n{name} from the published start, NumPy's time over ours: {listed(ratios)}")
    assert np.median(list(ratios.values())) >= LEAST
    assert np.quantile(list(ratios.values()), 0.05) >= QUANTILE


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DEFAULTS)
def test_the_price_of_defaults(name: str) -> None:
    ratios, beyond = {}, {}
    for problem in problems(SEED, NUMBER):
        default, published = times(DEFAULTS[name], problem)
        ratios[problem.name] = default / published
        beyond[problem.name] = (default - NOISE) / published
    print(f"\n{name}, a default fit's time over a published one's: {listed(ratios)}")
    assert np.median(list(ratios.values())) <= TYPICAL
    assert max(beyond.values()) <= MOST
