"""The tables of published numbers: each beside ours, the orders of the methods, and the counts of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spcabench.analysis.verdicts import VERDICTS, Verdict
from spcabench.report.kinds import MEANING
from spcabench.report.model import Results
from spcabench.report.orders import Order, orders
from spcabench.report.parts import DATASET, LEVEL, METHOD, SOURCE, Entry, Field, Row, Table
from spcabench.report.published import Judged, judged_of
from spcabench.report.tabled import Columns, tabled
from spcabench.suite.published import NumberKind, Published

PUBLISHED: Columns[Judged] = (
    (SOURCE, lambda one: Entry(one.pair.block.source)),
    (DATASET, lambda one: Entry(one.pair.dataset)),
    (LEVEL, lambda one: Entry(one.pair.level)),
    (METHOD, lambda one: Entry(one.pair.method)),
    (Field("metric", "metric"), lambda one: Entry(one.pair.column.name)),
    (Field("published", "published", numeric=True), lambda one: Entry(one.pair.published)),
    (Field("measured", "measured", numeric=True), lambda one: Entry(one.pair.measured.mean)),
    (Field("sd", "sd", numeric=True), lambda one: Entry(one.pair.measured.sd)),
    (Field("seeds", "seeds", numeric=True), lambda one: _seeds(one)),
    (Field("difference", "difference", numeric=True, signed=True), lambda one: Entry(one.pair.difference)),
    (
        Field("difference_percent", "difference (%)", numeric=True, signed=True, places=2),
        lambda one: Entry(one.pair.percent),
    ),
    (Field("tolerance", "", numeric=True), lambda one: Entry(one.pair.block.tolerance)),
    (Field("p", "p", numeric=True), lambda one: Entry(one.p)),
    (Field("kind", "kind"), lambda one: Entry(one.pair.kind)),
    (Field("verdict", "verdict"), lambda one: Entry(one.verdict)),
    (Field("reason", "reason"), lambda one: Entry(one.pair.row.reason)),
)
"""The columns of the table of published numbers."""

BESIDE = (
    "Published numbers beside ours: mean and standard deviation over the seeds that finished and did not miss their "
    "target, ours less theirs, and p, the quantile of the published number among our draws, two-sided."
)


def _seeds(one: Judged) -> Entry:
    missed = one.pair.n_missed
    return Entry(one.pair.measured.n, planned=one.pair.planned, note=f"{missed} missed the target" if missed else "")


def numbers_table(found: Sequence[Judged]) -> Table | None:
    """Return published numbers beside ours."""
    return tabled("published", BESIDE, PUBLISHED, found, lambda one, entries: Row(entries, one.pair.method))


def published(results: Results) -> Table | None:
    """Every published number beside ours."""
    return numbers_table(judged_of(results))


ORDER: Columns[Order] = (
    (SOURCE, lambda order: Entry(order.pairs[0].block.source)),
    (DATASET, lambda order: Entry(order.pairs[0].dataset)),
    (LEVEL, lambda order: Entry(order.level)),
    (Field("metric", "metric"), lambda order: Entry(order.column.name)),
    (Field("published", "published"), lambda order: Entry(", ".join(order.published))),
    (Field("measured", "measured"), lambda order: Entry(", ".join(order.measured))),
    (Field("pairs", "pairs ranked", numeric=True), lambda order: Entry(order.n_ranked)),
    (Field("decided", "decided", numeric=True), lambda order: Entry(order.agreement.n_decided)),
    (Field("tau", "tau", numeric=True), lambda order: Entry(order.agreement.tau)),
    (Field("p", "p", numeric=True), lambda order: Entry(order.agreement.p)),
    (Field("verdict", "verdict"), lambda order: Entry(order.agreement.verdict)),
    (Field("reversed", "reversed"), lambda order: Entry("; ".join(f"{a} and {b}" for a, b in order.reversed))),
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
    return tabled("order", RANKED, ORDER, found, lambda order, entries: Row(entries))


def orders_of(results: Results, found: Sequence[Judged], block: Published) -> list[Order]:
    """Return the orders of a block that can be compared."""
    return list(orders(results.metrics, (one.pair for one in found if one.pair.block is block)))


def order(results: Results) -> Table | None:
    """Whether the published and the measured numbers rank the methods alike."""
    found = judged_of(results)
    return orders_table([order for block in results.suite.published for order in orders_of(results, found, block)])


def counts_table(found: Sequence[Judged]) -> Table | None:
    """Return how often each verdict fell on each kind of number."""
    kinds = [kind for kind in MEANING if any(one.pair.kind == kind for one in found)]
    seen = [verdict for verdict in VERDICTS if any(one.verdict == verdict for one in found)]

    def count(verdict: Verdict) -> tuple[Field, Callable[[NumberKind], Entry]]:
        return Field(verdict, verdict, numeric=True), lambda kind: Entry(_count(found, kind, verdict))

    columns: Columns[NumberKind] = (
        (Field("kind", "kind"), lambda kind: Entry(kind, note=MEANING[kind])),
        (Field("numbers", "numbers", numeric=True), lambda kind: Entry(sum(one.pair.kind == kind for one in found))),
        *map(count, seen),
    )
    return tabled("", "", columns, kinds, lambda kind, entries: Row(entries))


def _count(found: Sequence[Judged], kind: NumberKind, verdict: Verdict) -> int:
    return sum(one.pair.kind == kind and one.verdict == verdict for one in found)
