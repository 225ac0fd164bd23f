"""The dominating kernel of each family against what memory and arithmetic allow, measured in the same run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from claims import BOUND
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.blocks import products
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.greedy.pathspca import forward
from spcabench_methods.path.cop import pairwise_path
from spcabench_methods.penalised.elastic_net import _sweep
from spcabench_methods.robust.signed_sum import Rows, SignedSum
from spcabench_methods.robust.turns import round_rows
from spcabench_methods.rotation.spcart import aligned
from spcabench_methods.truncations.hard import hard

D, R, TURNS, SWEEPS, STEPS, CANDIDATES, FEATURES = 2000, 20, 20, 5, 2000, 10, 50
ORDER = 1024


class Kernel(NamedTuple):
    """A kernel and the least that it has to read and to compute.

    Parameters
    ----------
    run : callable
    reads : mapping of int to int
        The bytes that it has to read, as often as it has to, from an array of so many bytes, which decide whether
        caches have it.
    operations : int
        Of floating point.
    """

    run: Callable[[], object]
    reads: Mapping[int, int]
    operations: int


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape)


@cache
def second_moments() -> Gram:
    X = normal(2 * D, D)
    return Gram(X.T @ X / len(X))


@cache
def wide() -> Data:
    return Data(normal(500, 4 * D))


def power() -> Kernel:
    S, w = second_moments(), normal(D)
    return Kernel(lambda: S.matvec(w), {S.S.nbytes: S.S.nbytes}, 2 * D * D)


def power_on_samples() -> Kernel:
    data, w = wide(), normal(4 * D)
    return Kernel(lambda: data.matvec(w), {data.X.nbytes: 2 * data.X.nbytes}, 4 * data.X.size)


def block() -> Kernel:
    S, W = second_moments(), normal(D, R)
    return Kernel(lambda: products(S, W), {S.S.nbytes: S.S.nbytes}, 2 * D * D * R)


def rotation() -> Kernel:
    V = np.ascontiguousarray(np.linalg.qr(normal(10 * D, R))[0].T)
    levels = np.full(R, len(V[0]) ** -0.5)
    read = 3 * V.nbytes * TURNS  # V and the last W, and W is written
    return Kernel(lambda: aligned(V, hard, levels, -1.0, TURNS), {3 * V.nbytes: read}, 4 * R * V.size * TURNS)


def path() -> Kernel:
    data = Data(normal(D, 500))
    dense = unit(normal(500))
    rows = 8 * D * (2 * CANDIDATES + 2)  # those of a step, most of which the last step had too
    return Kernel(
        lambda: pairwise_path(data, dense, 1, STEPS, CANDIDATES, False), {rows: STEPS * rows}, STEPS * rows // 4
    )


def greedy() -> Kernel:
    data = wide()
    read = FEATURES * data.X.nbytes
    return Kernel(lambda: list(forward(data, 0, FEATURES, False)), {data.X.nbytes: read}, read // 4)


def penalised() -> Kernel:
    S, g = second_moments().S + np.eye(D), normal(D)
    read = SWEEPS * S.nbytes
    return Kernel(lambda: _sweep(S, g, 1e-9, np.zeros(D), 0.0, SWEEPS), {S.nbytes: read}, read // 4)


def robust() -> Kernel:
    """Turn samples: all are read with 8 bits an entry, and in double precision those that a turn can have turned.

    These are the samples nearer to the hyperplane than what 8 bits lose of their products with the last step, and those
    that changed sides, which the sum needs.  The lengths of steps prove the sides of some samples, which are then not
    read at all: this bound is that of turns which do not know that.
    """
    X = normal(8000, 784)
    w, step = normal(784), normal(784)[::-1]
    directions = [unit(w + 0.5**t * step) for t in range(TURNS)]
    mean = X.mean(axis=0)
    samples = SignedSum(Rows(X, mean), 1)
    lost = round_rows(X, mean, np.zeros((1, 784), dtype=np.int8))[2]
    W = np.array([directions[-1], *directions])
    products, lengths = (X - mean) @ W.T, np.linalg.norm(np.diff(W, axis=0), axis=1)
    near = np.abs(products[:, 1:]) <= np.outer(lost, lengths)
    changed = (products[:, 1:] >= 0.0) != (products[:, :-1] >= 0.0)
    read = {X.size: TURNS * X.size, X.nbytes: np.count_nonzero(near | changed) * X[0].nbytes}
    return Kernel(lambda: [samples.turn(w) for w in directions], read, 0)


KERNELS = {
    "power: product with S": power,
    "power: product with samples": power_on_samples,
    "block: product with S": block,
    "rotation: alternation of SPCArt": rotation,
    "path: steps of COP-PCA": path,
    "greedy: features of PathSPCA": greedy,
    "penalised: sweeps of coordinate descent": penalised,
    "robust: turns of RSPCA": robust,
}


def seconds_of_reading(held: int) -> float:
    """Return the CPU time that an array of so many bytes takes to be read, again and again."""
    v = np.ones(held // 8)
    return seconds(lambda: v @ v, 10)


@cpu
@pytest.mark.parametrize("name", KERNELS)
def test_kernel(benchmark, name):
    kernel = KERNELS[name]()
    kernel.run()
    benchmark.pedantic(kernel.run, rounds=10)
    reading = sum(seconds_of_reading(held) * read / held for held, read in kernel.reads.items())
    A = normal(ORDER, ORDER)
    computing = seconds(lambda: A @ A, 5) * kernel.operations / (2 * ORDER**3)
    bound = max(reading, computing)
    ours = benchmark.stats.stats.min
    limit = "memory" if reading >= computing else "arithmetic"
    conclude(benchmark, BOUND, ours / bound, kernel=name, limit=limit, ms=1e3 * ours, **{"bound ms": 1e3 * bound})
