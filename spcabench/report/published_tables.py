"""The tables of published numbers beside ours, and the page of several runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spcabench.report.claims import claims_table
from spcabench.report.document import DATASET, METHOD, Columns, Document, Entry, Field, Note, Section, Table, tabled
from spcabench.report.model import Results
from spcabench.report.published import Pair, judged_of, judged_together, matches
from spcabench.suite.claims import Published

PUBLISHED: Columns[Pair] = (
    (Field("source", "source"), lambda one: one.block.source),
    (DATASET, lambda one: one.dataset),
    (Field("n_nonzero", "nonzeros", rank=1), lambda one: one.level),
    (METHOD, lambda one: one.method),
    (Field("metric", "metric", shared=True), lambda one: one.column.name),
    (Field("published", "published", numeric=True), lambda one: one.published),
    (Field("measured", "measured", numeric=True), lambda one: Entry(one.measured.mean, one.measured.sd)),
    (Field("sd", "", numeric=True), lambda one: one.measured.sd),
    (Field("seeds", "seeds", numeric=True, rank=2), lambda one: _seeds(one)),
    (Field("p", "p", numeric=True, rank=2), lambda one: one.p),
    (Field("kind", "kind", rank=2), lambda one: one.kind),
    (Field("verdict", "verdict"), lambda one: one.verdict),
    (Field("why", "why", rank=1), lambda one: one.why),
    (Field("reason", "reason", rank=1), lambda one: one.row.reason),
)
"""The columns of the table of published numbers; one of a single source lacks the first."""

BESIDE = (
    "Published numbers beside ours: mean and standard deviation over the seeds that finished and did not miss their "
    "target, p, the quantile of the published number among our draws, two-sided, and what the verdict is from."
)


def _seeds(one: Pair) -> Entry:
    missed = one.n_missed
    return Entry(one.measured.n, planned=one.planned, note=f"{missed} missed the target" if missed else "")


def published(results: Results) -> Table | None:
    """Every published number beside ours."""
    return tabled("published", BESIDE, PUBLISHED, judged_of(results))


def beside_ours(found: Iterable[Pair], block: Published) -> Table | None:
    """Return the numbers of a block, judged together with others, beside ours."""
    return tabled("", BESIDE, PUBLISHED[1:], [one for one in found if one.block is block])


TITLE = "Published numbers beside ours"

MEANINGS = (
    "A number without chance in it is reproduced within the tolerance that its suite states, which is no wider than "
    "half the range of the numbers that the paper tells apart by it.",
    "A number of random draws is reproduced if the mean of our draws is surely within the tolerance (90 % interval), "
    "or if the number lies among 95 % of 39 draws or more whose mean is off by 25 % at most.  It is refuted if it lies "
    "outside of them and still does when the share of false departures among all such numbers is held at 5 % "
    "(Benjamini and Hochberg 1995, on p-values of Student's prediction interval, which fewer draws suffice for).  All "
    "else is open.",
    "What is refuted or open is explained if a computation is named that shows why.  Times of another machine, numbers "
    "that a definition fixes and numbers that no paper printed have no verdict.",
    "The measured number is the mean over the seeds that finished and did not miss their target.",
)
"""What the verdicts mean."""


def overview(runs: Sequence[Results]) -> Document:
    """Build the page of several runs: what their published numbers come to, then each of them beside ours.

    Parameters
    ----------
    runs : sequence of Results
        At least one, all at one scale.
    """
    blocks = [(run, block) for run in runs for block in run.suite.published]
    found = judged_together(runs)
    scale = f", at the {runs[0].about.scale} scale" if runs[0].about.scale else ""
    suites, failing = sum(bool(run.suite.published) for run in runs), sum(bool(one.verdict) for one in found)
    lead = f"{len(found)} numbers of {suites} suites{scale}; {failing} can fail."
    claims = ((run, claims_table(run)) for run in runs)
    sections = (
        Section("", "What can fail, and what the verdicts are", tuple(map(Note, (matches(found), *MEANINGS, BESIDE)))),
        *(Section("", f"{run.suite.name}: claims", (said,)) for run, said in claims if said),
        *(_beside(f"{run.suite.name}: {block.source}", block, found) for run, block in blocks),
    )
    return Document(TITLE, sections, {}, description=(lead,))


def _beside(heading: str, block: Published, found: Sequence[Pair]) -> Section:
    table = beside_ours(found, block)
    shown = (Note(block.note) if block.note else None, replace(table, caption="") if table else None)
    return Section("", heading, tuple(filter(None, shown)))
