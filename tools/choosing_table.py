"""Print how often the blocks of planted tables are found: ``python tools/choosing_table.py [DRAWS] [NAME ...]``.

Beside the answer of `spcabench.explore`, with and without an outlying row of size 10, stand JointSPCA told how many
components and nonzeros, and scikit-learn's SparsePCA at the penalty that is best for each draw.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import SparsePCA
from spcabench_methods import JointSPCA

import spcabench

Array = NDArray[np.float64]
ALPHAS = (0.5, 1, 1.5, 2, 3, 4)
CELLS = 9
"""Cells of the outlying row."""


class Planted(NamedTuple):
    """A table with blocks: rows, variables, sizes of blocks, their strengths, and the noise."""

    n: int
    d: int
    sizes: tuple[int, ...]
    strengths: tuple[float, ...]
    noise: str = "Gaussian"

    @property
    def blocks(self) -> set[frozenset[int]]:
        """The variables of each block."""
        ends = np.cumsum([0, *self.sizes])
        return {frozenset(range(a, b)) for a, b in itertools.pairwise(ends)}

    def draw(self, seed: int, outlier: float = 0.0) -> Array:
        """Draw the table, standardised; some cells of one row are moved by so many standard deviations."""
        rng = np.random.default_rng(seed)
        L = np.zeros((len(self.sizes), self.d))
        for j, block in enumerate(sorted(self.blocks, key=min)):
            L[j, sorted(block)] = self.strengths[j]
        X = rng.standard_normal((self.n, len(self.sizes))) @ L
        if self.noise == "counts":
            X = rng.poisson(np.exp(0.3 + 0.8 * X)).astype(float)
        elif self.noise == "t3":
            X = X + rng.standard_t(3, X.shape) / np.sqrt(3)
        else:
            X = X + rng.standard_normal(X.shape)
        if self.noise == "Likert":
            X = np.clip(np.rint(4 + 1.2 * X), 1, 7)
        elif self.noise == "autocorrelated":
            for t in range(1, self.n):
                X[t] += 0.7 * X[t - 1]
        if outlier:
            cells = rng.choice(self.d, min(CELLS, self.d), replace=False)
            X[rng.integers(self.n), cells] += outlier * X[:, cells].std(axis=0) * rng.choice([-1, 1], len(cells))
        return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))


TABLES = {
    "two equal": Planted(200, 40, (6, 6), (1, 1)),
    "two near": Planted(200, 40, (6, 6), (1, 0.9)),
    "two unequal": Planted(150, 50, (8, 8), (1, 0.6)),
    "three equal": Planted(150, 15, (5, 5, 5), (1, 1, 1)),
    "three equal of 60": Planted(150, 60, (5, 5, 5), (1, 1, 1)),
    "four equal": Planted(300, 100, (8, 8, 8, 8), (1, 1, 1, 1)),
    "sizes 12, 6, 3": Planted(200, 60, (12, 6, 3), (1, 1, 1.2)),
    "wide": Planted(60, 500, (10, 10), (1.5, 1.5)),
    "tall": Planted(500, 30, (5, 5), (1, 1)),
    "t3": Planted(200, 30, (5, 5, 5), (1, 1, 1), "t3"),
    "counts": Planted(200, 40, (6, 6), (1, 1), "counts"),
    "Likert": Planted(150, 15, (5, 5, 5), (1, 1, 1), "Likert"),
    "nothing": Planted(150, 20, (), ()),
    "nothing, t3": Planted(80, 60, (), (), "t3"),
    "nothing, autocorrelated": Planted(150, 20, (), (), "autocorrelated"),
}


def blocks(components: Array) -> set[frozenset[int]]:
    """Return the variables of each component."""
    return {frozenset(np.flatnonzero(w).tolist()) for w in components}


def found(X: Array) -> set[frozenset[int]]:
    """Return the blocks of the answer."""
    return blocks(spcabench.explore(X).components.to_numpy().T)


def shares(table: Planted, draws: int) -> tuple[list[str], float]:
    """Return the shares of draws in which all blocks are found exactly, and the mean seconds of CPU of an answer."""
    counts: Counter[str] = Counter()
    spent = 0.0
    for seed in range(draws):
        X = table.draw(seed)
        began = time.process_time()
        counts["answer"] += found(X) == table.blocks
        spent += time.process_time() - began
        counts["outlier"] += found(table.draw(seed, 10)) == table.blocks
        r = len(table.sizes)
        if r:
            told = JointSPCA(r, n_nonzero=list(table.sizes)).fit(X)
            counts["told"] += blocks(told.components_) == table.blocks
            fits = (SparsePCA(r, alpha=alpha, random_state=0).fit(X).components_ for alpha in ALPHAS)
            counts["scikit-learn"] += any(blocks(one) == table.blocks for one in fits)
    names = ("answer", "outlier", *(("told", "scikit-learn") if table.sizes else ()))
    return [f"{counts[name] / draws:.2f}" for name in names], spent / draws


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    draws, names = int(sys.argv[1]) if len(sys.argv) > 1 else 50, sys.argv[2:]
    print("| table | answer | with an outlying row | told r and k | scikit-learn at its best | seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names or TABLES:
        values, seconds = shares(TABLES[name], draws)
        row = [name, *values, *[""] * (4 - len(values)), f"{seconds:.2f}"]
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
