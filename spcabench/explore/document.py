"""The report of a try: the answer on top, then what it rests on; and all that a try leaves in its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spcabench.explore.answer import Answer, facts
from spcabench.explore.comparing import Reached
from spcabench.explore.figures import figures
from spcabench.explore.refit import notebook
from spcabench.report.build import write
from spcabench.report.document import (
    Code,
    Columns,
    Document,
    Entry,
    Facts,
    Field,
    Heading,
    Note,
    Section,
    Table,
    tabled,
)
from spcabench.report.export import harmless
from spcabench.report.figures import lacking
from spcabench.store.files import write_bytes
from spcabench.store.folder import RunFolder
from spcabench.wording import encoded


def write_answer(found: Answer, folder: RunFolder, say: Callable[[str], None]) -> None:
    """Write the loadings, the Python that fits them again, and the report with its figures."""
    loadings = found.components.rename(index=harmless)
    write_bytes(folder.path / "loadings.csv", encoded(loadings.to_csv()))
    write_bytes(folder.path / "refit.py", encoded(found.script))
    write_bytes(folder.path / "refit.ipynb", encoded(notebook(found.verdict, found.script)))
    write(document(found), folder, say)


def document(answer: Answer) -> Document:
    """Build the report."""
    described = [block for name in answer.components for block in (Heading(str(name)), _component(answer, str(name)))]
    note = Note("This fits it again; refit.py and refit.ipynb beside this page have the same lines.")
    done = tuple((str(number), str(remark)) for number, remark in enumerate(answer.remarks, 1))
    untouched = Note("All columns are features; nothing was changed.")
    parts: Sequence[tuple[str, str, Iterable[Any]]] = (
        ("answer", "The answer", [Facts(question.capitalize(), text, ()) for question, text in facts(answer)]),
        ("figures", "Figures", [Note(f"Not drawn: {lacking()}.")] if lacking() else figures(answer)),
        ("components", "The components", described),
        ("python", "In Python", (note, Code(answer.script))),
        ("methods", "Other methods", (_methods(answer),)),
        ("table", "What was done to the table", (Facts("", "", done) if done else untouched,)),
    )
    sections = [Section(name, heading, tuple(filter(None, blocks))) for name, heading, blocks in parts]
    return Document(
        title=answer.title,
        description=(),
        lead=answer.verdict,
        sections=tuple(section for section in sections if section.blocks),
        tables={block.name: block for one in sections for block in one.blocks if isinstance(block, Table)},
        colours={},
    )


def _component(answer: Answer, name: str) -> Table | None:
    columns: Columns[Any] = (
        (Field("variable", "variable"), lambda one: one[0]),
        (Field("loading", "loading", numeric=True), lambda one: Entry(one[1], text=f"{one[1]:+.3f}")),
        (Field("frequency", "selected, %", numeric=True), lambda one: Entry(one[2], unit="%")),
    )
    loadings = answer.components[name]
    order = loadings[loadings != 0].sort_values(key=abs, ascending=False, kind="stable")
    often = answer.frequencies[name].to_dict()
    rows = [(variable, loading, often[variable]) for variable, loading in order.to_dict().items()]
    return tabled(f"component_{name[2:]}", "Selected: the share of half-samples that select it.", columns, rows)


def _methods(answer: Answer) -> Table | None:
    columns: Columns[Reached] = (
        (Field("method", "method"), lambda one: one.method),
        (
            Field("held_out", "held-out variance", numeric=True, with_sd=True),
            lambda one: Entry(one.held_out, one.sd, unit="share", best=one.tied),
        ),
        (Field("tied", "may be the best"), lambda one: "yes" if one.tied else "no"),
    )
    caption = "The share of the variance of held-out halves, with as many components and nonzeros: mean and deviation."
    return tabled("methods", caption, columns, answer.methods)
