"""Numbers from a paper beside ours, and whether the two rank the methods alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results
from spcabench.store.frame import Level
from spcabench.suite.columns import Column
from spcabench.suite.models import Published, PublishedRow

Measured = tuple[str, Level, Spread]
"""A data set, a sparsity level, and what was measured there."""

VERDICTS = ("matches", "within the spread", "differs", "not measured")


@dataclass(frozen=True)
class Pair:
    """A published number and what was measured for it."""

    source: str
    dataset: str
    level: Level
    method: str
    column: Column
    published: float
    measured: Spread
    tolerance: float
    reason: str

    @property
    def metric(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def verdict(self) -> str:
        """Whether the two match: within the tolerance, or else within two standard deviations over the seeds."""
        if math.isnan(self.measured.mean):
            return "not measured"
        if abs(self.difference) <= self.tolerance * abs(self.published) + 1e-12:
            return "matches"
        within = self.measured.n > 1 and abs(self.difference) <= 2 * self.measured.sd
        return "within the spread" if within else "differs"

    @property
    def difference(self) -> float:
        """How much more was measured than published."""
        return self.measured.mean - self.published

    @property
    def percent(self) -> float:
        """The difference as a percentage of what was published."""
        return 100 * self.difference / abs(self.published) if self.published else math.nan


def pairs(results: Results, block: Published) -> list[Pair]:
    """Join the rows of a block with what was measured, at every sparsity level the suite has."""
    return [
        Pair(block.source, dataset, level, _label(row), column, value, spread, block.tolerance, row.reason)
        for row in block.rows
        for name, value in row.metrics.items()
        for column in [results.column(name)]
        for dataset, level, spread in _measured(_spreads(results, block, row, column), block.over)
    ]


def _label(row: PublishedRow) -> str:
    return row.method if row.minus is None else f"{row.method} minus {row.minus}"


def _spreads(results: Results, block: Published, row: PublishedRow, column: Column) -> list[Measured]:
    """Return what was measured, data set by data set and level by level; or the differences from another method."""
    groups = _groups(results, block, row, row.method)
    if row.minus is None:
        return [(group.dataset, group.level, group.spread(column)) for group in groups]
    others = {(group.dataset, group.level): group for group in _groups(results, block, row, row.minus)}
    return [
        (group.dataset, group.level, _difference(group, other, column))
        for group in groups
        if (other := others.get((group.dataset, group.level)))
    ]


def _difference(group: Group, other: Group, column: Column) -> Spread:
    """Subtract seed by seed, hence on the same data."""
    values, others = (dict(zip(of.finished["seed"], of.finished[column.name], strict=True)) for of in (group, other))
    return Spread.of(value - others[seed] for seed, value in values.items() if seed in others)


def _measured(found: list[Measured], over: str) -> Iterator[Measured]:
    """Return what was measured as it is, or the mean over all that finished, no spread."""
    if over == "each":
        yield from found
    elif found:
        known = [spread for _, _, spread in found if spread.n]
        mean = Spread.of(spread.mean for spread in known).mean
        label = f"mean over {len(known)}" + (f" of {len(found)}" if len(known) < len(found) else "")
        yield label, Level(), Spread(mean, math.nan, min((spread.n for spread in known), default=0))


def _groups(results: Results, block: Published, row: PublishedRow, method: str) -> list[Group]:
    """Return the groups of a method that a row is about; a data set may be named with its stand-in or without."""
    target = tuple(row.n_nonzero) if isinstance(row.n_nonzero, list) else row.n_nonzero
    return [
        group
        for group in results.groups
        if group.method == method
        and (target is None or group.level == Level(target))
        and block.dataset in (None, group.dataset, group.suite_dataset)
    ]


def verdict_counts(found: Sequence[Pair]) -> str:
    """Count the verdicts, those of the first rank first."""
    verdicts = [pair.verdict for pair in found]
    return ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in verdicts)


def matches(results: Results) -> str:
    """Count how many of the published numbers are reached; empty if there are none."""
    found = [pair for block in results.suite.published for pair in pairs(results, block)]
    return f"Of {len(found)} published numbers: {verdict_counts(found)}." if found else ""


@dataclass(frozen=True)
class Order:
    """How one metric ranks the methods, published and measured; only methods with both numbers."""

    column: Column
    pairs: list[Pair]

    @property
    def level(self) -> Level:
        """The target of the sparse methods."""
        return next((pair.level for pair in self.pairs if pair.level), Level())

    @property
    def published(self) -> list[str]:
        """The methods, best published number first."""
        return [pair.method for pair in sorted(self.pairs, key=lambda p: self._badness(p.published))]

    @property
    def measured(self) -> list[str]:
        """The methods, best measured number first."""
        return [pair.method for pair in sorted(self.pairs, key=lambda p: self._badness(p.measured.mean))]

    @property
    def ranked(self) -> list[tuple[Pair, Pair]]:
        """The pairs of methods that the published numbers rank, the better one first."""
        ordered = sorted(self.pairs, key=lambda p: self._badness(p.published))
        return [(a, b) for a, b in combinations(ordered, 2) if a.published != b.published]

    @property
    def disagreeing(self) -> list[tuple[Pair, Pair]]:
        """The pairs that were measured the other way round, or equal."""
        return [(a, b) for a, b in self.ranked if self._badness(a.measured.mean) >= self._badness(b.measured.mean)]

    def _badness(self, value: float) -> float:
        return -value if self.column.better == "higher" else value


def orders(results: Results, blocks: Sequence[Published]) -> Iterator[Order]:
    """Return the orders that can be compared: by block, data set, sparsity and metric.

    A method without a sparsity target, such as dense PCA, takes part at every level.  Differences of two methods have
    no part in it.
    """
    for block in blocks:
        alone = block.model_copy(update={"rows": [row for row in block.rows if row.minus is None]})
        known = [pair for pair in pairs(results, alone) if not math.isnan(pair.measured.mean)]
        for dataset in dict.fromkeys(pair.dataset for pair in known):
            here = [pair for pair in known if pair.dataset == dataset]
            levels = list(dict.fromkeys(pair.level for pair in here if pair.level)) or [Level()]
            for level in levels:
                for column in dict.fromkeys(pair.column for pair in here):
                    rivals = [p for p in here if p.column == column and p.level in (Level(), level)]
                    if len(rivals) > 1:
                        yield Order(column, rivals)


def within_spread(a: Pair, b: Pair) -> bool:
    """Return whether two measured numbers are closer than their standard deviations, taken together."""
    spread = math.hypot(*(0.0 if math.isnan(pair.measured.sd) else pair.measured.sd for pair in (a, b)))
    return abs(a.measured.mean - b.measured.mean) <= spread
