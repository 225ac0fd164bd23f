"""Note which draws of planted tables are answered wrongly: ``python tools/choosing_table.py [DRAWS] [NAME ...]``.

Beside the answer of `spcabench.explore`, with and without an outlying row of size 10, stand JointSPCA told how many
components and nonzeros, and scikit-learn's SparsePCA at the penalty that is best for each draw.  It writes
``reports/choosing.csv`` after each draw, and goes on with what that has: remove it to begin anew.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import SparsePCA
from snapshots import REPORTS, Row, made_here, read, write
from spcabench_methods import JointSPCA

import spcabench

Array = NDArray[np.float64]
CSV = REPORTS / "choosing.csv"
KINDS = ("answer", "with an outlying row", "told r and k", "scikit-learn at its best")
"""Of each the seeds are noted whose blocks are not exactly what is planted."""
ALPHAS = (4, 3, 5, 3.5, 4.5, 2.5, 6, 2, 8)
"""Penalties of SparsePCA, those first that find most: of draws from seed 1000 on no other found more."""
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

    @property
    def words(self) -> Row:
        """What the snapshot says of it."""
        strengths = [f"{size} ({strength:g})" for size, strength in zip(self.sizes, self.strengths, strict=True)]
        return {"size": f"{self.n} x {self.d}", "noise": self.noise, "blocks (strength)": ", ".join(strengths)}

    def draw(self, seed: int, outlier: float = 0.0) -> Array:
        """Draw the table, standardised."""
        X = self.raw(seed, outlier)
        return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))

    def raw(self, seed: int, outlier: float = 0.0) -> Array:
        """Draw the table; some cells of one row are moved by so many standard deviations."""
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
        return X


TABLES = {
    "two equal": Planted(200, 40, (6, 6), (1, 1)),
    "two near": Planted(200, 40, (6, 6), (1, 0.9)),
    "two unequal": Planted(150, 50, (8, 8), (1, 0.6)),
    "three equal": Planted(150, 15, (5, 5, 5), (1, 1, 1)),
    "three equal of 60": Planted(150, 60, (5, 5, 5), (1, 1, 1)),
    "sizes 12, 6, 3": Planted(200, 60, (12, 6, 3), (1, 1, 1.2)),
    "tall": Planted(500, 30, (5, 5), (1, 1)),
    "t3": Planted(200, 30, (5, 5, 5), (1, 1, 1), "t3"),
    "counts": Planted(200, 40, (6, 6), (1, 1), "counts"),
    "Likert": Planted(150, 15, (5, 5, 5), (1, 1, 1), "Likert"),
    "four equal": Planted(300, 100, (8, 8, 8, 8), (1, 1, 1, 1)),
    "wide": Planted(60, 500, (10, 10), (1.5, 1.5)),
    "nothing": Planted(150, 20, (), ()),
    "nothing, t3": Planted(80, 60, (), (), "t3"),
    "nothing, autocorrelated": Planted(150, 20, (), (), "autocorrelated"),
    "nothing, wide": Planted(60, 500, (), ()),
}


def blocks(components: Array) -> set[frozenset[int]]:
    """Return the variables of each component."""
    return {frozenset(np.flatnonzero(w).tolist()) for w in components}


def found(X: Array) -> set[frozenset[int]]:
    """Return the blocks of the answer."""
    return blocks(spcabench.explore(X).components.to_numpy().T)


def told(X: Array, table: Planted) -> set[frozenset[int]]:
    """Return the blocks of JointSPCA that is told the numbers of components and of nonzeros."""
    return blocks(JointSPCA(len(table.sizes), n_nonzero=list(table.sizes)).fit(X).components_)


def penalised(X: Array, table: Planted) -> set[frozenset[int]]:
    """Return the blocks of SparsePCA at the first penalty that finds what is planted, or at the last one."""
    for alpha in ALPHAS:
        known = blocks(SparsePCA(len(table.sizes), alpha=alpha, random_state=0).fit(X).components_)
        if known == table.blocks:
            break
    return known


def more(name: str, held: Row, draws: int) -> Iterator[Row]:
    """Yield the row of a table after each further draw."""
    table = TABLES[name]
    kinds = KINDS if table.sizes else KINDS[:2]
    missed = {kind: held.get(kind, "").split() for kind in kinds}
    spent = float(held.get("seconds", 0.0))
    for seed in range(int(held.get("draws", 0)), draws):
        X = table.draw(seed)
        began = time.process_time()
        answers = [found(X)]
        spent += time.process_time() - began
        answers.append(found(table.draw(seed, 10)))
        answers += [told(X, table), penalised(X, table)] if table.sizes else []
        for kind, answer in zip(kinds, answers, strict=True):
            missed[kind] += [] if answer == table.blocks else [str(seed)]
        yield {
            "table": name,
            **table.words,
            "draws": str(seed + 1),
            **{kind: " ".join(seeds) for kind, seeds in missed.items()},
            "seconds": f"{spent:.1f}",
        }


def main() -> None:
    """Go on with the draws of tables, and write the snapshot after each."""
    warnings.simplefilter("ignore")
    draws, names = int(sys.argv[1]) if len(sys.argv) > 1 else 50, sys.argv[2:]
    held = {row["table"]: row for row in read(CSV).rows} if CSV.exists() else {}
    for name in names or TABLES:
        for row in more(name, held.get(name, {}), draws):
            held[name] = row
            write(CSV, [held[known] for known in TABLES if known in held], [made_here()])


if __name__ == "__main__":
    main()
