"""The report of a try: the answer on top, then what it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator

from spcabench.explore.answer import Answer, facts, headline
from spcabench.explore.components import CLOSE, Component
from spcabench.explore.figures import figures
from spcabench.explore.refit import script
from spcabench.explore.stability import verdict, word
from spcabench.explore.winner import Winner
from spcabench.report.document import Block, Code, Document, Entry, Facts, Field, Heading, Note, Row, Section, Table
from spcabench.report.figures.style import HUES, QUIET

MOST_ROWS = 60
MOST_OUTLIERS = 40


def document(answer: Answer) -> Document:
    """Build the report."""
    tables = {table.name: table for table in _tables(answer)}
    n, d = answer.table.X.shape
    components = tuple(_component_blocks(answer, tables))
    sections = (
        Section(
            "answer", "The answer", tuple(Facts(question.capitalize(), text, ()) for question, text in facts(answer))
        ),
        Section("python", "In Python", _python(answer)),
        Section("components", "The components", components),
        Section("figures", "Figures", tuple(figures(answer))),
        Section("methods", "The methods", (tables["methods"], *_unfinished(answer.winner))),
        Section("rows", "Outlying rows", (tables["outliers"],) if "outliers" in tables else ()),
        Section("table", "What was done to the table", tuple(_findings(answer))),
    )
    return Document(
        title=f"{answer.source.file.name}: {n} rows, {d} variables",
        description=(headline(answer),),
        sections=tuple(section for section in sections if section.blocks),
        tables=tables,
        colours=_colours(answer),
        n_components=answer.choice.n_components,
    )


def _colours(answer: Answer) -> dict[str, str]:
    loud = [answer.winner.method, *answer.winner.tied]
    hues = iter(HUES)
    return {
        name: next(hues, QUIET) if name in loud else QUIET for name in sorted(answer.curve, key=lambda n: n not in loud)
    }


def _python(answer: Answer) -> tuple[Block, ...]:
    note = "This fits it again; refit.py and refit.ipynb beside this page have the same lines."
    return Note(note), Code(script(answer.steps))


def _findings(answer: Answer) -> Iterator[Block]:
    said = tuple((str(number), str(finding)) for number, finding in enumerate(answer.findings, 1))
    yield Facts("", "", said) if said else Note("All columns are features; nothing was changed.")


def _tables(answer: Answer) -> Iterator[Table]:
    for place, component in enumerate(answer.components, 1):
        yield _component_table(place, component)
    yield _methods(answer.winner)
    if len(answer.outliers.flagged):
        yield _outliers(answer)


def _component_blocks(answer: Answer, tables: dict[str, Table]) -> Iterator[Block]:
    for place, component in enumerate(answer.components, 1):
        yield Heading(f"PC{place}")
        yield tables[f"component_{place}"]
        yield Note(" ".join(_about(answer, place, component)))


def _about(answer: Answer, place: int, component: Component) -> Iterator[str]:
    rules = [ks[place - 1] for ks in answer.choice.rules.values()]
    yield f"It holds {component.share:.1%} of the variance."
    yield (
        f"The nearest principal component is number {component.nearest} (cosine {component.cosine:.2f}); it keeps "
        f"{component.kept:.0%} of the variance of that one."
    )
    if len(set(rules)) > 1:
        yield f"The rules choose between {min(rules)} and {max(rules)} variables."
    if component.overlap > CLOSE:
        yield f"Its cosine with another sparse component is {component.overlap:.2f}: they share variance."
    index = answer.stability.kuncheva[place - 1]
    if not math.isnan(index):
        yield f"Its choice of variables is {verdict(index)} (Kuncheva {index:.2f})."
    if component.left_out:
        named = " and ".join(f"{name} ({frequency:.0%})" for name, frequency in component.left_out)
        yield f"Just left out: {named} of the halves."


def _component_table(place: int, component: Component) -> Table:
    fields = (
        Field("variable", "variable"),
        Field("loading", "loading", numeric=True, signed=True, places=3),
        Field("correlation", "correlation", numeric=True, signed=True, places=2),
        Field("frequency", "selected, %", numeric=True),
        Field("word", "support"),
        Field("agreement", "tied methods, %", numeric=True),
    )
    rows = tuple(
        Row(
            (
                Entry(variable.name),
                Entry(variable.loading),
                Entry(variable.correlation),
                Entry(variable.frequency, unit="%"),
                Entry(word(variable.frequency)),
                Entry(variable.agreement, unit="%"),
            )
        )
        for variable in component.variables
    )
    caption = "Correlation with the score; share of the halves that select it; share of the tied methods that have it."
    return Table(f"component_{place}", caption, fields, rows, min(len(rows), MOST_ROWS))


def _methods(winner: Winner) -> Table:
    measured = "held-out variance" if winner.n_halves else "variance"
    fields = (
        Field("method", "method"),
        Field("held_out", measured, numeric=True, with_sd=True),
        Field("tied", "may be the best"),
        Field("seconds", "seconds of a fit", numeric=True),
    )
    rows = tuple(
        Row(
            (
                Entry(one.method, best=one.method == winner.method),
                Entry(one.held_out, one.sd, unit="share", best=one.tied),
                Entry("yes" if one.tied else "no"),
                Entry(one.seconds, unit="s"),
            ),
            method=one.method,
        )
        for one in winner.standings
    )
    caption = (
        f"The share of the variance at the chosen sparsity: mean and standard deviation of {winner.n_halves} halves."
    )
    return Table("methods", caption, fields, rows, len(rows))


def _unfinished(winner: Winner) -> Iterator[Block]:
    if winner.unfinished:
        yield Note(
            "Not judged: " + "; ".join(f"{name} ({reason or 'no time'})" for name, reason in winner.unfinished) + "."
        )


def _outliers(answer: Answer) -> Table:
    found = answer.outliers
    fields = (
        Field("row", "row of the file", numeric=True),
        Field("label", answer.table.label or "label"),
        Field("score", "score distance", numeric=True, places=2),
        Field("orthogonal", "orthogonal distance", numeric=True, places=2),
    )
    rows = tuple(
        Row(
            (
                Entry(int(answer.table.rows[i])),
                Entry(answer.table.classes[i] if answer.table.classes else ""),
                Entry(float(found.score[i])),
                Entry(float(found.orthogonal[i])),
            )
        )
        for i in found.flagged
    )
    caption = (
        "Distances as multiples of what flags a row, within the robust components and from them; the farthest first."
    )
    return Table("outliers", caption, fields, rows, min(len(rows), MOST_OUTLIERS))
