"""The report of a try: the answer on top, then what it rests on; and all that a try leaves in its folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import pandas as pd

from spcabench.explore.answer import Answer, facts, headline
from spcabench.explore.components import CLOSE, Component, Variable
from spcabench.explore.figures import colours, figures
from spcabench.explore.judging import Reached
from spcabench.explore.refit import notebook, script
from spcabench.explore.stability import verdict, word
from spcabench.report.build import write
from spcabench.report.document import Block, Code, Document, Entry, Facts, Field, Heading, Note, Row, Section, Table
from spcabench.store.files import write_bytes
from spcabench.store.folder import RunFolder

MOST_ROWS = 60
"""Rows of a table that readers see."""

Subject = TypeVar("Subject")


def write_answer(found: Answer, folder: RunFolder) -> None:
    """Write the loadings, the Python that fits them again, and the report with its figures."""
    names = [f"PC{j + 1}" for j in range(len(found.whole))]
    loadings = pd.DataFrame(found.whole.T, index=pd.Index(found.table.names, name="variable"), columns=names)
    write_bytes(folder.path / "loadings.csv", loadings.to_csv().encode())
    write_bytes(folder.path / "refit.py", script(found.steps).encode())
    write_bytes(folder.path / "refit.ipynb", notebook(found.source.file.name, found.steps).encode())
    write(document(found), folder)


def document(answer: Answer) -> Document:
    """Build the report."""
    components = [_component(place, component) for place, component in enumerate(answer.components, 1)]
    methods, outliers = _methods(answer), _outliers(answer)
    described = [
        block
        for place, (component, table) in enumerate(zip(answer.components, components, strict=True), 1)
        for block in (Heading(f"PC{place}"), table, Note(" ".join(_about(answer, place, component))))
    ]
    note = Note("This fits it again; refit.py and refit.ipynb beside this page have the same lines.")
    answers = [Facts(question.capitalize(), text, ()) for question, text in facts(answer)]
    sections = (
        Section("answer", "The answer", tuple(answers)),
        Section("python", "In Python", (note, Code(script(answer.steps)))),
        Section("components", "The components", tuple(described)),
        Section("figures", "Figures", tuple(figures(answer))),
        Section("methods", "The methods", (methods, *_unfinished(answer))),
        Section("rows", "Outlying rows", (outliers,) if outliers.rows else ()),
        Section("table", "What was done to the table", (_remarks(answer),)),
    )
    n, d = answer.table.X.shape
    return Document(
        title=f"{answer.source.file.name}: {n} rows, {d} variables",
        description=(headline(answer),),
        sections=tuple(section for section in sections if section.blocks),
        tables={table.name: table for table in (*components, methods, outliers) if table.rows},
        colours=colours(answer),
        n_components=answer.choice.n_components,
    )


def _unfinished(answer: Answer) -> Iterator[Note]:
    said = [f"{name} ({reason or 'no time'})" for name, reason in answer.winner.unfinished]
    if said:
        yield Note(f"Not judged: {'; '.join(said)}.")


def _remarks(answer: Answer) -> Block:
    said = tuple((str(number), str(remark)) for number, remark in enumerate(answer.remarks, 1))
    return Facts("", "", said) if said else Note("All columns are features; nothing was changed.")


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


def _table(
    name: str,
    caption: str,
    columns: Sequence[tuple[Field, Callable[[Subject], Entry]]],
    subjects: Sequence[Subject],
    method: Callable[[Subject], str] = lambda subject: "",
) -> Table:
    """Make a table of a row for each subject from what each column enters."""
    rows = [Row(tuple(enter(one) for _, enter in columns), method=method(one)) for one in subjects]
    return Table(name, caption, tuple(field for field, _ in columns), tuple(rows), min(len(rows), MOST_ROWS))


def _component(place: int, component: Component) -> Table:
    columns: Sequence[tuple[Field, Callable[[Variable], Entry]]] = (
        (Field("variable", "variable"), lambda one: Entry(one.name)),
        (Field("loading", "loading", numeric=True, signed=True, places=3), lambda one: Entry(one.loading)),
        (Field("correlation", "correlation", numeric=True, signed=True, places=2), lambda one: Entry(one.correlation)),
        (Field("frequency", "selected, %", numeric=True), lambda one: Entry(one.frequency, unit="%")),
        (Field("word", "support"), lambda one: Entry(word(one.frequency))),
        (Field("agreement", "tied methods, %", numeric=True), lambda one: Entry(one.agreement, unit="%")),
    )
    caption = "Correlation with the score; share of the halves that select it; share of the tied methods that have it."
    return _table(f"component_{place}", caption, columns, component.variables)


def _methods(answer: Answer) -> Table:
    winner = answer.winner
    measured = "held-out variance" if winner.n_halves else "variance"
    columns: Sequence[tuple[Field, Callable[[Reached], Entry]]] = (
        (Field("method", "method"), lambda one: Entry(one.method, best=one.method == winner.method)),
        (
            Field("held_out", measured, numeric=True, with_sd=True),
            lambda one: Entry(one.held_out, one.sd, unit="share", best=one.tied),
        ),
        (Field("tied", "may be the best"), lambda one: Entry("yes" if one.tied else "no")),
        (Field("seconds", "seconds of a fit", numeric=True), lambda one: Entry(one.seconds, unit="s")),
    )
    shares = "The share of the variance at the chosen sparsity"
    caption = f"{shares}: mean and standard deviation of {winner.n_halves} halves."
    return _table("methods", caption, columns, winner.reached, lambda one: one.method)


def _outliers(answer: Answer) -> Table:
    found, table = answer.outliers, answer.table
    columns: Sequence[tuple[Field, Callable[[int], Entry]]] = (
        (Field("row", "row of the file", numeric=True), lambda i: Entry(int(table.rows[i]))),
        (Field("label", table.label or "label"), lambda i: Entry(table.classes[i] if table.classes else "")),
        (Field("score", "score distance", numeric=True, places=2), lambda i: Entry(float(found.score[i]))),
        (
            Field("orthogonal", "orthogonal distance", numeric=True, places=2),
            lambda i: Entry(float(found.orthogonal[i])),
        ),
    )
    distances = "Distances as multiples of what flags a row, within the robust components and from them"
    return _table("outliers", f"{distances}; the farthest first.", columns, found.flagged.tolist())
