"""Numbers from a paper beside ours, and the verdict on each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from spcabench.analysis.verdicts import VERDICTS, Judgement, Number, Verdict, judge
from spcabench.report.groups import Group, Spread
from spcabench.report.kinds import kind_of
from spcabench.report.model import Results
from spcabench.store.frame import Level
from spcabench.suite.columns import Column
from spcabench.suite.published import NumberKind, Published, PublishedRow

Place = tuple[str, Level]
"""A data set; where ours are a mean, also a level of it."""


@dataclass(frozen=True)
class Pair:
    """A published number and what was measured for it.

    Parameters
    ----------
    block, row : Published, PublishedRow
        Where the suite has it.
    column : Column
        Of which metric it is.
    kind : str
        What it can show.
    dataset : str
        The data set that ours are from, or that ours are a mean over several.
    level : Level
        The target.
    groups : tuple of Group
        What was measured; several if ours are a mean over data sets, none if the run does not have it.
    less : tuple of Group
        What another method has there, if the number is a difference from it.
    """

    block: Published
    row: PublishedRow
    column: Column
    kind: NumberKind
    dataset: str
    level: Level
    groups: tuple[Group, ...]
    less: tuple[Group, ...] = ()

    @property
    def published(self) -> float:
        """The published number."""
        return self.row.metrics[self.column.name]

    @property
    def method(self) -> str:
        """The label of the method, or of both if the number is a difference."""
        return self.row.method if self.row.minus is None else f"{self.row.method} minus {self.row.minus}"

    @property
    def placed(self) -> Iterator[tuple[Place, Group]]:
        """The groups, each with what tells it apart from the others."""
        return self._placed(self.groups)

    def _placed(self, groups: tuple[Group, ...]) -> Iterator[tuple[Place, Group]]:
        for group in groups:
            yield (group.dataset, group.level if self.block.over == "mean" else Level()), group

    @cached_property
    def values(self) -> Mapping[tuple[Place, int], float]:
        """Ours by place and seed, of the cells that count: they finished, and no component missed its target.

        A difference is that on the same data.
        """
        values = self._values(self.groups)
        if self.row.minus is None:
            return values
        others = self._values(self.less)
        return {where: value - others[where] for where, value in values.items() if where in others}

    def _values(self, groups: tuple[Group, ...]) -> dict[tuple[Place, int], float]:
        return {
            (place, seed): value
            for place, group in self._placed(groups)
            for seed, value in group.value_of(self.column).items()
            if not math.isnan(value)
        }

    @cached_property
    def draws(self) -> tuple[float, ...]:
        """Ours by seed: the mean over the places, of the seeds that have a value wherever there is any."""
        by_seed: dict[int, list[float]] = defaultdict(list)
        for (_, seed), value in self.values.items():
            by_seed[seed].append(value)
        wanted = len({place for place, _ in self.values})
        return tuple(sum(values) / len(values) for values in by_seed.values() if len(values) == wanted)

    @property
    def measured(self) -> Spread:
        """Mean and standard deviation of ours."""
        return Spread.of(self.draws)

    @property
    def planned(self) -> int:
        """The number of seeds that were planned."""
        return max((group.planned for group in self.groups), default=0)

    @property
    def n_missed(self) -> int:
        """The number of cells that finished, but missed their target."""
        return sum(group.n_missed for group in self.groups)

    @property
    def difference(self) -> float:
        """How much more was measured than published."""
        return self.measured.mean - self.published

    @property
    def percent(self) -> float:
        """The difference as a percentage of what was published."""
        return 100 * self.difference / abs(self.published) if self.published else math.nan

    @property
    def half_unit(self) -> float:
        """Half a unit of the last decimal that the paper prints."""
        return 0.0 if self.block.decimals is None else 0.5 * 10.0**-self.block.decimals

    @property
    def number(self) -> Number:
        """The numbers alone, to be judged."""
        random = any(group.random_data for group in self.groups) or len(set(self.draws)) > 1
        tolerance = self.block.tolerance * abs(self.published)
        ours = self.draws if random else self.draws[:1]
        limits = self.column.range if self.row.minus is None else (-math.inf, math.inf)
        return Number(self.published, ours, random, tolerance, self.half_unit, self.block.draws, limits)


def pairs(results: Results, block: Published) -> list[Pair]:
    """Join the rows of a block with what was measured, at every sparsity level the suite has."""
    return [
        Pair(
            block,
            row,
            column,
            kind_of(block, row, column, _counts(results, column), groups),
            dataset,
            level,
            groups,
            _beside(results, block, row, groups),
        )
        for row in block.rows
        for measured in [list(_measured(_groups(results, block, row, row.method), block))]
        for column in map(results.column, row.metrics)
        for dataset, level, groups in measured
    ]


def _beside(results: Results, block: Published, row: PublishedRow, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Return the groups of the method to be subtracted, on the same data and at the same levels."""
    if row.minus is None:
        return ()
    places = {(group.dataset, group.level) for group in groups}
    others = _groups(results, block, row, row.minus)
    return tuple(group for group in others if (group.dataset, group.level) in places)


