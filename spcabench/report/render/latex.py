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
    shared, named = split(table)
    columns = [[escaped(of.heading), *(_cell(row.entries[at], of) for row in table.shown)] for at, of in named]
    widths = [max(map(len, column)) + 2 for column in columns]  # roughly: marks count as the signs that they are
    align = ["r" if field.numeric else "l" for _, field in named]
    caption = " ".join([table.caption, *(f"{field.heading.capitalize()}: {says}." for field, says in shared)])
    parts = _parts(widths, align)
    found = []
    for number, places in enumerate(parts, 1):
        heading, *rows = [" & ".join(row) + r" \\" for row in zip(*(columns[at] for at in places), strict=True)]
        wide = sum(widths[at] for at in places) > PAGE
        kind = "table*" if wide else "table"
        part = f" Part {number} of {len(parts)}." if len(parts) > 1 else ""
        label = f"tab:{table.name}-{number}" if number > 1 else f"tab:{table.name}"
        found += [
            rf"\begin{{{kind}}}",
            rf"\caption{{{escaped(caption + part)}}}",
            *([rf"\label{{{label}}}"] if table.name else []),
            *([r"\resizebox{\textwidth}{!}{%"] if wide else []),
            rf"\begin{{tabular}}{{{''.join(align[at] for at in places)}}}",
            *(r"\toprule", heading, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}" + "}" * wide,
            rf"\end{{{kind}}}",
            "",
        ]
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


def _cell(entry: Entry, field: Field) -> str:
    text = escaped(entry_text(entry, field))
    return rf"\textbf{{{text}}}" if entry.best else text
