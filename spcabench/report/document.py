"""A report as a typed document, built once: every format is written from it alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from spcabench.report import starts
from spcabench.report.calls import calls_of_winners
from spcabench.report.figures import FIGURES, lacking
from spcabench.report.headline import Lead, leads
from spcabench.report.model import Results
from spcabench.report.parts import SOURCE, Block, Code, Facts, Figure, Files, Heading, Note, Table, Winners
from spcabench.report.published import Judged, judged_of, matches
from spcabench.report.published_tables import numbers_table, orders_of, orders_table
from spcabench.report.ranking import wins
from spcabench.report.tables import TABLES
from spcabench.specs import MetricSpec
from spcabench.suite.columns import ARROWS
from spcabench.suite.models import TRACKS
from spcabench.suite.published import Published

MOST_METRICS = 4
"""The summary names the winners by so many metrics."""

MOST_REASONS = 5
"""Reasons why metrics could not be computed that the summary has."""

MOST_DRAWS = 100
"""Data sets that the page describes."""

DIRECTIONS = {"higher": "higher is better", "lower": "lower is better", "neither": "no direction is better"}


@dataclass(frozen=True)
class Section:
    """A section: a name for links, a heading, and what stands below it."""

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A report.

    Parameters
    ----------
    title, source, form : str
        What it is about, what it reproduces, and at which scale it was run.
    description : tuple of str
        The paragraphs that open it.
    stand_ins : tuple of str
        The data sets for which another stood in.
    colours : mapping of str to str
        The methods in the order of the suite, each with its colour in the figures.
    n_components : int
        How many components were fitted.
    outcome : str
        What became of the cells.
    leads : tuple of Lead
        Who leads each comparison by the first metric, and by how much.
    tables : mapping of str to Table
        Every table, by the name of its files.
    sections : tuple of Section
        What stands on the page.
    """

    title: str
    sections: tuple[Section, ...]
    tables: Mapping[str, Table]
    source: str = ""
    form: str = ""
    description: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    colours: Mapping[str, str] | None = None
    n_components: int = 0
    outcome: str = ""
    leads: tuple[Lead, ...] = ()

    @property
    def figures(self) -> list[Figure]:
        """Every figure."""
        return [block for section in self.sections for block in section.blocks if isinstance(block, Figure)]


def document(results: Results) -> Document:
    """Build the report of a run.

    Parameters
    ----------
    results : Results
        What was run, and what came of it.
    """
    suite = results.suite
    tables = {name: table for name, make in TABLES.items() if (table := make(results))}
    sections = (
        Section("summary", "Summary", tuple(_summary(results))),
        Section("standings", "Standings over the data sets", tuple(_known(tables, "standings", "wins"))),
        Section("results", "Results", tuple(_known(tables, "main"))),
        Section("tracks", "Standings in the tracks", tuple(_tracks(results, tables))),
        Section("best_known", "Best known", tuple(_known(tables, "best_known", "several"))),
        Section("starts", "Starts", tuple(_starts(results, tables))),
        Section("published", "Published beside measured", tuple(_papers(results, tables))),
        Section("figures", "Figures", tuple(_figures(results))),
        Section("cost", "Cost", tuple(_known(tables, "timing"))),
        Section("unfinished", "Cells that did not finish", tuple(_known(tables, "unfinished"))),
        Section("unconverged", "Cells that finished without converging", tuple(_known(tables, "unconverged"))),
        Section("data", "Data", tuple(_data(results))),
        Section("metrics", "Metrics", tuple(map(_metric, results.used))),
        Section("suite", "Suite as run", (_suite(results),)),
        Section("environment", "Environment", tuple(_environment(results.about))),
        Section("reproduce", "To reproduce", (Code(results.command),)),
    )
    return Document(
        title=suite.title or suite.name,
        sections=tuple(section for section in sections if section.blocks),
        tables=tables,
        source=suite.source,
        form=results.form,
        description=tuple(_paragraphs(suite.description)),
        stand_ins=tuple(results.stand_ins),
        colours=_colours(results),
        n_components=suite.n_components,
        outcome=outcome(results),
        leads=leads(results),
    )


def outcome(results: Results) -> str:
    """Return how many cells were planned and what became of them."""
    counts = Counter(map(str, results.frame["status"]))
    often = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    planned = len(results.frame)
    became = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in often)
    return f"{planned} {'cell' if planned == 1 else 'cells'}: {became}."


def metric_failures(results: Results) -> Iterator[str]:
    """Report the metrics that could not be computed, each reason once, and the columns that no cell has."""
    counts = Counter(filter(None, map(str, results.frame["metric_errors"])))
    for reason, count in counts.most_common(MOST_REASONS):
        yield f"Not computed in {count} {'cell' if count == 1 else 'cells'}: {reason}."
    if len(counts) > MOST_REASONS:
        yield f"And {len(counts) - MOST_REASONS} more reasons, in the column metric_errors of an export."
    for column in results.lacking:
        known = ", ".join(str(other.index) for other in results.series(column.stem))
        yield f"The column {column.name} is empty: no cell has it" + (
            f"; of {column.stem} there are {known}." if known else "."
        )


