"""A table in LaTeX, for the package booktabs.  What plugins named is text, never markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spcabench.report.parts import Entry, Field, Table
from spcabench.report.render.text import entry_text, one_line, split

if TYPE_CHECKING:
    import pandas as pd

PAGE = 110
"""Characters of a row that fit the width of a page."""

ESCAPES = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"{{{character}}}" for character in "[]*"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "±": r"$\pm$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "µ": r"$\mu$",
    "μ": r"$\mu$",
    "λ": r"$\lambda$",
    "ℓ": r"$\ell$",
    "—": "---",
    "–": "--",
}
"""Brackets and stars are wrapped: after a line break LaTeX would take them for its argument."""


def escaped(text: str) -> str:
    r"""Escape a text for LaTeX.

    Examples
    --------
    >>> print(escaped("50% of [4, 2]"))
    50\% of {[}4, 2{]}
    """
    return "".join(ESCAPES.get(character, character) for character in one_line(text))


def table_text(table: Table) -> str:
    """Write a table, in rules of booktabs; one that is wider than the page is scaled to it.

    What all rows agree in, such as the only data set, is said in the caption instead of a column.
    """
    import pandas as pd

    rows = table.rows[: table.n_shown]
    shared, fields = split(table)
    cells = [[_cell(row.entries[place], field) for place, field in fields] for row in rows]
    frame = pd.DataFrame(cells, columns=[escaped(field.heading) for _, field in fields])
    align = "".join("r" if field.numeric else "l" for _, field in fields)
    said = [f"{field.heading.capitalize()}: {says}." for field, says in shared]
    caption = " ".join([table.caption, *said])
    tabular = frame.to_latex(index=False, escape=False, column_format=align)
    return _floating(tabular, escaped(caption), table.name, _width(frame) > PAGE)


def _floating(tabular: str, caption: str, name: str, wide: bool) -> str:
    kind = "table*" if wide else "table"
    label = [rf"\label{{tab:{name}}}"] if name else []
    body = [r"\resizebox{\textwidth}{!}{%", tabular.rstrip("\n") + "}"] if wide else [tabular.rstrip("\n")]
    return "\n".join([rf"\begin{{{kind}}}", rf"\caption{{{caption}}}", *label, *body, rf"\end{{{kind}}}"]) + "\n"


def _width(frame: pd.DataFrame) -> int:
    """Return the characters of a row, roughly: marks of LaTeX count, as the bold and the signs that they are."""
    return sum(max(map(len, [str(name), *frame[name]])) + 2 for name in frame)


def _cell(entry: Entry, field: Field) -> str:
    text = escaped(entry_text(entry, field))
    return rf"\textbf{{{text}}}" if entry.best else text
