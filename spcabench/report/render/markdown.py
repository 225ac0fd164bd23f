"""A document in Markdown.  What plugins named is text, never markup."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from tabulate import tabulate

from spcabench.report.document import (
    Block,
    Code,
    Document,
    Entry,
    Facts,
    Field,
    Figure,
    Files,
    Heading,
    Links,
    Note,
    Points,
    Section,
    Table,
    Winners,
)
from spcabench.report.headline import sentence
from spcabench.report.ranking import Win
from spcabench.report.render.text import entry_text, measured, names, one_line, shown_fields

MARKUP = re.compile(r"([\\`*\[\]<>|~$&])|(?<![^\W_])(_)|(_)(?![^\W_])")

MOST_WINNERS = 12
"""The summary names the winners one by one up to so many, and counts them beyond."""

WARNING = (
    "> [!WARNING]\n> **STAND-IN DATA. THESE ARE NOT THE RESULTS OF THE REAL DATA SET.**\n"
    "> The real data was not available, and another data set stood in for it. "
    "Nothing below that carries these names says anything about the real data:\n>\n"
)


def page(document: Document) -> str:
    """Write the page."""
    blocks = [*_opening(document), *(text for section in document.sections for text in _section(section))]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _opening(document: Document) -> Iterator[str]:
    yield f"# {escaped(document.title)}"
    if document.leads:
        yield f"**{escaped(sentence(document.leads))}**"
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
        yield ("\n" if is_facts else "\n\n").join(filter(None, map(_block, blocks)))


def _block(block: Block) -> str:
    return WRITERS[type(block)](block)


def _figure(block: Figure) -> str:
    shows = escaped(f"{block.heading}: {block.caption}." if block.caption else f"{block.heading}.")
    files = f"figures/{block.name}.png)](figures/{block.name}.svg"
    return f"### {escaped(block.heading)}\n\n[![{shows}]({files})\n\n{shows}"


def _code(block: Code) -> str:
    return f"[{block.file}]({block.file})" if block.file else fenced(block.text)


def _files(block: Files) -> str:
    return "All of it: " + ", ".join(f"[{name}](tables/{name}.csv)" for name in block.names) + "."


def _facts(block: Facts) -> str:
    """Write one line about a thing, or a line for each fact that stands for itself."""
    said = [f"{escaped(word)}: {escaped(text)}" for word, text in block.facts]
    if not block.name:
        return "\n".join(f"- {fact}" for fact in said)
    return f"- **{escaped(block.name)}**: {'; '.join([*filter(None, [escaped(block.lead)]), *said])}"


def _wins(found: tuple[Win, ...]) -> Iterator[str]:
    """Name the best of each comparison by one column, or count how often each method is the best."""
    if len(found) > MOST_WINNERS:
        counts = Counter(method for win in found for method in win.methods)
        often = ", ".join(f"{escaped(method)} {count}" for method, count in counts.most_common())
        name = escaped(found[0].column.name)
        yield f"{name}, how often not ruled out as the best in {len(found)} comparisons at equal sparsity: {often}."
        return
    for win in found:
        direction = "highest" if win.column.better == "higher" else "lowest"
        value = measured(win.spread.mean, win.spread.sd, win.column.unit)
        where = escaped(f"{win.track.dataset}, {win.track.sparsity}")
        leader, *others = win.methods
        alike = f"; not ruled out as the best: {escaped(names(tuple(others)))}" if others else ""
        yield f"{escaped(win.column.name)}, {direction} on {where}: **{escaped(leader)}** with {value}{alike}."


def _table(table: Table) -> str:
    files = ", ".join(f"[{label}](tables/{table.name}.{end})" for label, end in (("CSV", "csv"), ("LaTeX", "tex")))
    below = " ".join(filter(None, (escaped(table.caption), files if table.name else "")))
    return "\n\n".join(filter(None, (table_text(table), below)))


def table_text(table: Table) -> str:
    """Write a table."""
    fields = shown_fields(table)
    rows = [[_cell(row.entries[place], field) for place, field in fields] for row in table.rows[: table.n_shown]]
    headings = [escaped(field.heading) for _, field in fields]
    align = ["right" if field.numeric else "left" for _, field in fields]
    return tabulate(rows, headings, tablefmt="pipe", disable_numparse=True, colalign=align)


def _cell(entry: Entry, field: Field) -> str:
    text = escaped(entry_text(entry, field))
    return f"**{text}**" if entry.best else text


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
    Winners: lambda block: "\n".join(f"- {line}" for found in block.wins.values() for line in _wins(found)),
    Code: _code,
    Files: _files,
    Facts: _facts,
    Points: lambda block: "\n".join(f"- {escaped(text)}" for text in block.texts),
    Links: lambda block: "\n".join(f"- [{escaped(text)}]({path})" for text, path in block.links),
}
"""How each kind of block is written."""