def _counts(results: Results, column: Column) -> bool:
    """Return whether a column counts nonzeros."""
    return column.metric in results.metrics and results.metrics[column.metric].sparsity


def _measured(groups: list[Group], block: Published) -> Iterator[tuple[str, Level, tuple[Group, ...]]]:
    """Return data set, sparsity level and what was measured there; or all that finished at once."""
    if not groups:
        yield block.dataset or "", Level(), ()
    elif block.over == "each":
        for group in groups:
            yield group.dataset, group.level, (group,)
    else:
        known = [group for group in groups if group.counted]
        label = f"mean over {len(known)}" + (f" of {len(groups)}" if len(known) < len(groups) else "")
        yield label, Level(), tuple(known or groups)


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


@dataclass(frozen=True)
class Judged:
    """A published number, what was measured for it, and the verdict."""

    pair: Pair
    verdict: Verdict
    p: float


def judged(found: Iterable[Pair]) -> list[Judged]:
    """Return the verdicts on numbers that are read together; those of one kind are one family of tests.

    Of a time only the order counts; a number of another method is set beside ours.
    """
    found = list(found)
    judgements: dict[int, Judgement] = {}
    for kind in {pair.kind for pair in found}:
        family = [(at, pair) for at, pair in enumerate(found) if pair.kind == kind]
        alone = judge([pair.number for _, pair in family])
        judgements |= {at: judgement for (at, _), judgement in zip(family, alone, strict=True)}
    return [_settled(pair, judgements[at]) for at, pair in enumerate(found)]


def _settled(pair: Pair, judgement: Judgement) -> Judged:
    """Say why nothing was measured; of a time, or of another method, say that it is no miss if ours differs."""
    if not pair.draws:
        return Judged(pair, "target missed" if pair.n_missed else "not measured", math.nan)
    if pair.kind == "time":
        return Judged(pair, "order only", math.nan)
    if pair.kind == "another method":
        return Judged(pair, "set beside", math.nan)
    return Judged(pair, judgement.verdict, judgement.p)


@lru_cache(maxsize=1)
def judged_of(results: Results) -> Sequence[Judged]:
    """Return the verdicts on the published numbers of a run; a report asks for them several times."""
    return judged(pair for block in results.suite.published for pair in pairs(results, block))


def verdict_counts(found: Sequence[Judged]) -> str:
    """Count the verdicts, from agreement to none."""
    verdicts = [one.verdict for one in found]
    return ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in verdicts)


def matches(found: Sequence[Judged]) -> str:
    """Count how many of the published numbers are reached, those apart that cannot fail; empty if there are none."""
    failing = [one for one in found if one.pair.kind == "measured"]
    beside = len(found) - len(failing)
    if not failing:
        return f"{beside} published numbers, none of which can fail." if beside else ""
    more = f"  {beside} more cannot fail." if beside else ""
    return f"Of {len(failing)} published numbers that can fail: {verdict_counts(failing)}.{more}"
