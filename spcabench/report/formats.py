"""A table as Markdown, LaTeX and CSV.  What plugins named is text, never markup."""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd
from tabulate import tabulate

from spcabench.report.tables import Table

MARKDOWN = re.compile(r"([\\`*\[\]<>|~$&])|(?<![^\W_])(_)|(_)(?![^\W_])")

LATEX = {
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


def markdown_text(text: str) -> str:
    r"""Escape a text for one line or table cell of Markdown.

    Examples
    --------
    >>> print(markdown_text("a|b_c"))
    a\|b_c
    """
    return MARKDOWN.sub(r"\\\g<0>", _one_line(text))


def latex_text(text: str) -> str:
    r"""Escape a text for LaTeX.

    Examples
    --------
    >>> print(latex_text("50% of [4, 2]"))
    50\% of {[}4, 2{]}
    """
    return "".join(LATEX.get(character, character) for character in _one_line(text))


def _one_line(text: str) -> str:
    """Leave out what moves the cursor: control characters, line breaks."""
    return " ".join("".join(c for c in word if c.isprintable()) for word in text.split())


def to_markdown(table: Table) -> str:
    """Write a table in Markdown."""
    cells = _marked(table, "**", "**", markdown_text)
    rows = cells.to_numpy().tolist()
    align = ["right" if name in table.right else "left" for name in table.cells.columns]
    return tabulate(rows, list(cells.columns), tablefmt="pipe", disable_numparse=True, colalign=align)


def to_latex(table: Table) -> str:
    """Write a table in LaTeX, for the package booktabs."""
    cells = _marked(table, r"\textbf{", "}", latex_text)
    align = "".join("r" if name in table.right else "l" for name in table.cells.columns)
    return cells.to_latex(index=False, escape=False, column_format=align, caption=latex_text(table.caption))


def to_csv(table: Table) -> str:
    """Write a table as CSV: plain names, full precision."""
    return table.values.to_csv(index=False, lineterminator="\n")


def _marked(table: Table, before: str, after: str, escape: Callable[[str], str]) -> pd.DataFrame:
    rows = [
        [
            f"{before}{escape(text)}{after}" if (row, name) in table.best else escape(text)
            for name, text in zip(table.cells.columns, texts, strict=True)
        ]
        for row, texts in enumerate(table.cells.itertuples(index=False, name=None))
    ]
    return pd.DataFrame(rows, columns=[escape(name) for name in table.cells.columns])
