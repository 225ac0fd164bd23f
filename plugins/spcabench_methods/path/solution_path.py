"""The solution path of one component: every iterate, kept as the steps that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import check_whole
from spcabench_methods.core.path_table import PathArrays, path_table, rows_to_keep
from spcabench_methods.core.signs import positive_peak
from spcabench_methods.path.pair_steps import replay

if TYPE_CHECKING:
    import altair

PLOTTED_STEPS = 200
"""The most iterates that a figure shows."""


@dataclass(frozen=True, eq=False)
class SolutionPath:
    """Loadings from dense to sparse.

    The iterates w of step 0, 1, ... all have ``||w||_1 = c``.  Divided by their length they are (approximate)
    solutions of: maximise w'Sw subject to ||w|| <= 1 and ||w||_1 <= c / ||w||.  They are not stored: each is computed
    from the steps on demand, in time O(steps + n_features).

    Parameters
    ----------
    start : ndarray of shape (n_features,)
        The unit vector where the path starts, by default the leading eigenvector.
    pairs : ndarray of int, shape (n_steps, 2)
        The entry that each step grows, and the entry that it shrinks.
    lengths : ndarray of shape (n_steps,)
        By how much, in magnitude.
    s : ndarray of shape (n_steps + 1,)
        w'w of the iterates.
    V : ndarray of shape (n_steps + 1,)
        w'Sw of the iterates, with the deflated S.
    nnz : ndarray of int, shape (n_steps + 1,)
        Their cardinalities.
    """

    start: Array
    pairs: NDArray[np.int64]
    lengths: Array
    s: Array
    V: Array
    nnz: NDArray[np.int64]

    @property
    def n_steps(self) -> int:
        """How many steps the path has."""
        return len(self.lengths)

    @property
    def c(self) -> float:
        """The l1 norm of all iterates."""
        return float(np.abs(self.start).sum())

    @property
    def l1(self) -> Array:
        """The l1 norms of the loadings, that is of the iterates divided by their length."""
        return np.asarray(self.c / np.sqrt(self.s))

    @property
    def variance(self) -> Array:
        """The variances w'Sw of the loadings."""
        return self.V / self.s

    def iterate(self, t: int) -> Array:
        """Return w after t steps, as it is."""
        check_whole("t", t, 0, self.n_steps)
        return np.asarray(replay(self.start, self.pairs[:t], self.lengths[:t]))

    def at_step(self, t: int) -> Array:
        """Return the loading after t steps, a unit vector."""
        w = self.iterate(t)
        return positive_peak(w / np.linalg.norm(w))

    def at_cardinality(self, k: int) -> Array:
        """Return the first loading with k nonzeros, which has the largest variance among those; not refitted.

        If the path starts with fewer nonzeros, return its first loading.
        """
        return self.at_step(self.first_step(k))

    def at_l1(self, t: float) -> Array:
        """Return the first loading with an l1 norm of at most t."""
        within = np.flatnonzero(self.l1 <= t * (1.0 + 1e-12))
        if not within.size:
            raise ValueError(f"the l1 bound is {t:g}; valid on this path is a number from {self.l1[-1]:g}")
        return self.at_step(int(within[0]))

    def first_step(self, k: int) -> int:
        """Return the first step with at most k nonzeros; each step drops at most one."""
        check_whole("k", k, int(self.nnz[-1]))
        return int(np.argmax(self.nnz <= k))

    def table(self, n_points: int = 200, n_features: int = 40) -> PathArrays:
        """Return some iterates as arrays, from dense to sparse, as a record keeps them.

        Parameters
        ----------
        n_points : int, default=200
            The most iterates; the first of each of the last cardinalities are among them.
        n_features : int, default=40
            The most features; the table keeps those that stay longest.

        Returns
        -------
        dict of str to ndarray
            See `path_table`; ``variance`` is that of the iterates, w'Sw.
        """
        steps = rows_to_keep(self.nnz, np.log(self.s), n_points)
        return path_table(steps, np.array([self.iterate(t) for t in steps]), self.V[steps], n_features)

    def plot(self, feature_names: Sequence[str] | None = None, n_features: int = 20) -> altair.Chart:
        """Draw the loadings along the path, against their l1 norm.

        Parameters
        ----------
        feature_names : sequence of str, optional
            Names of all features; by default their numbers.
        n_features : int, default=20
            How many features to draw: those that stay longest.

        Returns
        -------
        altair.Chart
            Interactive: click on a name in the legend to highlight its feature.

        Raises
        ------
        ImportError
            If altair is not installed.
        """
        try:
            import altair
        except ImportError:
            raise ImportError("a drawn path takes altair: pip install 'spcabench[report]'") from None

        d = len(self.start)
        if feature_names is not None and np.size(feature_names) != d:
            raise ValueError(f"feature_names has {np.size(feature_names)} names; valid is one for each of {d} features")
        names = list(map(str, range(d)) if feature_names is None else feature_names)
        table = self.table(PLOTTED_STEPS, n_features)
        length = np.sqrt(table["l2_squared"])
        kept = [names[i] for i in table["features"]]
        rows = [
            {"feature": name, "l1 norm": float(l1), "loading": float(entry), "nonzeros": int(nonzeros)}
            for l1, nonzeros, loading in zip(
                table["l1"] / length, table["cardinality"], table["loadings"] / length[:, None], strict=True
            )
            for name, entry in zip(kept, loading, strict=True)
        ]
        picked = altair.selection_point(fields=["feature"], bind="legend")
        chart: altair.Chart = (
            altair.Chart({"values": rows})
            .mark_line()
            .encode(
                x=altair.X("l1 norm:Q", scale=altair.Scale(reverse=True, zero=False)),
                y="loading:Q",
                color=altair.Color("feature:N", sort=kept),
                opacity=altair.condition(picked, altair.value(1.0), altair.value(0.1)),
                tooltip=["feature:N", "loading:Q", "l1 norm:Q", "nonzeros:Q"],
            )
            .add_params(picked)
        )
        return chart
