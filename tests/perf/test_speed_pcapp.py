"""SPCAGrid against its original, sPCAgrid of the R package pcaPP, at equal penalties and with the same scale."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from claims import PCAPP
from clocks import conclude, cpu, seconds
from numpy.typing import NDArray
from spcabench_datasets import spiked
from spcabench_methods import SPCAGrid
from spcabench_methods.robust.complement import TINY
from spcabench_methods.robust.scales import SCALES, scale_of

SIZES = ("100 x 10", "200 x 30", "62 x 200", "500 x 100", "62 x 500")
CASES = [(size, scale) for size in SIZES for scale in SCALES if scale != "qn" or size in SIZES[:3]]
"""With Qn only sizes of which pcaPP fits one in at most two seconds."""
N_COMPONENTS = 2
LAM = 0.5
LEAST = 0.1
"""Seconds that a turn takes at least, unless a fit takes as long; the clock of R has steps of a millisecond."""
TURNS = 5
SCRIPT = Path(__file__).with_name("pcapp.R")


def program() -> str:
    """Return the program of R; skip the test where it or the package is not here."""
    found = shutil.which("Rscript")
    if found is None:
        pytest.skip("needs Rscript, which is not on the path")
    if subprocess.run([found, "-e", "library(pcaPP)"], capture_output=True, check=False).returncode:
        pytest.skip("needs the R package pcaPP: Rscript -e 'install.packages(\"pcaPP\")'")
    return found


def samples(size: str) -> NDArray[np.float64]:
    """Draw samples with two sparse spikes."""
    n, d = map(int, size.split(" x "))
    spikes = np.array([40.0, 20.0]) * max(1.0, d / n / 20.0)
    return np.asarray(spiked.load_spiked(np.random.default_rng(0), n, d, spikes, min(6, d // 2), 1.0, 0).X)


@contextmanager
def started(folder: Path, X: NDArray[np.float64], scale: str) -> Iterator[subprocess.Popen[str]]:
    """Start R with the samples; at the end wait for its loadings."""
    np.savetxt(folder / "X.csv", X, delimiter=",", fmt="%.17g")
    words = [SCRIPT, folder / "X.csv", folder / "loadings.csv", N_COMPONENTS, LAM, scale]
    pipe = subprocess.PIPE
    with subprocess.Popen([program(), *map(str, words)], stdin=pipe, stdout=pipe, text=True) as process:
        yield process


def in_r(process: subprocess.Popen[str], n: int) -> float:
    """Return the CPU seconds of one of n fits in R."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{n}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def objective(method: SPCAGrid, X: NDArray[np.float64], W: NDArray[np.float64]) -> float:
    """Sum the squared scales of the scores of loadings, less their penalties, as our scales are defined."""
    Y, kind = X - method.mean_, SCALES[method.scale]
    mean_square = np.mean([scale_of(y.copy(), kind) ** 2 for y in Y.T])
    return float(sum(scale_of(Y @ w, kind) ** 2 - LAM * mean_square * np.abs(w).sum() for w in W))


@cpu
@pytest.mark.parametrize(("size", "scale"), CASES)
def test_fit(benchmark, tmp_path, size, scale):
    X = samples(size)
    method = SPCAGrid(N_COMPONENTS, scale=scale, lam=LAM).fit(X)
    with started(tmp_path, X, scale) as process:
        many = int(LEAST / seconds(lambda: method.fit(X), 2)) + 1, int(LEAST / max(1e-3, in_r(process, 1))) + 1
        times = [
            (seconds(lambda: [method.fit(X) for _ in range(many[0])]) / many[0], in_r(process, many[1]))
            for _ in range(TURNS)
        ]
    ours, theirs = np.min(times, axis=0)
    benchmark.pedantic(method.fit, args=(X,), rounds=1)
    W = np.loadtxt(tmp_path / "loadings.csv", delimiter=",", ndmin=2)
    reached, other = (objective(method, X, loadings) for loadings in (method.components_, W))
    assert reached >= (1.0 - 1e-6) * other
    conclude(
        benchmark,
        PCAPP,
        theirs / ours,
        size=size,
        scale=scale,
        nonzeros=int(method.n_nonzero_.sum()),
        objective=reached,
        **{
            "nonzeros of pcaPP": int(np.count_nonzero(np.abs(W) > TINY)),
            "objective of pcaPP": other,
            "ms": 1e3 * ours,
            "ms of pcaPP": 1e3 * theirs,
        },
    )
