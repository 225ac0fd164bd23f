"""The tables of published numbers, and the page of several runs: each number beside ours, orders, and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from spcabench.analysis.verdicts import VERDICTS, Judgement, Verdict, multiplicity
from spcabench.report.document import (
    DATASET,
    LEVEL,
    METHOD,
    SOURCE,
    Block,
    Columns,
    Document,
    Entry,
    Field,
    Note,
    Row,
    Section,
    Table,
    tabled,
)
from spcabench.report.model import Results
from spcabench.report.orders import Order, orders
from spcabench.report.published import MEANING, Judged, judged_of, judged_together, pairs
from spcabench.suite.published import NumberKind, Published
from spcabench.wording import Fault, InputError

PUBLISHED: Columns[Judged] = (
    (SOURCE, lambda one: one.pair.block.source),
    (DATASET, lambda one: one.pair.dataset),
    (LEVEL, lambda one: one.pair.level),
    (METHOD, lambda one: one.pair.method),
    (Field("metric", "metric"), lambda one: one.pair.column.name),
    (Field("published", "published", numeric=True), lambda one: one.pair.published),
    (Field("measured", "measured", numeric=True), lambda one: one.pair.measured.mean),
    (Field("sd", "sd", numeric=True), lambda one: one.pair.measured.sd),
    (Field("seeds", "seeds", numeric=True), lambda one: _seeds(one)),
    (Field("difference", "difference", numeric=True, signed=True), lambda one: one.pair.difference),
    (
        Field("difference_percent", "difference (%)", numeric=True, signed=True, places=2),
        lambda one: one.pair.percent,
    ),
    (Field("tolerance", "", numeric=True), lambda one: one.pair.block.tolerance),
    (Field("p", "p", numeric=True), lambda one: one.p),
    (Field("kind", "kind"), lambda one: one.pair.kind),
    (Field("verdict", "verdict"), lambda one: one.verdict),
    (Field("reason", "reason"), lambda one: one.pair.row.reason),
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
    (SOURCE, lambda order: order.pairs[0].block.source),
    (DATASET, lambda order: order.pairs[0].dataset),
    (LEVEL, lambda order: order.level),
    (Field("metric", "metric"), lambda order: order.column.name),
    (Field("published", "published"), lambda order: Entry(", ".join(order.published))),
    (Field("measured", "measured"), lambda order: Entry(", ".join(order.measured))),
    (Field("pairs", "pairs ranked", numeric=True), lambda order: order.n_ranked),
    (Field("decided", "decided", numeric=True), lambda order: order.agreement.n_decided),
    (Field("tau", "tau", numeric=True), lambda order: order.agreement.tau),
    (Field("p", "p", numeric=True), lambda order: order.agreement.p),
    (Field("verdict", "verdict"), lambda order: order.agreement.verdict),
    (Field("reversed", "reversed"), lambda order: "; ".join(f"{a} and {b}" for a, b in order.reversed)),
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


def orders_of(results: Results, found: Sequence[Judged], block: Published) -> list[Order]:
    """Return the orders of a block that can be compared."""
    return list(orders(results.metrics, (one.pair for one in found if one.pair.block is block)))


def orders_of_run(results: Results) -> Table | None:
    """Whether the published and the measured numbers rank the methods alike."""
    found = judged_of(results)
    return orders_table([order for block in results.suite.published for order in orders_of(results, found, block)])


def beside_ours(results: Results, found: Sequence[Judged], block: Published) -> Iterator[Table]:
    """Return the tables of a block: its numbers beside ours, and the orders of the methods.

    Parameters
    ----------
    found : sequence of Judged
        The verdicts on the numbers that are read together.
    """
    here = [one for one in found if one.pair.block is block]
    for table in (numbers_table(here), orders_table(orders_of(results, here, block))):
        if table:
            yield table.without(SOURCE)


def counts_table(found: Sequence[Judged]) -> Table | None:
    """Return how often each verdict fell on each kind of number."""

    def count(kind: NumberKind, verdict: Verdict | None = None) -> Entry:
        return Entry(sum(one.pair.kind == kind and verdict in (None, one.verdict) for one in found))

    columns: Columns[NumberKind] = (
        (Field("kind", "kind"), lambda kind: Entry(kind, note=MEANING[kind])),
        (Field("numbers", "numbers", numeric=True), count),
        *(
            (Field(verdict, verdict, numeric=True), partial(count, verdict=verdict))
            for verdict in VERDICTS
            if any(one.verdict == verdict for one in found)
        ),
    )
    return tabled("", "", columns, [kind for kind in MEANING if any(one.pair.kind == kind for one in found)])


TITLE = "Published numbers beside ours"

MEANINGS = (
    "A number without chance in it matches if it is within the tolerance that its suite states, and else differs.",
    "A number of random draws matches if the mean of our draws is surely within the tolerance (90 % interval).  It is "
    "consistent if it lies among 95 % of our draws, of which there must be 39 or more to say so.  It departs if it "
    "lies outside of them and still does when the share of false departures among all such numbers is held at 5 % "
    "(Benjamini and Hochberg 1995, on p-values of Student's prediction interval, which fewer draws suffice for); "
    "otherwise it is unusual.  It is uninformative if our draws spread over more than half of the metric's range.",
    "Times are of another machine, which changes seconds and cannot reverse an order: the verdict is on the order.",
    "The measured number is the mean over the seeds that finished and did not miss their target.",
)
"""What the verdicts mean."""

RUNS: Columns[Results] = (
    (Field("suite", "suite"), lambda run: run.suite.name),
    (Field("scale", "scale"), lambda run: run.form or "unknown"),
    (Field("draws", "draws", numeric=True), lambda run: len(run.suite.seeds)),
    (Field("from", "first fit"), lambda run: run.dates[0] if run.dates else ""),
    (Field("to", "last fit"), lambda run: run.dates[-1] if run.dates else ""),
    (
        Field("numbers", "numbers", numeric=True),
        lambda run: sum(len(pairs(run, b)) for b in run.suite.published),
    ),
)
"""The columns of the table of runs."""


def overview(runs: Sequence[Results]) -> Document:
    """Build the page of several runs: what their published numbers come to, then each of them beside ours.

    Parameters
    ----------
    runs : sequence of Results
        All at one scale.  Runs whose suites set no published numbers are left out.

    Raises
    ------
    InputError
        If the runs are not at one scale.
    """
    runs = [run for run in runs if run.suite.published]
    if len({run.scale for run in runs}) > 1:
        says = "the run is at {} scale; one page has one scale"
        raise InputError([Fault(says.format(run.scale or "an unknown"), str(run.folder.path)) for run in runs])
    blocks = [(run, block) for run in runs for block in run.suite.published]
    found = judged_together(runs)
    if not found:
        return Document(TITLE, (), {}, description=("The suites of these runs set no published numbers.",))
    scale = f", at the {runs[0].scale} scale" if runs[0].scale else ""
    failing = [one for one in found if one.pair.kind == "measured"]
    opening = f"{len(found)} numbers of {len(runs)} suites{scale}; {len(failing)} of them are of a method and can fail."
    table = tabled("", "", RUNS, runs)
    sections = (
        Section("", "What can fail, and what the verdicts are", tuple(_summary(blocks, found, failing))),
        Section("", "Runs", (table,) if table else ()),
        *(Section("", f"{run.suite.name}: {block.source}", tuple(_block(run, found, block))) for run, block in blocks),
    )
    return Document(TITLE, sections, {}, description=(opening,))


def _summary(
    blocks: Sequence[tuple[Results, Published]], found: Sequence[Judged], failing: Sequence[Judged]
) -> Iterator[Block]:
    if table := counts_table(found):
        yield table
    chance = multiplicity([Judgement(one.verdict, one.p) for one in failing])
    if chance.n:
        yield Note(
            f"Of {chance.n} measured numbers with draws enough, 5 % would lie outside of 95 % of our draws by chance: "
            f"{chance.expected:.1f} expected, {chance.outside} found.  {chance.departing} depart, those with fewer "
            "draws included.  Numbers of one draw depend on each other."
        )
    every = [order for run, block in blocks for order in orders_of(run, found, block)]
    for what, is_time in (("times", True), ("other numbers", False)):
        some = [order for order in every if (order.pairs[0].kind == "time") == is_time]
        if some:
            verdicts = [order.agreement.verdict for order in some]
            said = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
            yield Note(f"Orders of methods by {what}: {said}; {sum(len(o.reversed) for o in some)} pairs reversed.")
    yield from map(Note, (*MEANINGS, BESIDE, RANKED))


def _block(run: Results, found: Sequence[Judged], block: Published) -> Iterator[Block]:
    if block.note:
        yield Note(block.note)
    for table in beside_ours(run, found, block):
        yield replace(table, caption="")
