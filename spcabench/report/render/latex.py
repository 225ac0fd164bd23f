"""A table in LaTeX, for the package booktabs.  What plugins named is text, never markup."""

from __future__ import annotations

from spcabench.report.parts import Entry, Field, Table
from spcabench.report.render.text import entry_text, one_line, shown_fields

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
    """Write a table."""
    import pandas as pd

    fields = shown_fields(table)
    rows = [[_cell(row.entries[place], field) for place, field in fields] for row in table.rows[: table.n_shown]]
    cells = pd.DataFrame(rows, columns=[escaped(field.heading) for _, field in fields])
    align = "".join("r" if field.numeric else "l" for _, field in fields)
    return cells.to_latex(index=False, escape=False, column_format=align, caption=escaped(table.caption))


def _cell(entry: Entry, field: Field) -> str:
    text = escaped(entry_text(entry, field))
    return rf"\textbf{{{text}}}" if entry.best else text