def _paragraphs(text: str) -> Iterator[str]:
    """Return the parts between blank lines."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            lines.append(line.strip())
        elif lines:
            yield " ".join(lines)
            lines = []


def _notes(*texts: str) -> Iterator[Note]:
    return (Note(text) for text in texts if text)


def _known(tables: Mapping[str, Table], *names: str) -> Iterator[Table]:
    return (tables[name] for name in names if name in tables)


def _tracks(results: Results, tables: Mapping[str, Table]) -> Iterator[Block]:
    """Yield the standings of each track of the suite, or that there are none."""
    for track in results.suite.tracks:
        yield Heading(f"{track.name.capitalize()}: {TRACKS[track.name]}")
        table = tables.get(f"track_{track.name}")
        if table is None:
            yield Note(f"No standings by {track.metric}: they take three finished data sets and three methods.")
        else:
            yield table


def _starts(results: Results, tables: Mapping[str, Table]) -> Iterator[Block]:
    yield from starts.notes(results)
    yield from (table for metric in starts.TABLED for table in _known(tables, f"starts_{metric}"))


def _summary(results: Results) -> Iterator[Block]:
    yield from _notes(outcome(results), *metric_failures(results), matches(judged_of(results)))
    found = {column: tuple(wins(results, column)) for column in results.ranked[:MOST_METRICS]}
    if any(found.values()):
        yield Winners({column: best for column, best in found.items() if best})
    calls = calls_of_winners(results, chain.from_iterable(found.values()))
    if calls:
        yield Note(f"The {'winner' if len(calls) == 1 else 'winners'} in Python, to be fitted to other data:")
        yield Code("\n".join(["import spcabench", "", *calls]))


def _papers(results: Results, tables: Mapping[str, Table]) -> Iterator[Block]:
    found = judged_of(results)
    for block in results.suite.published:
        beside = tuple(beside_ours(results, found, block))
        if beside:
            yield Heading(block.source)
            yield from _notes(block.note)
            yield from beside
    names = tuple(name for name in ("published", "order") if name in tables)
    if names:
        yield Files(names)


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


def figures_of(results: Results) -> Iterator[Figure]:
    """Draw the figures that the suite asks for, or all if it asks for none; leave out those that cannot be drawn."""
    for name in map(str, results.suite.report.figures or FIGURES):
        chart = FIGURES[name].draw(results)
        if chart is not None:
            yield Figure(name, FIGURES[name].heading, FIGURES[name].caption, chart)


def _colours(results: Results) -> Mapping[str, str]:
    """Return the colour of each method in the figures; none has one where there can be no figure."""
    if lacking():
        return dict.fromkeys(results.methods, "transparent")
    from spcabench.report.figures.style import looks

    return {method: look.colour for method, look in looks(results).items()}


def _figures(results: Results) -> Iterator[Block]:
    if lacking():
        yield Note(f"Not drawn: {lacking()}.")
        return
    drawn = list(figures_of(results))
    yield from drawn
    missing = [name for name in results.suite.report.figures if name not in {figure.name for figure in drawn}]
    yield from _notes(*(f"Not drawn: {name}, which needs {FIGURES[name].needs}." for name in missing))


def _data(results: Results) -> Iterator[Block]:
    for name, known in islice(results.draws(), MOST_DRAWS):
        yield Facts(name, "" if known else "never drawn", tuple(draw_facts(known)))
    more = len(results.datasets) - MOST_DRAWS
    if more > 0:
        yield Note(f"And {more} more, in the folder draws.")


def draw_facts(known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return what is known of a draw."""
    words = {"samples": "n_samples", "features": "n_features", "known": "facts", "fingerprint": "fingerprint"}
    for word, name in {**words, "notes": "notes"}.items():
        if value := known.get(name):
            yield word, ", ".join(sorted(map(str, value))) if isinstance(value, list | tuple) else str(value)


def _metric(metric: MetricSpec) -> Facts:
    """Return what a metric is."""
    low, high = ("-∞" if edge == -math.inf else "∞" if edge == math.inf else f"{edge:g}" for edge in metric.range)
    facts = (
        ("formula", metric.formula),
        ("range", f"{low} to {high}, {DIRECTIONS[metric.better]}"),
        ("unit", metric.unit),
        ("smallest difference that matters", f"{metric.margin:g}" if metric.margin else ""),
        ("source", metric.source),
    )
    return Facts(metric.name + ARROWS[metric.better], metric.title, _said(facts))


def _said(facts: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((word, text.strip().rstrip(".")) for word, text in facts if text)


def _suite(results: Results) -> Block:
    text = results.folder.suite_text()
    return Note("Not kept.") if text is None else Code(text, results.folder.suite_file.name)


def _environment(about: Mapping[str, Any]) -> Iterator[Facts]:
    if about:
        yield Facts("", "", tuple((str(name), str(value)) for name, value in about.items()))
