"""A document in Markdown.  What plugins named is text, never markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from spcabench.report.document import Code, Document, Facts, Heading, Links, Note, Points, Section, Table
from spcabench.report.figures import Figure
from spcabench.report.render.text import first_columns, one_line, split, tabulated

MARKUP = re.compile(r"([\\`*\[\]<>|~$&])|(?<![^\W_])(_)|(_)(?![^\W_])")

WARNING = (
    "> [!WARNING]\n> **STAND-IN DATA. THESE ARE NOT THE RESULTS OF THE REAL DATA SET.**\n"
    "> The real data was not available, and another data set stood in for it. "
    "Nothing below that carries these names says anything about the real data:\n>\n"
)


def markdown_page(document: Document) -> str:
    """Write the page."""
    blocks = [*_opening(document), *(text for section in document.sections for text in _section(section))]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _opening(document: Document) -> Iterator[str]:
    yield f"# {escaped(document.title)}"
    if document.lead:
        yield f"**{escaped(document.lead)}**"
    if document.source:
        yield f"Reproduces: {escaped(document.source)}"
    if document.form:
        yield f"Run at {escaped(document.form)}."
    yield from map(paragraph, document.description)
    if document.stand_ins:
        yield WARNING + "\n".join(f"> - {escaped(name)}" for name in document.stand_ins)


def _section(section: Section) -> Iterator[str]:
    if section.heading:
        yield f"## {escaped(section.heading)}"
    for is_facts, blocks in groupby(section.blocks, key=lambda block: isinstance(block, Facts)):
        yield ("\n" if is_facts else "\n\n").join(filter(None, (WRITERS[type(block)](block) for block in blocks)))


def _figure(block: Figure) -> str:
    shows = escaped(block.title)
    files = f"figures/{block.name}.png)](figures/{block.name}.svg"
    return f"### {escaped(block.heading)}\n\n[![{shows}]({files})\n\n{shows}"


def _facts(block: Facts) -> str:
    """Write one line about a thing, or a line for each fact that stands for itself."""
    said = [f"{escaped(word)}: {escaped(text)}" for word, text in block.facts]
    if not block.name:
        return "\n".join(f"- {fact}" for fact in said)
    return f"- **{escaped(block.name)}**: {'; '.join([*filter(None, [escaped(block.lead)]), *said])}"


def _table(table: Table) -> str:
    files = ", ".join(f"[{label}](tables/{table.name}.{end})" for label, end in (("CSV", "csv"), ("LaTeX", "tex")))
    shared, whole = split(table)
    first = first_columns(whole, table.n_columns)
    says = " ".join(f"{field.heading.capitalize()}: {text}." for field, text in shared)
    away = ", ".join(field.heading for at, field in whole if (at, field) not in first)
    more = f"More columns in the files: {away}." if away else ""
    below = " ".join(filter(None, (*map(escaped, (says, table.words, more)), files if table.name else "")))
    named = [(at, replace(field, heading=", ".join(filter(None, (field.heading, field.title))))) for at, field in first]
    return "\n\n".join(filter(None, (tabulated(table, "pipe", escaped, "**{}**", named), below)))


def markdown_table(table: Table) -> str:
    """Write a table."""
    return tabulated(table, "pipe", escaped, "**{}**")


def escaped(text: str) -> str:
    r"""Escape a text for one line or table cell of Markdown.

    Examples
    --------
    >>> print(escaped("a|b_c"))
    a\|b_c
    """
    return MARKUP.sub(r"\\\g<0>", one_line(text))


def paragraph(text: str) -> str:
    """Escape a text for a paragraph of Markdown: nothing at its start may make it a heading or a list."""
    return re.sub(r"^(\d*)([-+=#.)])", r"\1\\\2", escaped(text))


def fenced(text: str) -> str:
    """Fence a text as code, whatever backticks are in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


WRITERS: Mapping[type, Callable[[Any], str]] = {
    Heading: lambda block: f"### {escaped(block.text)}",
    Note: lambda block: paragraph(block.text),
    Table: _table,
    Figure: _figure,
    Code: lambda block: f"[{block.file}]({block.file})" if block.file else fenced(block.text),
    Facts: _facts,
    Points: lambda block: "\n".join(f"- {escaped(text)}" for text in block.texts),
    Links: lambda block: "\n".join(f"- [{escaped(text)}]({path})" for text, path in block.links),
}
"""How each kind of block is written."""
