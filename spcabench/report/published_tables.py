"""The tables of published numbers beside ours, and the page of several runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

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
from spcabench.report.orders import RANKED, orders_of, orders_table
from spcabench.report.published import Pair, by_chance, judged_of, judged_together, matches
from spcabench.suite.published import Published
from spcabench.wording import Fault, InputError

PUBLISHED: Columns[Pair] = (
    (SOURCE, lambda one: one.block.source),
    (DATASET, lambda one: one.dataset),
    (replace(LEVEL, rank=1), lambda one: one.level),
    (METHOD, lambda one: one.method),
    (Field("metric", "metric", shared=True), lambda one: one.column.name),
    (Field("published", "published", numeric=True), lambda one: one.published),
    (Field("measured", "measured", numeric=True), lambda one: Entry(one.measured.mean, one.measured.sd)),
    (Field("sd", "", numeric=True), lambda one: one.measured.sd),
    (Field("seeds", "seeds", numeric=True, rank=2), lambda one: _seeds(one)),
    (Field("difference", "difference", numeric=True, signed=True, rank=2), lambda one: one.difference),
    (
        Field("difference_percent", "difference (%)", numeric=True, signed=True, places=2, rank=1),
        lambda one: one.percent,
    ),
    (Field("tolerance", "", numeric=True), lambda one: one.block.tolerance),
    (Field("p", "p", numeric=True, rank=2), lambda one: one.p),
    (Field("kind", "kind", rank=2), lambda one: one.kind),
    (Field("verdict", "verdict"), lambda one: one.verdict),
    (Field("reason", "reason", rank=1), lambda one: one.row.reason),
)
"""The columns of the table of published numbers."""

BESIDE = (
    "Published numbers beside ours: mean and standard deviation over the seeds that finished and did not miss their "
    "target, ours less theirs, and p, the quantile of the published number among our draws, two-sided."
)


def _seeds(one: Pair) -> Entry:
    missed = one.n_missed
    return Entry(one.measured.n, planned=one.planned, note=f"{missed} missed the target" if missed else "")


def numbers_table(found: Sequence[Pair]) -> Table | None:
    """Return published numbers beside ours."""
    return tabled("published", BESIDE, PUBLISHED, found, lambda one, entries: Row(entries, one.method))


def published(results: Results) -> Table | None:
    """Every published number beside ours."""
    return numbers_table(judged_of(results))


def beside_ours(results: Results, found: Iterable[Pair], block: Published) -> Iterator[Table]:
    """Yield the tables of a block: its numbers, judged together with others, beside ours; the orders of the methods."""
    here = [one for one in found if one.block is block]
    for table in (numbers_table(here), orders_table(list(orders_of(results, here, block)))):
        if table:
            yield table.without(SOURCE)


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
    (Field("numbers", "numbers", numeric=True), lambda run: len(judged_of(run))),
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
    if not runs:
        return Document(TITLE, (), {}, description=("The suites of these runs set no published numbers.",))
    if len({run.scale for run in runs}) > 1:
        says = "the run is at {} scale; one page has one scale"
        raise InputError([Fault(says.format(run.scale or "an unknown"), str(run.folder.path)) for run in runs])
    blocks = [(run, block) for run in runs for block in run.suite.published]
    found = judged_together(runs)
    scale = f", at the {runs[0].scale} scale" if runs[0].scale else ""
    failing = [one for one in found if one.kind == "measured"]
    opening = f"{len(found)} numbers of {len(runs)} suites{scale}; {len(failing)} of them are of a method and can fail."
    chance = by_chance((one.verdict, one.p) for one in failing)
    said = (matches(found), chance, *MEANINGS, BESIDE, RANKED)
    table = tabled("", "", RUNS, runs)
    sections = (
        Section("", "What can fail, and what the verdicts are", tuple(map(Note, filter(None, said)))),
        Section("", "Runs", (table,) if table else ()),
        *(Section("", f"{run.suite.name}: {block.source}", tuple(_block(run, found, block))) for run, block in blocks),
    )
    return Document(TITLE, sections, {}, description=(opening,))


def _block(run: Results, found: Sequence[Pair], block: Published) -> Iterator[Block]:
    if block.note:
        yield Note(block.note)
    for table in beside_ours(run, found, block):
        yield replace(table, caption="")
