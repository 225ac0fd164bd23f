"""A table in LaTeX, for the package booktabs.  What plugins named is text, never markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spcabench.report.parts import Entry, Field, Table
from spcabench.report.render.text import entry_text, one_line, split

if TYPE_CHECKING:
    import pandas as pd

PAGE = 110
"""Characters of a row that fit the width of a page."""

MOST_SCALED = 2 * PAGE
"""Characters of a row that can be read when they are scaled to the width of a page."""

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

    What all rows agree in, such as the only data set, is said in the caption instead of a column.  A table that
    could not be read when it is scaled comes in parts, each with the columns that name the rows.
    """
    import pandas as pd

    rows = table.rows[: table.n_shown]
    shared, fields = split(table)
    cells = [[_cell(row.entries[place], field) for place, field in fields] for row in rows]
    frame = pd.DataFrame(cells, columns=[escaped(field.heading) for _, field in fields])
    align = ["r" if field.numeric else "l" for _, field in fields]
    said = [f"{field.heading.capitalize()}: {says}." for field, says in shared]
    caption = " ".join([table.caption, *said])
    found = []
    parts = _parts(_widths(frame), align)
    for number, places in enumerate(parts, 1):
        some, which = frame.iloc[:, places], "".join(align[place] for place in places)
        tabular = some.to_latex(index=False, escape=False, column_format=which)
        part = f" Part {number} of {len(parts)}." if len(parts) > 1 else ""
        name = f"{table.name}-{number}" if table.name and number > 1 else table.name
        found.append(_floating(tabular, escaped(caption + part), name, sum(_widths(some)) > PAGE))
    return "\n".join(found)


def _parts(widths: Sequence[int], align: Sequence[str]) -> list[list[int]]:
    """Divide columns, by their places, into tables that fit the page; all have the first ones, which name the rows."""
    if sum(widths) <= MOST_SCALED:
        return [list(range(len(widths)))]
    first = align.index("r") if "r" in align else 1
    names, parts = list(range(first)), list[list[int]]()
    room = max(PAGE - sum(widths[:first]), PAGE // 2)
    left = 0
    for place in range(first, len(widths)):
        if not parts or widths[place] > left:
            parts.append([*names])
            left = room
        parts[-1].append(place)
        left -= widths[place]
    return parts


def _floating(tabular: str, caption: str, name: str, wide: bool) -> str:
    kind = "table*" if wide else "table"
    label = [rf"\label{{tab:{name}}}"] if name else []
    body = [r"\resizebox{\textwidth}{!}{%", tabular.rstrip("\n") + "}"] if wide else [tabular.rstrip("\n")]
    return "\n".join([rf"\begin{{{kind}}}", rf"\caption{{{caption}}}", *label, *body, rf"\end{{{kind}}}"]) + "\n"


def _widths(frame: pd.DataFrame) -> list[int]:
    """Return the characters of each column, roughly: marks of LaTeX count, as the bold and the signs that they are."""
    return [max(map(len, [str(name), *frame.iloc[:, place]])) + 2 for place, name in enumerate(frame.columns)]


def _cell(entry: Entry, field: Field) -> str:
    text = escaped(entry_text(entry, field))
    return rf"\textbf{{{text}}}" if entry.best else text
