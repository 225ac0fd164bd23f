"""A table in LaTeX, for the package booktabs.  What plugins named is text, never markup."""

from __future__ import annotations

from tabulate import LATEX_ESCAPE_RULES

from spcabench.report.document import Table
from spcabench.report.render.text import one_line, split, tabulated

PAGE = 110
"""Characters of a row that fit the width of a page."""

ESCAPES = {
    **LATEX_ESCAPE_RULES,
    **{character: f"{{{character}}}" for character in "[]*"},
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
    body = tabulated(table, "latex_raw", escaped, r"\textbf{{{}}}", named)
    for rule in ("toprule", "midrule", "bottomrule"):
        body = body.replace(r"\hline", rf"\{rule}", 1)
    wide = max(map(len, body.splitlines())) > PAGE  # roughly: marks count as the signs they are
    kind = "table*" if wide else "table"
    caption = " ".join([table.caption, *(f"{field.heading.capitalize()}: {says}." for field, says in shared)])
    lines = [
        rf"\begin{{{kind}}}",
        rf"\caption{{{escaped(caption)}}}",
        *([rf"\label{{tab:{table.name}}}"] if table.name else []),
        f"\\resizebox{{\\textwidth}}{{!}}{{%\n{body}}}" if wide else body,
        rf"\end{{{kind}}}",
        "",
    ]
    return "\n".join(lines)
