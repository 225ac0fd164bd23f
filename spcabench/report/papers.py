"""What papers say beside what a run says: claims with their verdicts, tables of numbers, the page of several runs."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from spcabench.analysis.paired import surely_differ
from spcabench.analysis.times import LEAST_RATIO
from spcabench.analysis.verdicts import Verdict
from spcabench.report.document import DATASET, METHOD, Columns, Document, Entry, Field, Note, Section, Table, tabled
from spcabench.report.model import COSTS, Results, tie
from spcabench.report.published import COMPUTED, Pair, judged_of, judged_together, matches
from spcabench.store.frame import Level
from spcabench.suite.claims import Claim, Published, parsed
from spcabench.suite.columns import Column
from spcabench.suite.values import MAIN

Draws = Mapping[tuple[str, int, Level, int], float]
"""A number for each data set, level and seed."""


class Unknown(LookupError):
    """A run does not have what a claim is about, or it does not decide it."""


@dataclass(frozen=True)
class Judged:
    """A claim of a suite, and what the run says of it.

    Parameters
    ----------
    claim : Claim
        As the suite has it.
    verdict : str
        ``reproduced`` if its expression is true; if it is false ``explained``, where a computation is named that shows
        why, and else ``refuted``; ``open`` if the run does not say it.
    ours : str
        The expression with the numbers of the run in place of their names, or what the run lacks.
    """

    claim: Claim
    verdict: Verdict
    ours: str


def _drawn(results: Results, column: Column, method: str, **where: Any) -> Draws:
    """Return what a method reached, of the cells that finished and did not miss their target.

    Of times these are the CPU seconds, which other work on the machine disturbs least.
    """
    level, dataset, start = where.get("n_nonzero"), where.get("dataset"), where.get("start")
    read = COSTS["cpu_time"] if column.name == "fit_time" else column
    found = {
        (group.dataset, group.n_components, group.level, seed): value
        for group in results.from_all_starts
        if group.method == method
        and (group.start == start if start else group.start in MAIN)
        and (dataset in (None, group.dataset, group.first("suite_dataset")))
        and (level is None or not group.level or group.level == Level(level))
        for seed, value in group.value_of(read).items()
        if not math.isnan(value)
    }
    if not found:
        raise Unknown(f"no {column.name} of {method}" + "".join(f", {name} = {value}" for name, value in where.items()))
    return found


def _pairs(first: Draws, second: Draws) -> list[tuple[float, float]]:
    """Return what two methods reached on the same data, at the same target or where one of them has none."""
    there: dict[tuple[object, ...], list[tuple[Level, float]]] = {}
    for (*place, level, seed), value in second.items():
        there.setdefault((*place, seed), []).append((level, value))
    found = [
        (value, other)
        for (*place, level, seed), value in first.items()
        for of, other in there.get((*place, seed), ())
        if of == level or not of or not level
    ]
    if not found:
        raise Unknown("the methods have no data and target in common")
    return found


def _ordered(results: Results, metric: str, *methods: str, **where: Any) -> bool:
    """Return whether methods, best first, stand in this order: no two of them surely do in the other.

    Two differ surely if their paired draws do, by the margin of the metric or more; times by a tenth.
    """
    column = results.column(metric)
    spec, draws = results.metrics[column.metric], [_drawn(results, column, method, **where) for method in methods]
    random = any(group.first("random_data") for group in results.groups)
    decided = []
    for first, second in combinations(draws, 2):
        pairs = np.array(_pairs(first, second))
        is_time = column.unit == "s"
        off = np.log(pairs[:, 1] / pairs[:, 0]) if is_time else pairs[:, 0] - pairs[:, 1]
        margin = math.log(LEAST_RATIO) if is_time else spec.margin
        tolerance = 0.0 if is_time else tie(spec, pairs.ravel())
        sign = 1.0 if is_time or spec.better == "higher" else -1.0
        if len(off) == 1:
            sure = (is_time or not random) and abs(off[0]) > max(tolerance, margin)
        else:
            sure = surely_differ(off, margin, tolerance)
        decided += [sign * float(off.mean()) > 0] if sure else []
    if not decided:
        raise Unknown(f"no two methods surely differ in {column.name}")
    return all(decided)


SUMMARIES: Mapping[str, Callable[[Any], Any]] = {"mean": np.mean, "least": np.min, "most": np.max}
ARITHMETIC: Mapping[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max}


class _Numbers(ast.NodeTransformer):
    """Puts the numbers of a run in place of the calls that ask for them."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Compute a call."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ARITHMETIC:
            return self.generic_visit(node)
        metric, *methods = [ast.literal_eval(argument) for argument in node.args]
        where = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords}
        if name == "ordered":
            return ast.Constant(_ordered(self.results, metric, *methods, **where))
        column, minus = self.results.column(metric), where.pop("minus", None)
        found = _drawn(self.results, column, *methods, **where)
        values = list(found.values())
        if minus is not None:
            values = [a - b for a, b in _pairs(found, _drawn(self.results, column, minus, **where))]
        return ast.Constant(float(SUMMARIES[name](values)))


def _value(node: ast.expr) -> Any:
    """Compute an expression that has numbers in place of its names; `parsed` lets nothing else in than arithmetic."""
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "a claim", "eval")
    return eval(code, {"__builtins__": ARITHMETIC})


def _shown(node: ast.expr) -> str:
    """Write an expression with its numbers to four digits."""
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, float):
            one.value = float(f"{one.value:.4g}")
    return ast.unparse(node)


def judged_claim(results: Results, claim: Claim) -> Judged:
    """Return the verdict of a run on a claim."""
    explained = COMPUTED.search(claim.tried)
    try:
        tree = _Numbers(results).visit(parsed(claim.holds))
        true = _value(tree)
    except (Unknown, ZeroDivisionError) as error:
        return Judged(claim, "explained" if explained else "open", str(error))
    return Judged(claim, "reproduced" if true else "explained" if explained else "refuted", _shown(tree))


def judged_claims(results: Results) -> list[Judged]:
    """Return the claims of a suite with the verdicts of its run."""
    return [judged_claim(results, claim) for claim in results.suite.claims]


CLAIMS: Columns[Judged] = (
    (Field("place", "place"), lambda one: one.claim.place),
    (Field("says", "claim"), lambda one: one.claim.says),
    (Field("verdict", "verdict"), lambda one: one.verdict),
    (Field("ours", "in this run"), lambda one: one.ours),
    (Field("tried", "tried", rank=1), lambda one: one.claim.tried),
)


def claims_table(results: Results) -> Table | None:
    """Return the claims of a suite beside what the run says of them."""
    caption = "What the papers say of these results, in our words, and whether the run has it."
    return tabled("claims", caption, CLAIMS, judged_claims(results))


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
