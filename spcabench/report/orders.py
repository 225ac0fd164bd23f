"""Whether published and measured numbers rank the methods alike."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spcabench.analysis import agreement
from spcabench.analysis.paired import compare
from spcabench.analysis.times import LEAST_RATIO, faster
from spcabench.report.published import Pair
from spcabench.specs import MetricSpec
from spcabench.store.frame import Level
from spcabench.suite.columns import Column

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
    def column(self) -> Column:
        """Of the numbers."""
        return self.pairs[0].column

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
        return self._ordered(self.ours)

    @cached_property
    def ours(self) -> list[float]:
        """Our numbers: of times the geometric mean of CPU seconds, else the mean."""
        if not self._is_time:
            return [pair.measured.mean for pair in self.pairs]
        return [math.exp(np.mean([math.log(time.cpu) for time in pair.clocks.values()])) for pair in self.pairs]

    @cached_property
    def agreement(self) -> agreement.Order:
        """How far the orders agree; what our draws do not tell apart is a tie."""
        open_ = np.zeros((len(self.pairs),) * 2, dtype=bool)
        for i, j in itertools.combinations(range(len(self.pairs)), 2):
            open_[i, j] = open_[j, i] = not self._decided(self.pairs[i], self.pairs[j])
        numbers = [pair.published for pair in self.pairs]
        return agreement.order(numbers, self.ours, self.pairs[0].half_unit, open_)

    @property
    def reversed(self) -> list[tuple[str, str]]:
        """The pairs of methods that were surely measured the other way round, the published better one first."""
        place = {method: at for at, method in enumerate(self.published)}
        found = [sorted((place[self.pairs[i].method], place[self.pairs[j].method])) for i, j in self.agreement.reversed]
        return [(self.published[better], self.published[worse]) for better, worse in sorted(found)]

    @property
    def n_ranked(self) -> int:
        """The number of pairs that the published numbers rank."""
        numbers = [pair.published for pair in self.pairs]
        return sum(abs(a - b) > 2 * self.pairs[0].half_unit for a, b in itertools.combinations(numbers, 2))

    @property
    def _is_time(self) -> bool:
        return self.pairs[0].kind == "time"

    def _ordered(self, numbers: list[float]) -> list[str]:
        sign = -1.0 if self.column.better == "higher" else 1.0
        ranked = sorted(zip(numbers, self.pairs, strict=True), key=lambda both: sign * both[0])
        return [pair.method for _, pair in ranked]

    def _decided(self, a: Pair, b: Pair) -> bool:
        return times_decided(a, b) if self._is_time else values_decided(a, b, self.metric)


def orders(metrics: Mapping[str, MetricSpec], found: Iterable[Pair]) -> Iterator[Order]:
    """Return the orders that can be compared: by data set, sparsity and metric, of one block.

    A method without a sparsity target, such as dense PCA, takes part at every level.  Metrics without a good
    direction and numbers of nonzeros rank nobody; nor do differences of methods, nor numbers that are all equal.
    """
    known = [pair for pair in found if pair.draws and pair.row.minus is None and _ranks(metrics, pair.column)]
    for dataset in dict.fromkeys(pair.dataset for pair in known):
        here = [pair for pair in known if pair.dataset == dataset]
        levels = list(dict.fromkeys(pair.level for pair in here if pair.level)) or [Level()]
        for level, column in itertools.product(levels, dict.fromkeys(pair.column for pair in here)):
            rivals = [pair for pair in here if pair.column == column and pair.level in (Level(), level)]
            order = Order(metrics[column.metric], rivals)
            if len(rivals) > 1 and order.n_ranked:
                yield order


def _ranks(metrics: Mapping[str, MetricSpec], column: Column) -> bool:
    return column.metric in metrics and column.better != "neither" and not metrics[column.metric].sparsity


def values_decided(a: Pair, b: Pair, metric: MetricSpec) -> bool:
    """Return whether two methods surely differ, by the margin of the metric or more, on the same draws."""
    common = [key for key in a.values if key in b.values]
    off = np.array([a.values[key] - b.values[key] for key in common])
    tolerance = metric.tolerance * _scale(metric, a, b)
    if len(off) == 1 and not a.number.random and not b.number.random:
        return bool(abs(off[0]) > max(tolerance, metric.margin))
    return _surely(off, metric.margin, tolerance)


def times_decided(a: Pair, b: Pair) -> bool:
    """Return whether one method surely takes less CPU time, by 10 % or more, where no other work shared the machine."""
    times, others = a.clocks, b.clocks
    both = [(times[key], others[key]) for key in times if key in others]
    both = [two for two in both if not any(time.contended for time in two)]
    if len(both) == 1:
        return faster(*both[0]) != "not distinguished"
    return _surely(np.array([math.log(one.cpu / other.cpu) for one, other in both]), math.log(LEAST_RATIO), 0.0)


def _surely(off: np.ndarray[tuple[int], np.dtype[np.float64]], margin: float, tolerance: float) -> bool:
    """Return whether paired differences exclude zero and are of the size of the margin."""
    if not len(off):
        return False
    difference = compare(off, np.zeros(len(off)), 0.0, tolerance)
    return difference.verdict in DECIDED and abs(difference.middle) >= margin


def _scale(metric: MetricSpec, *pairs: Pair) -> float:
    low, high = metric.range
    if math.isfinite(high - low):
        return high - low
    return max((abs(value) for pair in pairs for value in pair.values.values()), default=0.0)
