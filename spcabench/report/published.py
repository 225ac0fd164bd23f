"""Numbers from a paper beside ours: what each can show, what was measured for it, and the verdict."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from spcabench.analysis.verdicts import VERDICTS, Judgement, Number, Verdict, judge
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results
from spcabench.specs import MetricSpec
from spcabench.store.frame import Level
from spcabench.suite.claims import NumberKind, Published, PublishedRow
from spcabench.suite.columns import Column

CAN_FAIL: frozenset[NumberKind] = frozenset({"measured", "dense reference"})
"""The kinds of numbers that have a verdict."""

COMPUTED = re.compile(r"\b\w+\.py\s+\w+")
"""How a reason names the program and the computation that show it."""

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
    tells_apart : float
        Half the range of the numbers that the paper tells apart by it; a tolerance is no wider.
    verdict : str
        As of `spcabench.analysis.verdicts`, once it is `judged`; empty if the number cannot fail.
    why, p : str, float
        What the verdict is from, and the p-value among our draws.
    """

    block: Published
    row: PublishedRow
    column: Column
    kind: NumberKind
    dataset: str
    level: Level
    groups: tuple[Group, ...]
    less: tuple[Group, ...] = ()
    tells_apart: float = math.inf
    verdict: Verdict | Literal[""] = ""
    why: str = ""
    p: float = math.nan

    @property
    def published(self) -> float:
        """The published number."""
        return self.row.metrics[self.column.name]

    @property
    def method(self) -> str:
        """The label of the method, or of both if the number is a difference."""
        return self.row.method if self.row.minus is None else f"{self.row.method} minus {self.row.minus}"

    @cached_property
    def values(self) -> Mapping[tuple[Place, int], float]:
        """Ours by place and seed, of the cells that count: they finished, and no component missed its target.

        A difference is that on the same data.
        """
        values, others = self._values(self.groups), self._values(self.less)
        if self.row.minus is None:
            return values
        # A dense method has no level.
        on_same = {at: others.get(at, others.get(((at[0][0], Level()), at[1]))) for at in values}
        return {at: values[at] - other for at, other in on_same.items() if other is not None}

    def _values(self, groups: tuple[Group, ...]) -> dict[tuple[Place, int], float]:
        return {
            ((group.dataset, group.level if self.block.over == "mean" else Level()), seed): value
            for group in groups
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
    def number(self) -> Number:
        """The numbers alone, to be judged."""
        random = any(group.first("random_data") for group in self.groups) or len(set(self.draws)) > 1
        tolerance = min(self.block.tolerance * abs(self.published), self.tells_apart)
        ours = self.draws if random else self.draws[:1]
        limits = self.column.range if self.row.minus is None else (-math.inf, math.inf)
        half_unit = 0.0 if self.block.decimals is None else 0.5 * 10.0**-self.block.decimals
        return Number(self.published, ours, random, tolerance, half_unit, self.block.draws, limits)


def pairs(results: Results, block: Published) -> list[Pair]:
    """Join the rows of a block with what was measured, at every sparsity level the suite has."""
    found = []
    for row in block.rows:
        ours = _groups(results, block, row, row.method)
        others = [] if row.minus is None else _groups(results, block, row, row.minus)
        for column in map(results.column, row.metrics):
            for dataset, level, groups in _measured(ours, block):
                places = {(group.dataset, group.level) for group in groups}
                less = tuple(one for one in others if not one.level or (one.dataset, one.level) in places)
                kind = row.kind or block.kind or _kind(column, results.metrics.get(column.metric), groups)
                found.append(Pair(block, row, column, kind, dataset, level, groups, less))
    return found


def _kind(column: Column, metric: MetricSpec | None, groups: Sequence[Group]) -> NumberKind:
    """Return the kind of a number of which the suite does not say it.

    Seconds are times.  A number of nonzeros is by construction if the method sets its target directly, or is dense by
    nature.  Any other number of a method that is dense by nature is a dense reference.  All else is measured.
    """
    if column.unit == "s":
        return "time"
    dense = any(group.first("knob") == "none" for group in groups)
    direct = any(group.first("knob") == "cardinality" and group.level for group in groups)
    if metric is not None and metric.sparsity and (dense or direct):
        return "by construction"
    return "dense reference" if dense else "measured"


def _measured(groups: list[Group], block: Published) -> Iterator[tuple[str, Level, tuple[Group, ...]]]:
    """Return data set, sparsity level and what was measured there; or all that finished at once."""
    if not groups:
        yield block.dataset or "", Level(), ()
    elif block.over == "each":
        for group in groups:
            yield group.dataset, group.level, (group,)
    else:
        known = [group for group in groups if group.reached]
        label = f"mean over {len(known)}" + (f" of {len(groups)}" if len(known) < len(groups) else "")
        yield label, Level(), tuple(known or groups)


def _groups(results: Results, block: Published, row: PublishedRow, method: str) -> list[Group]:
    """Return the groups of a method that a row is about; a data set may be named with its stand-in or without."""
    target = tuple(row.n_nonzero) if isinstance(row.n_nonzero, list) else row.n_nonzero
    return [
        group
        for group in results.groups
        if group.method == method
        and (target is None or group.level == Level(target) or (method == row.minus and not group.level))
        and block.dataset in (None, group.dataset, group.first("suite_dataset"))
    ]


def judged_together(runs: Iterable[Results]) -> list[Pair]:
    """Return the published numbers of some runs, which are read together, with the verdicts on those that can fail.

    What is refuted or open is explained if its row has a reason that names the computation which shows it.
    """
    found = [pair for run in runs for block in run.suite.published for pair in pairs(run, block)]
    failing = [replace(pair, tells_apart=_half_range(pair, found)) for pair in found if pair.kind in CAN_FAIL]
    family = iter(zip(failing, judge([pair.number for pair in failing]), strict=True))
    return [_settled(*next(family)) if pair.kind in CAN_FAIL else pair for pair in found]


def _half_range(pair: Pair, found: Iterable[Pair]) -> float:
    """Return half the range of the measured numbers of a column; infinite if they are all the same."""
    rivals = (one for one in found if one.block is pair.block and one.column == pair.column)
    numbers = [one.published for one in rivals if one.kind == pair.kind == "measured"]
    return (max(numbers) - min(numbers)) / 2 or math.inf if numbers else math.inf


def _settled(pair: Pair, found: Judgement) -> Pair:
    planned = sum(group.planned for group in pair.groups)
    missed = f"the target was missed in {pair.n_missed} of {planned} draws" if pair.n_missed else found.why
    verdict, why = found.verdict, found.why if pair.draws else missed
    if verdict != "reproduced" and COMPUTED.search(pair.row.reason):
        verdict = "explained"
    return replace(pair, verdict=verdict, why=why, p=found.p)


@lru_cache(maxsize=1)
def judged_of(results: Results) -> Sequence[Pair]:
    """Return the published numbers of a run with their verdicts; a report asks for them several times."""
    return judged_together([results])


def matches(found: Sequence[Pair]) -> str:
    """Count the verdicts on the published numbers, those apart that cannot fail; empty if there are none."""
    verdicts = [one.verdict for one in found if one.verdict]
    beside = len(found) - len(verdicts)
    if not verdicts:
        return f"{beside} published numbers, none of which can fail." if beside else ""
    more = f"  {beside} more cannot fail." if beside else ""
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in verdicts)
    return f"Of {len(verdicts)} published numbers that can fail: {counts}.{more}"
