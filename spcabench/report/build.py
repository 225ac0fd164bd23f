"""The report of a run: what stands in it, from the records alone; and its files, all from this one document."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from spcabench.report import export
from spcabench.report.document import Block, Code, Document, Facts, Heading, Links, Note, Section, Table
from spcabench.report.figures import FIGURES, PICTURES, lacking
from spcabench.report.figures.style import looks
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.papers import beside_ours
from spcabench.report.published import judged_of, matches
from spcabench.report.ranking import sentence, wins
from spcabench.report.render import latex, markdown
from spcabench.report.tables import MOST_METRICS, TABLES
from spcabench.specs import MetricSpec
from spcabench.store.about import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.suite.columns import ARROWS
from spcabench.suite.making import call_of_fit
from spcabench.suite.models import TRACKS

MOST_REASONS = 5
"""Reasons why metrics could not be computed that the summary has."""

MOST_CALLS = 5
"""The summary has the calls of so many winners."""

DIRECTIONS = {"higher": "higher is better", "lower": "lower is better", "neither": "no direction is better"}

FORMATS: Mapping[str, Callable[[Table], str]] = {
    "csv": export.table_text,
    "tex": latex.latex_table,
    "md": markdown.markdown_table,
}
"""How a table is written, by the ending of the file."""


def document(results: Results) -> Document:
    """Build the report of a run.

    Parameters
    ----------
    results : Results
        What was run, and what came of it.
    """
    suite = results.suite
    tables = {name: table for name, make in TABLES.items() if (table := make(results))}

    names = {column.metric for column in results.values}
    used = (spec for name, spec in results.metrics.items() if name in names)
    specs = {label: results.by_name.get(name) for label, name in results.frame[["method", "method_name"]].to_numpy()}
    text, about = results.folder.suite_text(), tuple(results.about.facts.items())

    def known(*names: str) -> Iterator[Table]:
        return (tables[name] for name in names if name in tables)

    sections: tuple[tuple[str, str, Iterable[Block]], ...] = (
        ("summary", "Summary", _summary(results)),
        ("winners", "Best at equal sparsity", known("winners")),
        ("standings", "Standings over the data sets", known("standings")),
        ("results", "Results", known("main")),
        ("tracks", "Standings in the tracks", _tracks(results, tables)),
        ("published", "Published beside measured", _papers(results, tuple(known("published", "claims")))),
        ("figures", "Figures", _figures(results)),
        ("cost", "Cost", known("timing")),
        ("unfinished", "Cells that did not finish, or not converge", known("unfinished")),
        ("data", "Data", (Facts(name, "", tuple(draw_facts(known))) for name, known in results.draws())),
        ("glossary", "Methods", (Facts(label, spec.title, ()) for label, spec in specs.items() if spec and spec.title)),
        ("metrics", "Metrics", map(_metric, used)),
        ("suite", "Suite as run", (Note("Not kept.") if text is None else Code(text, results.folder.suite_file.name),)),
        ("environment", "Environment", (Facts("", "", about),) if about else ()),
        ("reproduce", "To reproduce", (Code(results.about.command),)),
    )
    paragraphs = re.split(r"\n\s*\n", suite.description.strip())
    made = (Section(name, heading, tuple(blocks)) for name, heading, blocks in sections)
    return Document(
        title=suite.title or suite.name,
        sections=tuple(section for section in made if section.blocks),
        tables=tables,
        source=suite.source,
        form=results.about.form,
        description=tuple(" ".join(map(str.strip, part.splitlines())) for part in paragraphs if part),
        stand_ins=tuple(results.stand_ins),
        colours={method: look.colour for method, look in looks(results).items()},
        outcome=f"{' or '.join(map(str, sorted(set(results.frame['n_components']))))} components.  {outcome(results)}",
        lead=sentence(results),
        names={**{one.name: results.words(one) for one in results.columns}, **suite.report.names},
    )


def outcome(results: Results) -> str:
    """Return how many cells were planned and what became of them."""
    often = Counter(sorted(map(str, results.frame["status"]))).most_common()
    became = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in often)
    planned = len(results.frame)
    return f"{planned} cell{'s' * (planned != 1)}: {became}."


def metric_failures(results: Results) -> Iterator[str]:
    """Report the metrics that could not be computed, each reason once, and the columns that no cell has."""
    counts = Counter(filter(None, map(str, results.frame["metric_errors"])))
    for reason, count in counts.most_common(MOST_REASONS):
        yield f"Not computed in {count} cell{'s' * (count != 1)}: {reason}."
    if len(counts) > MOST_REASONS:
        yield f"And {len(counts) - MOST_REASONS} more reasons, in the column metric_errors of an export."
    for column in results.lacking:
        known = ", ".join(str(other.index) for other in results.series[column.stem])
        there = f"; of {column.stem} there are {known}." if known else "."
        yield f"The column {column.name} is empty: no cell has it{there}"


def _notes(*texts: str) -> Iterator[Note]:
    return (Note(text) for text in texts if text)


def _summary(results: Results) -> Iterator[Block]:
    yield from _notes(outcome(results), *metric_failures(results), matches(judged_of(results)))
    leaders = (win.groups[0] for column in results.ranked[:MOST_METRICS] for win in wins(results, column))
    calls = list(dict.fromkeys(call for group in leaders if (call := call_of_group(results, group))))[:MOST_CALLS]
    if calls:
        yield Note(f"The {'winner' if len(calls) == 1 else 'winners'} in Python, to be fitted to other data:")
        yield Code("\n".join(["import spcabench", "", *calls]))


def call_of_group(results: Results, group: Group) -> str:
    """Return the Python that makes the estimator of a group; empty where its method is not known by name.

    The penalty of a method that searched one is that of the first seed that counts.
    """
    record = results.folder.record(str(group.measured[0]["key"])) if group.measured else None
    spec = results.by_name.get(str(group.first("method_name")))
    if record is None or spec is None:
        return ""
    settings = record.fit.settings
    n_components = group.n_components if not settings or "n_components" in settings else None
    return call_of_fit(spec, record.cell["params"], n_components, record.cell["n_nonzero"], record.fit.found)


def _tracks(results: Results, tables: Mapping[str, Table]) -> Iterator[Block]:
    """Yield the standings of each track of the suite, or that there are none."""
    for track in results.suite.tracks:
        yield Heading(f"{track.name.capitalize()}: {TRACKS[track.name]}")
        none = Note(f"No standings by {track.metric}: they take three finished sources and three methods.")
        yield tables.get(f"track_{track.name}") or none


def _papers(results: Results, whole: Sequence[Table]) -> Iterator[Block]:
    found = judged_of(results)
    yield from (table for table in whole if table.name == "claims")
    for block in results.suite.published:
        if beside := beside_ours(found, block):
            yield Heading(block.source)
            yield from _notes(block.note)
            yield beside
    if whole:
        yield Links(tuple((f"all of it: {table.name}", f"tables/{table.name}.csv") for table in whole))


def _figures(results: Results) -> Iterator[Block]:
    """Draw the figures that the suite asks for, or all if it asks for none; say which of these cannot be drawn."""
    if lacking():
        yield Note(f"Not drawn: {lacking()}.")
        return
    asked = map(str, results.suite.report.figures or FIGURES)
    drawn = {name: figure for name in asked if (figure := FIGURES[name].figure(results))}
    yield from drawn.values()
    missing = [name for name in results.suite.report.figures if name not in drawn]
    yield from _notes(*(f"Not drawn: {name}, which needs {FIGURES[name].needs}." for name in missing))


def draw_facts(known: DrawRecord | None) -> Iterator[tuple[str, str]]:
    """Yield what is known of a draw."""
    words = {"samples": "n_samples", "features": "n_features", "known": "facts", "fingerprint": "fingerprint"}
    for word, name in {**words, "notes": "notes"}.items():
        if value := getattr(known, name, None):
            yield word, ", ".join(sorted(value)) if isinstance(value, tuple) else str(value)


def _metric(metric: MetricSpec) -> Facts:
    """Return what a metric is."""
    low, high = ("-∞" if edge == -math.inf else "∞" if edge == math.inf else f"{edge:g}" for edge in metric.range)
    facts = {
        "formula": metric.formula,
        "range": f"{low} to {high}, {DIRECTIONS[metric.better]}",
        "unit": metric.unit,
        "smallest difference that matters": f"{metric.margin:g}" if metric.margin else "",
        "source": metric.source,
    }
    said = tuple((word, text.strip().rstrip(".")) for word, text in facts.items() if text)
    return Facts(metric.name + ARROWS[metric.better], metric.title, said)


def build(results: Results, say: Callable[[str], None] = lambda text: None) -> Path:
    """Write the report of a run into its folder, and return the page in Markdown."""
    return write(document(results), results.folder, say)


def write(report: Document, folder: RunFolder, say: Callable[[str], None] = lambda text: None) -> Path:
    """Write ``report.md``, ``report.html``, ``tables`` and ``figures``.

    Parameters
    ----------
    report : Document
        What they say.
    folder : RunFolder
        The run's folder.
    say : callable
        Reports each figure, since drawing takes a while, or why there is none.

    Returns
    -------
    Path
        The page in Markdown; the one in HTML is beside it.

    Notes
    -----
    The same records make the same bytes, except PDF, whose parts come in random order.  Tables and figures of an
    earlier form of the suite that are no longer made are removed.
    """
    from spcabench.report.render import html

    drawn = {figure.name for figure in report.figures}
    gone = [f"tables/{name}.{ending}" for name in TABLES.keys() - report.tables.keys() for ending in FORMATS]
    gone += [f"figures/{name}.{ending}" for name in FIGURES.keys() - drawn for ending in PICTURES]
    for file in gone:
        folder.remove(file)
    for name, table in report.tables.items():
        for ending, text in FORMATS.items():
            folder.write_text(f"tables/{name}.{ending}", text(table).rstrip("\n") + "\n")
    if lacking():
        say(f"no figure is drawn: {lacking()}")
    for number, figure in enumerate(report.figures, 1):
        say(f"drawing {figure.name} (figure {number} of {len(report.figures)})")
        for kind in PICTURES:
            folder.write_bytes(f"figures/{figure.name}.{kind}", figure.picture(kind))
    folder.write_text("report.html", html.html_page(report))
    return folder.write_text("report.md", markdown.markdown_page(report))
