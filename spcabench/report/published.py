"""Numbers from a paper beside ours, and whether the two rank the methods alike."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from spcabench.report.groups import Group, Spread
from spcabench.report.numerals import NOTHING, measured, number
from spcabench.report.results import Results
from spcabench.report.tables import Table, frame_of
from spcabench.suite.models import Published, PublishedRow

VERDICTS = ("matches", "within the spread", "differs", "not measured")


@dataclass(frozen=True)
class Pair:
    """A published number and what was measured for it."""

    source: str
    dataset: str
    n_nonzero: str
    method: str
    metric: str
    published: float
    measured: Spread
    tolerance: float
    reason: str

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
        Pair(block.source, dataset, level, row.method, column, value, spread, block.tolerance, row.reason)
        for row in block.rows
        for column, value in row.metrics.items()
        for dataset, level, spread in _measured(_groups(results, block, row), column, block.over)
    ]


def _measured(groups: list[Group], column: str, over: str) -> Iterator[tuple[str, str, Spread]]:
    """Return data set, sparsity level and what was measured there; or the mean over all that finished, no spread."""
    found = [(group.dataset, group.n_nonzero, group.spread(column)) for group in groups]
    if over == "each":
        yield from found
    elif found:
        known = [spread for _, _, spread in found if spread.n]
        mean = Spread.of(spread.mean for spread in known).mean
        label = f"mean over {len(known)}" + (f" of {len(found)}" if len(known) < len(found) else "")
        yield label, "", Spread(mean, math.nan, min((spread.n for spread in known), default=0))


def _groups(results: Results, block: Published, row: PublishedRow) -> list[Group]:
    level = "" if row.n_nonzero is None else str(row.n_nonzero)
    return [
        group
        for group in results.groups
        if group.method == row.method
        and level in ("", group.n_nonzero)
        and block.dataset in (None, group.dataset, without_stand_in(group.dataset))
    ]


def matches(results: Results) -> str:
    """Count how many of the published numbers are reached; empty if there are none."""
    verdicts = [pair.verdict for block in results.suite.published for pair in pairs(results, block)]
    if not verdicts:
        return ""
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in verdicts)
    return f"Of {len(verdicts)} published numbers: {counts}."


def without_stand_in(label: str) -> str:
    """Return the label of the data set that was asked for."""
    return re.sub(r" \[stand-in: [^\]]*\]$", "", label)


def beside(results: Results, blocks: list[Published] | None = None) -> Table | None:
    """Every published number beside ours."""
    blocks = results.suite.published if blocks is None else blocks
    found = [pair for block in blocks for pair in pairs(results, block)]
    if not found:
        return None
    cells = frame_of([_cells(pair) for pair in found])
    texts = frozenset({"source", "data set", "nonzeros", "method", "metric", "verdict", "reason"})
    return Table(
        "Published numbers beside ours: mean and standard deviation over the seeds, ours less theirs.",
        frame_of([_values(pair) for pair in found]),
        cells,
        frozenset(cells.columns) - texts,
    )


def _values(pair: Pair) -> dict[str, Any]:
    return {
        "source": pair.source,
        "dataset": pair.dataset,
        "n_nonzero": pair.n_nonzero,
        "method": pair.method,
        "metric": pair.metric,
        "published": pair.published,
        "measured": pair.measured.mean,
        "sd": pair.measured.sd,
        "seeds": pair.measured.n,
        "difference": pair.difference,
        "difference_percent": pair.percent,
        "tolerance": pair.tolerance,
        "verdict": pair.verdict,
        "reason": pair.reason,
    }


def _cells(pair: Pair) -> dict[str, str]:
    return {
        "source": pair.source,
        "data set": pair.dataset,
        "nonzeros": pair.n_nonzero or NOTHING,
        "method": pair.method,
        "metric": pair.metric,
        "published": number(pair.published),
        "measured": measured("", Spread(pair.measured.mean, math.nan, pair.measured.n)),
        "sd": number(pair.measured.sd),
        "seeds": str(pair.measured.n),
        "difference": _signed(pair.difference),
        "difference (%)": _signed(pair.percent, 2),
        "verdict": pair.verdict,
        "reason": pair.reason,
    }


def _signed(value: float, places: int | None = None) -> str:
    if math.isnan(value):
        return NOTHING
    text = number(abs(value)) if places is None else f"{abs(value):.{places}f}"
    return f"+{text}" if value >= 0 else f"-{text}"


@dataclass(frozen=True)
class Order:
    """How one metric ranks the methods, published and measured; only methods with both numbers."""

    better: str
    pairs: list[Pair]

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
        return -value if self.better == "higher" else value


def orders(results: Results, blocks: list[Published] | None = None) -> Iterator[Order]:
    """Return the orders that can be compared: by block, data set, sparsity and metric.

    A method without a sparsity target, such as dense PCA, takes part at every level.
    """
    for block in results.suite.published if blocks is None else blocks:
        known = [pair for pair in pairs(results, block) if not math.isnan(pair.measured.mean)]
        for dataset in dict.fromkeys(pair.dataset for pair in known):
            here = [pair for pair in known if pair.dataset == dataset]
            levels = list(dict.fromkeys(pair.n_nonzero for pair in here if pair.n_nonzero)) or [""]
            for level in levels:
                for metric in dict.fromkeys(pair.metric for pair in here):
                    rivals = [p for p in here if p.metric == metric and p.n_nonzero in ("", level)]
                    if len(rivals) > 1:
                        yield Order(results.better(metric), rivals)


def agreement(results: Results, blocks: list[Published] | None = None) -> Table | None:
    """Whether the published and the measured numbers rank the methods alike."""
    found = list(orders(results, blocks))
    if not found:
        return None
    values = frame_of([_order_row(order) for order in found])
    headings = {"n_nonzero": "nonzeros", "dataset": "data set", "best_first": "best is"}
    cells = values.rename(columns=headings).astype(str).replace({"nonzeros": {"": NOTHING}})
    caption = "The methods in published and in measured order, best first, and the pairs that change places."
    return Table(caption, values, cells)


def _order_row(order: Order) -> dict[str, Any]:
    first = order.pairs[0]
    agreeing = len(order.ranked) - len(order.disagreeing)
    return {
        "source": first.source,
        "dataset": first.dataset,
        "n_nonzero": next((pair.n_nonzero for pair in order.pairs if pair.n_nonzero), ""),
        "metric": first.metric,
        "published": ", ".join(order.published),
        "measured": ", ".join(order.measured),
        "agree": f"{agreeing} of {len(order.ranked)} pairs",
        "disagree": "; ".join(_told(a, b) for a, b in order.disagreeing),
    }


def _told(a: Pair, b: Pair) -> str:
    spread = math.hypot(*(0.0 if math.isnan(pair.measured.sd) else pair.measured.sd for pair in (a, b)))
    within = abs(a.measured.mean - b.measured.mean) <= spread
    return f"{a.method} and {b.method}" + (" (within the spread)" if within else "")
