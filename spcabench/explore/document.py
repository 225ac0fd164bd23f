"""The report of a try: the answer on top, then what it rests on; and all that a try leaves in its folder."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from spcabench.explore.answer import Answer, facts, headline
from spcabench.explore.components import CLOSE, Component
from spcabench.explore.figures import figures
from spcabench.explore.judging import Reached, verdict, word
from spcabench.explore.refit import notebook, script
from spcabench.report.build import write
from spcabench.report.document import (
    Block,
    Code,
    Columns,
    Document,
    Entry,
    Facts,
    Field,
    Heading,
    Note,
    Row,
    Section,
    Table,
    tabled,
)
from spcabench.report.export import harmless
from spcabench.report.figures.style import looks
from spcabench.store.files import write_bytes
from spcabench.store.folder import RunFolder
from spcabench.wording import encoded


def write_answer(found: Answer, folder: RunFolder) -> None:
    """Write the loadings, the Python that fits them again, and the report with its figures."""
    names = [f"PC{j + 1}" for j in range(len(found.whole))]
    variables = pd.Index(map(harmless, found.table.how.features), name="variable")
    loadings = pd.DataFrame(found.whole.T, index=variables, columns=names)
    write_bytes(folder.path / "loadings.csv", encoded(loadings.to_csv()))
    write_bytes(folder.path / "refit.py", script(found.steps).encode())
    write_bytes(folder.path / "refit.ipynb", notebook(found.source.file.name, found.steps).encode())
    write(document(found), folder)


def document(answer: Answer) -> Document:
    """Build the report."""
    methods, outliers = _methods(answer), _outliers(answer)
    described: list[Block | None] = []
    for place, component in enumerate(answer.components, 1):
        about = Note(" ".join(_about(answer, place, component)))
        described += [Heading(f"PC{place}"), _component(place, component), about]
    note = Note("This fits it again; refit.py and refit.ipynb beside this page have the same lines.")
    answers = [Facts(question.capitalize(), text, ()) for question, text in facts(answer)]
    parts: Sequence[tuple[str, str, Iterable[Block | None]]] = (
        ("answer", "The answer", answers),
        ("python", "In Python", (note, Code(script(answer.steps)))),
        ("components", "The components", described),
        ("figures", "Figures", figures(answer)),
        ("methods", "The methods", (methods, *_unfinished(answer))),
        ("rows", "Outlying rows", (outliers,)),
        ("table", "What was done to the table", (_remarks(answer),)),
    )
    sections = [Section(name, heading, tuple(filter(None, blocks))) for name, heading, blocks in parts]
    n, d = answer.table.X.shape
    return Document(
        title=f"{answer.source.file.name}: {n} rows, {d} variables",
        description=(headline(answer),),
        sections=tuple(section for section in sections if section.blocks),
        tables={block.name: block for one in sections for block in one.blocks if isinstance(block, Table)},
        colours={method: look.colour for method, look in looks(answer.results).items()},
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
    if len(component.left_out):
        named = " and ".join(f"{name} ({frequency:.0%})" for name, frequency in component.left_out.items())
        yield f"Just left out: {named} of the halves."


def _component(place: int, component: Component) -> Table | None:
    columns: Columns[Any] = (
        (Field("variable", "variable"), lambda one: one.Index),
        (Field("loading", "loading", numeric=True, signed=True, places=3), lambda one: one.loading),
        (Field("correlation", "correlation", numeric=True, signed=True, places=2), lambda one: one.correlation),
        (Field("frequency", "selected, %", numeric=True), lambda one: Entry(one.frequency, unit="%")),
        (Field("word", "support"), lambda one: word(one.frequency)),
        (Field("agreement", "tied methods, %", numeric=True), lambda one: Entry(one.agreement, unit="%")),
    )
    caption = "Correlation with the score; share of the halves that select it; share of the tied methods that have it."
    return tabled(f"component_{place}", caption, columns, list(component.variables.itertuples()))


def _methods(answer: Answer) -> Table | None:
    winner = answer.winner
    measured = "held-out variance" if winner.n_halves else "variance"
    columns: Columns[Reached] = (
        (Field("method", "method"), lambda one: Entry(one.method, best=one.method == winner.method)),
        (
            Field("held_out", measured, numeric=True, with_sd=True),
            lambda one: Entry(one.held_out, one.sd, unit="share", best=one.tied),
        ),
        (Field("tied", "may be the best"), lambda one: "yes" if one.tied else "no"),
        (Field("seconds", "seconds of a fit", numeric=True), lambda one: Entry(one.seconds, unit="s")),
    )
    shares = "The share of the variance at the chosen sparsity"
    caption = f"{shares}: mean and standard deviation of {winner.n_halves} halves."
    return tabled("methods", caption, columns, winner.reached, lambda one, entries: Row(entries, one.method))


def _outliers(answer: Answer) -> Table | None:
    found, table = answer.outliers, answer.table
    columns: Columns[int] = (
        (Field("row", "row of the file", numeric=True), lambda i: int(table.rows[i])),
        (Field("label", table.how.label or "label"), lambda i: table.classes[i] if table.classes else ""),
        (Field("score", "score distance", numeric=True, places=2), lambda i: float(found.score[i])),
        (Field("orthogonal", "orthogonal distance", numeric=True, places=2), lambda i: float(found.orthogonal[i])),
    )
    distances = "Distances as multiples of what flags a row, within the robust components and from them"
    return tabled("outliers", f"{distances}; the farthest first.", columns, found.flagged.tolist())
