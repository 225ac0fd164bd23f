"""Whether published and measured numbers rank the methods alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis import agreement
from spcabench.analysis.paired import compare
from spcabench.analysis.times import LEAST_RATIO, faster
from spcabench.report.document import DATASET, LEVEL, SOURCE, Columns, Entry, Field, Table, tabled
from spcabench.report.model import Results, tie
from spcabench.report.published import Pair, judged_of
from spcabench.specs import MetricSpec
from spcabench.store.frame import Level
from spcabench.suite.published import Published

DECIDED = frozenset({"better", "worse", "different, size open"})
"""Verdicts on paired draws by which two methods are surely not equal."""


@dataclass(frozen=True)
class Order:
    """How one metric ranks the methods, published and measured; only methods with both numbers.

    Parameters
    ----------
    metric : MetricSpec
        Its margin and tolerance are those of a difference.
    pairs : list of Pair
        One for each method.
    """

    metric: MetricSpec
    pairs: list[Pair]

    @property
    def level(self) -> Level:
        """The target of the sparse methods."""
        return next((pair.level for pair in self.pairs if pair.level), Level())

    @property
    def published(self) -> list[str]:
        """The methods, best published number first."""
        return self._ordered([pair.published for pair in self.pairs])

    @property
    def measured(self) -> list[str]:
        """The methods, best measured number first."""
        return self._ordered(self._ours)

    @cached_property
    def agreement(self) -> agreement.Order:
        """How far the orders agree; what our draws do not tell apart is a tie."""
        open_ = np.zeros((len(self.pairs),) * 2, dtype=bool)
        for (i, one), (j, other) in combinations(enumerate(self.pairs), 2):
            decided = _times_decided(one, other) if self.is_time else _values_decided(one, other, self.metric)
            open_[i, j] = open_[j, i] = not decided
        numbers = [pair.published for pair in self.pairs]
        return agreement.order(numbers, self._ours, self.pairs[0].half_unit, open_)

    @property
    def reversed(self) -> list[tuple[str, str]]:
        """The pairs of methods that were surely measured the other way round, the published better one first."""
        place = {method: at for at, method in enumerate(self.published)}
        found = [sorted((place[self.pairs[i].method], place[self.pairs[j].method])) for i, j in self.agreement.reversed]
        return [(self.published[better], self.published[worse]) for better, worse in sorted(found)]

    @property
    def is_time(self) -> bool:
        """Whether the numbers are times, of which only the order counts."""
        return self.pairs[0].kind == "time"

    @property
    def _ours(self) -> list[float]:
        """Our numbers: of times the geometric mean of CPU seconds, else the mean."""
        if not self.is_time:
            return [pair.measured.mean for pair in self.pairs]
        return [math.exp(np.mean([math.log(time.cpu) for time in pair.clocks.values()])) for pair in self.pairs]

    def _ordered(self, numbers: list[float]) -> list[str]:
        sign = -1.0 if self.pairs[0].column.better == "higher" else 1.0
        ranked = sorted(zip(numbers, self.pairs, strict=True), key=lambda both: sign * both[0])
        return [pair.method for _, pair in ranked]


def orders_of(results: Results, found: Iterable[Pair], block: Published) -> Iterator[Order]:
    """Yield the orders of a block that can be compared: by data set, sparsity and metric.

    A method without a sparsity target, such as dense PCA, takes part at every level.  Metrics without a good
    direction and numbers of nonzeros rank nobody; nor do differences of methods, nor numbers that are all equal.
    """
    ranking = {name for name, metric in results.metrics.items() if metric.better != "neither" and not metric.sparsity}
    here = [one for one in found if one.block is block and one.draws and one.row.minus is None]
    here = [one for one in here if one.column.metric in ranking]
    for dataset in dict.fromkeys(pair.dataset for pair in here):
        known = [pair for pair in here if pair.dataset == dataset]
        levels = list(dict.fromkeys(pair.level for pair in known if pair.level)) or [Level()]
        for level, column in product(levels, dict.fromkeys(pair.column for pair in known)):
            rivals = [pair for pair in known if pair.column == column and pair.level in (Level(), level)]
            order = Order(results.metrics[column.metric], rivals)
            if len(rivals) > 1 and order.agreement.n_ranked:
                yield order


def _values_decided(a: Pair, b: Pair, metric: MetricSpec) -> bool:
    """Return whether two methods surely differ, by the margin of the metric or more, on the same draws."""
    off = np.array([value - b.values[key] for key, value in a.values.items() if key in b.values])
    tolerance = tie(metric, np.array([*a.values.values(), *b.values.values()]))
    if len(off) == 1 and not a.number.random and not b.number.random:
        return bool(abs(off[0]) > max(tolerance, metric.margin))
    return _surely(off, metric.margin, tolerance)


def _times_decided(a: Pair, b: Pair) -> bool:
    """Return whether one method surely takes less CPU time, by 10 % or more, where no other work shared the machine."""
    times, others = a.clocks, b.clocks
    both = [(time, others[key]) for key, time in times.items() if key in others]
    both = [two for two in both if not any(time.contended for time in two)]
    if len(both) == 1:
        return faster(*both[0]) != "not distinguished"
    return _surely(np.array([math.log(one.cpu / other.cpu) for one, other in both]), math.log(LEAST_RATIO), 0.0)


def _surely(off: NDArray[np.float64], margin: float, tolerance: float) -> bool:
    """Return whether paired differences exclude zero and are of the size of the margin."""
    if not len(off):
        return False
    difference = compare(off, np.zeros(len(off)), 0.0, tolerance)
    return difference.verdict in DECIDED and abs(difference.middle) >= margin


ORDER: Columns[Order] = (
    (SOURCE, lambda order: order.pairs[0].block.source),
    (DATASET, lambda order: order.pairs[0].dataset),
    (LEVEL, lambda order: order.level),
    (Field("metric", "metric"), lambda order: order.pairs[0].column.name),
    (Field("published", "published"), lambda order: Entry(", ".join(order.published))),
    (Field("measured", "measured"), lambda order: Entry(", ".join(order.measured))),
    (Field("pairs", "pairs ranked", numeric=True, rank=1), lambda order: order.agreement.n_ranked),
    (Field("decided", "decided", numeric=True, rank=1), lambda order: order.agreement.n_decided),
    (Field("tau", "tau", numeric=True, rank=1), lambda order: order.agreement.tau),
    (Field("p", "p", numeric=True, rank=1), lambda order: order.agreement.p),
    (Field("verdict", "verdict"), lambda order: order.agreement.verdict),
    (Field("reversed", "reversed", rank=1), lambda order: "; ".join(f"{a} and {b}" for a, b in order.reversed)),
)
"""The columns of the table of orders."""

RANKED = (
    "The methods in published and in measured order, best first.  A pair is decided if the paper ranks it and our "
    "paired draws surely do; of times, if the CPU seconds that are not contended surely differ, and by 10 % or more.  "
    "Kendall's tau counts pairs that are not decided as ties; p is one-sided, by permutations.  Reversed pairs have "
    "the method first that the paper has first."
)


def orders_table(found: Sequence[Order]) -> Table | None:
    """Return published and measured orders of the methods."""
    return tabled("order", RANKED, ORDER, found)


def orders_of_run(results: Results) -> Table | None:
    """Whether the published and the measured numbers rank the methods alike."""
    found = judged_of(results)
    return orders_table([order for block in results.suite.published for order in orders_of(results, found, block)])
