"""A table in LaTeX, for the package booktabs.  What plugins named is text, never markup."""

from __future__ import annotations

from spcabench.report.document import Entry, Table
from spcabench.report.render.text import entry_text, one_line, split

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


def latex_table(table: Table) -> str:
    """Write a table, in rules of booktabs; one that is wider than the page is scaled to it.

    What all rows agree in, such as the only data set, is said in the caption instead of a column.
    """
    shared, named = split(table)
    columns = [[escaped(of.heading), *(_cell(row[at]) for row in table.shown)] for at, of in named]
    wide = sum(max(map(len, column)) + 2 for column in columns) > PAGE  # roughly: marks count as the signs they are
    kind = "table*" if wide else "table"
    heading, *rows = [" & ".join(row) + r" \\" for row in zip(*columns, strict=True)]
    caption = " ".join([table.caption, *(f"{field.heading.capitalize()}: {says}." for field, says in shared)])
    lines = [
        rf"\begin{{{kind}}}",
        rf"\caption{{{escaped(caption)}}}",
        *([rf"\label{{tab:{table.name}}}"] if table.name else []),
        *([r"\resizebox{\textwidth}{!}{%"] if wide else []),
        rf"\begin{{tabular}}{{{''.join('r' if field.numeric else 'l' for _, field in named)}}}",
        *(r"\toprule", heading, r"\midrule", *rows, r"\bottomrule"),
        r"\end{tabular}" + "}" * wide,
        rf"\end{{{kind}}}",
        "",
    ]
    return "\n".join(lines)


def _cell(entry: Entry) -> str:
    text = escaped(entry_text(entry))
    return rf"\textbf{{{text}}}" if entry.best else text
