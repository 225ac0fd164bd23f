"""The page of a report, in Markdown."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from spcabench.report.figures import FIGURES
from spcabench.report.formats import markdown_text, to_markdown
from spcabench.report.numerals import measured, number
from spcabench.report.published import agreement, beside, matches
from spcabench.report.results import Results
from spcabench.report.tables import ARROWS, Table, best, outcome
from spcabench.specs import MetricSpec

MOST_METRICS, MOST_WINNERS, MOST_TIED = 4, 12, 3
"""The summary names the winners one by one up to so many, and counts them beyond."""

MOST_DRAWS = 100
"""Data sets that the page describes."""


def page(results: Results, tables: Mapping[str, Table], figures: list[str]) -> str:
    """Write the page.

    Parameters
    ----------
    results : Results
        What was run, and what came of it.
    tables : mapping of str to Table
        The tables that were made, by name.
    figures : list of str
        The names of the figures that were made.
    """
    blocks = [
        *_opening(results),
        *_warning(results),
        *_summary(results),
        *_section("Results", _table("main", tables)),
        *_published(results, tables),
        *_figures(results, figures),
        *_section("Cost", _table("timing", tables)),
        *_section("Cells that did not finish", _table("unfinished", tables)),
        *_section("Data", _data(results)),
        *_section("Metrics", _metrics(results)),
        *_section("Environment", _listing({str(k): str(v) for k, v in results.about.items()})),
        *_section("To reproduce", fenced(results.command)),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _opening(results: Results) -> Iterator[str]:
    suite = results.suite
    yield f"# {markdown_text(suite.title or suite.name)}"
    if suite.source:
        yield f"Reproduces: {markdown_text(suite.source)}"
    if results.form:
        yield f"Run at {markdown_text(results.form)}."
    for part in re.split(r"\n\s*\n", suite.description):
        yield paragraph(part)


def _warning(results: Results) -> Iterator[str]:
    if results.stand_ins:
        names = "\n".join(f"> - {markdown_text(name)}" for name in results.stand_ins)
        yield (
            "> [!WARNING]\n> **STAND-IN DATA. THESE ARE NOT THE RESULTS OF THE REAL DATA SET.**\n"
            "> The real data could not be had, and another data set stood in for it. "
            f"Nothing below that carries these names says anything about the real data:\n>\n{names}"
        )


def _summary(results: Results) -> Iterator[str]:
    yield "## Summary"
    yield outcome(results)
    yield matches(results)
    lines = [f"- {line}" for column in _key_columns(results) for line in _winners(results, column)]
    yield "\n".join(lines)


def _key_columns(results: Results) -> list[str]:
    return [column for column in results.columns if results.better(column) != "neither"][:MOST_METRICS]


def _winners(results: Results, column: str) -> Iterator[str]:
    """Name the best of the methods at each data set and sparsity."""
    groups = results.groups
    winners: dict[tuple[str, str], list[int]] = {}
    for row in best(results, groups, column):
        winners.setdefault((groups[row].dataset, groups[row].n_nonzero), []).append(row)
    if len(winners) > MOST_WINNERS:
        counts = Counter(groups[row].method for rows in winners.values() for row in rows)
        told = ", ".join(f"{markdown_text(name)} {count}" for name, count in counts.most_common())
        yield f"{markdown_text(column)}, times the best in {len(winners)} comparisons at equal sparsity: {told}."
        return
    for (dataset, level), rows in winners.items():
        names = markdown_text(tied([groups[row].method for row in rows]))
        value = measured(column, groups[rows[0]].spread(column))
        where = markdown_text(dataset + (f", {level} nonzeros" if level else ", methods without a sparsity target"))
        direction = "highest" if results.better(column) == "higher" else "lowest"
        yield f"{markdown_text(column)}, {direction} on {where}: **{names}** with {value}."


def tied(names: Sequence[str]) -> str:
    """Name methods that share a place, or count them where they are many."""
    return " and ".join(names) if len(names) <= MOST_TIED else f"{len(names)} methods alike"


def _section(heading: str, body: str) -> Iterator[str]:
    if body:
        yield f"## {heading}"
        yield body


def _table(name: str, tables: Mapping[str, Table]) -> str:
    if name not in tables:
        return ""
    files = ", ".join(f"[{label}](tables/{name}.{ending})" for label, ending in (("CSV", "csv"), ("LaTeX", "tex")))
    table = tables[name]
    return f"{to_markdown(table)}\n\n{markdown_text(table.caption)} {files}"


def _published(results: Results, tables: Mapping[str, Table]) -> Iterator[str]:
    if "published" not in tables:
        return
    yield "## Published beside measured"
    for block in results.suite.published:
        table = beside(results, [block])
        if table is None:
            continue
        yield f"### {markdown_text(block.source)}"
        yield paragraph(block.note)
        yield to_markdown(_without_source(table))
        order = agreement(results, [block])
        if order is not None:
            yield "Order of the methods, best first, and the pairs that change places:"
            yield to_markdown(_without_source(order))
    yield "All of it: [published](tables/published.csv)" + (
        ", [order](tables/order.csv)." if "order" in tables else "."
    )


def _without_source(table: Table) -> Table:
    return Table(table.caption, table.values, table.cells.drop(columns="source"), table.right)


def _figures(results: Results, figures: list[str]) -> Iterator[str]:
    missing = [name for name in results.suite.report.figures if name not in figures]
    if figures or missing:
        yield "## Figures"
    for name in figures:
        title = FIGURES[name].title
        yield f"### {title.rstrip('.').partition(':')[0]}"
        yield f"[![{title}](figures/{name}.png)](figures/{name}.svg)"
        yield title
    for name in missing:
        yield f"Not drawn: {name}, which needs {FIGURES[name].needs}."


def _data(results: Results) -> str:
    told = [
        f"- **{markdown_text(name)}**: {markdown_text(_described(known))}"
        for name, known in islice(results.draws(), MOST_DRAWS)
    ]
    more = len(results.datasets) - len(told)
    return "\n".join([*told, f"- and {more} more, in the folder draws"] if more else told)


def _described(known: Mapping[str, Any]) -> str:
    if not known:
        return "never drawn."
    counts = ((known.get("n_samples"), "samples"), (known.get("n_features"), "features"))
    size = ", ".join(f"{count} {what}" for count, what in counts if count is not None)
    facts = ", ".join(sorted(map(str, known.get("facts") or ())))
    mark = known.get("fingerprint")
    parts = [size, facts and f"known: {facts}", mark and f"fingerprint {mark}", known.get("notes")]
    return "; ".join(str(part) for part in parts if part)


def _metrics(results: Results) -> str:
    used = {metric.name: metric for column in results.values if (metric := results.metric(column))}
    return "\n".join(map(_definition, used.values()))


def _definition(metric: MetricSpec) -> str:
    low, high = (number(edge) if math.isfinite(edge) else ("-∞" if edge < 0 else "∞") for edge in metric.range)
    direction = {"higher": "higher is better", "lower": "lower is better", "neither": "no direction is better"}
    parts = [
        metric.title,
        metric.formula and f"formula: {metric.formula}",
        f"range {low} to {high}",
        direction[metric.better],
        metric.source,
    ]
    told = "; ".join(str(part).strip().rstrip(".") for part in parts if part)
    return f"- **{markdown_text(metric.name)}**{ARROWS[metric.better]}: {markdown_text(told)}."


def _listing(entries: Mapping[str, str]) -> str:
    return "\n".join(f"- {markdown_text(name)}: {markdown_text(text)}" for name, text in entries.items())


def paragraph(text: str) -> str:
    """Escape a text for a paragraph of Markdown: nothing at its start may make it a heading or a list."""
    return re.sub(r"^(\d*)([-+=#.)])", r"\1\\\2", markdown_text(text))


def fenced(text: str) -> str:
    """Fence a text as code, whatever backticks are in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
