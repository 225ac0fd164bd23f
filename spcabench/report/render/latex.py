"""A table in LaTeX, for the package booktabs.  What plugins named is text, never markup."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.report.document import Entry, Field, Table
from spcabench.report.render.text import entry_text, one_line, split

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


def latex_table(table: Table) -> str:
    """Write a table, in rules of booktabs; one that is wider than the page is scaled to it.

    What all rows agree in, such as the only data set, is said in the caption instead of a column.  A table that
    could not be read when it is scaled comes in parts, each with the columns that name the rows.
    """
    rows = table.shown
    shared, fields = split(table)
    columns = [[escaped(field.heading), *(_cell(row.entries[place], field) for row in rows)] for place, field in fields]
    widths = [max(map(len, column)) + 2 for column in columns]  # roughly: marks count as the signs that they are
    align = ["r" if field.numeric else "l" for _, field in fields]
    said = [f"{field.heading.capitalize()}: {says}." for field, says in shared]
    caption = " ".join([table.caption, *said])
    found = []
    parts = _parts(widths, align)
    for number, places in enumerate(parts, 1):
        part = f" Part {number} of {len(parts)}." if len(parts) > 1 else ""
        name = f"{table.name}-{number}" if table.name and number > 1 else table.name
        tabular = _tabular([columns[place] for place in places], "".join(align[place] for place in places))
        wide = sum(widths[place] for place in places) > PAGE
        found.append(_floating(tabular, escaped(caption + part), name, wide))
    return "\n".join(found)


def _tabular(columns: Sequence[Sequence[str]], align: str) -> str:
    """Set columns, the first of each a heading, between rules."""
    heading, *rows = [" & ".join(row) + r" \\" for row in zip(*columns, strict=True)]
    lines = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", heading, r"\midrule", *rows, r"\bottomrule"]
    return "\n".join([*lines, r"\end{tabular}"])


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
    body = rf"\resizebox{{\textwidth}}{{!}}{{%{chr(10)}{tabular}}}" if wide else tabular
    return "\n".join([rf"\begin{{{kind}}}", rf"\caption{{{caption}}}", *label, body, rf"\end{{{kind}}}"]) + "\n"


def _cell(entry: Entry, field: Field) -> str:
    text = escaped(entry_text(entry, field))
    return rf"\textbf{{{text}}}" if entry.best else text
