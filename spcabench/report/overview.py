"""A page of several runs: what their published numbers come to, then each of them beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from spcabench.analysis.verdicts import Judgement, multiplicity
from spcabench.report.document import Document, Section, beside_ours
from spcabench.report.model import Results
from spcabench.report.parts import Block, Entry, Field, Note, Row, Table
from spcabench.report.published import Judged, judged, pairs
from spcabench.report.published_tables import BESIDE, RANKED, counts_table, orders_of
from spcabench.report.tabled import Columns, tabled
from spcabench.suite.published import Published
from spcabench.wording import Fault, InputError

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


def overview(runs: Sequence[Results]) -> Document:
    """Build the page.

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
    _one_scale(runs)
    by_block = [(run, block, pairs(run, block)) for run in runs for block in run.suite.published]
    found = judged(pair for *_, here in by_block for pair in here)
    if not found:
        return Document(TITLE, (), {}, description=("The suites of these runs set no published numbers.",))
    sections = (
        Section("", "What can fail, and what the verdicts are", tuple(_summary(runs, found))),
        Section("", "Runs", tuple(filter(None, (_runs(runs),)))),
        *(
            Section("", f"{run.suite.name}: {block.source}", tuple(_block(run, found, block)))
            for run, block, _ in by_block
        ),
    )
    return Document(TITLE, sections, {}, description=tuple(_opening(runs, found)))


def _one_scale(runs: Sequence[Results]) -> None:
    """Raise if the runs are not at one scale."""
    scales = {run.scale for run in runs}
    if len(scales) > 1:
        raise InputError(
            [
                Fault(f"the run is at {run.scale or 'an unknown'} scale; one page has one scale", str(run.folder.path))
                for run in runs
            ]
        )


def _opening(runs: Sequence[Results], found: Sequence[Judged]) -> Iterator[str]:
    scale = runs[0].scale
    failing = sum(one.pair.kind == "measured" for one in found)
    yield (
        f"{len(found)} numbers of {len(runs)} suites"
        + (f", at the {scale} scale" if scale else "")
        + f"; {failing} of "
        "them are of a method and can fail."
    )


def _summary(runs: Sequence[Results], found: Sequence[Judged]) -> Iterator[Block]:
    if table := counts_table(found):
        yield table
    failing = [Judgement(one.verdict, one.p) for one in found if one.pair.kind == "measured"]
    chance = multiplicity(failing)
    if chance.n:
        yield Note(
            f"Of {chance.n} measured numbers with draws enough, 5 % would lie outside of 95 % of our draws by chance: "
            f"{chance.expected:.1f} expected, {chance.outside} found.  {chance.departing} depart, those with fewer "
            "draws included.  Numbers of one draw depend on each other."
        )
    orders = [order for run in runs for block in run.suite.published for order in orders_of(run, found, block)]
    times = [order for order in orders if order.pairs[0].kind == "time"]
    for what, some in (("times", times), ("other numbers", [order for order in orders if order not in times])):
        if some:
            verdicts = [order.agreement.verdict for order in some]
            said = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
            yield Note(f"Orders of methods by {what}: {said}; {sum(len(o.reversed) for o in some)} pairs reversed.")
    yield from map(Note, (*MEANINGS, BESIDE, RANKED))


RUNS: Columns[Results] = (
    (Field("suite", "suite"), lambda run: Entry(run.suite.name)),
    (Field("scale", "scale"), lambda run: Entry(run.form or "unknown")),
    (Field("draws", "draws", numeric=True), lambda run: Entry(len(run.suite.seeds))),
    (Field("from", "first fit"), lambda run: Entry(run.dates[0] if run.dates else "")),
    (Field("to", "last fit"), lambda run: Entry(run.dates[-1] if run.dates else "")),
    (
        Field("numbers", "numbers", numeric=True),
        lambda run: Entry(sum(len(pairs(run, b)) for b in run.suite.published)),
    ),
)
"""The columns of the table of runs."""


def _runs(runs: Sequence[Results]) -> Table | None:
    return tabled("", "", RUNS, runs, lambda run, entries: Row(entries))


def _block(run: Results, found: Sequence[Judged], block: Published) -> Iterator[Block]:
    if block.note:
        yield Note(block.note)
    for table in beside_ours(run, found, block):
        yield replace(table, caption="")
