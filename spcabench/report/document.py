"""What a page is made of: sections of tables, figures, notes.  Values alone; every format writes them its own way."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from spcabench.report.figures import Figure
from spcabench.report.groups import Spread
from spcabench.store.frame import Level

MOST_ROWS = 1000
"""Rows of a table for readers; all rows are in the CSV."""

MOST_COLUMNS = 6
"""Columns of a table that a page shows at once, unless the table says another number."""

Value = float | int | str | bool | Level | None


@dataclass(frozen=True)
class Entry:
    """What stands where a row and a column of a table meet.

    Parameters
    ----------
    value : number, str, bool, Level or None
        What was measured or named; None and nan are nothing.
    sd : float
        Its standard deviation over the seeds; nan if there is none.
    unit : str
        As of `spcabench.specs.MetricSpec`, or ``%`` for a share that readers see as a percentage.
    best : bool
        Whether it is the best of a comparison.
    note : str
        What readers should know about it.
    planned : int, optional
        Of a number of seeds that finished: how many were planned.
    text : str
        What readers see in place of the value, which programs get and rows are sorted by; empty if they see that.
    href : str
        Where it leads on a page; empty if nowhere.
    """

    value: Value
    sd: float = math.nan
    unit: str = ""
    best: bool = False
    note: str = ""
    planned: int | None = None
    text: str = ""
    href: str = ""

    @classmethod
    def of(cls, spread: Spread, unit: str = "", best: bool = False) -> Entry:
        """Enter what was measured."""
        return cls(spread.mean, spread.sd, unit, best)


@dataclass(frozen=True)
class Field:
    """A column of a table.

    Parameters
    ----------
    name : str
        For programs; empty if they do not get it.
    heading : str
        For readers; empty if they do not see it.
    numeric : bool
        Whether it stands to the right.
    with_sd : bool
        Whether programs get the standard deviation as a column of its own.
    shared : bool
        Whether it may be said once above the table, where all rows agree.
    title : str
        What readers know it by, where the heading is a symbol.
    rank : int
        Of more than `MOST_COLUMNS` columns a page shows those of the lowest rank, the first ones first.
    """

    name: str
    heading: str
    numeric: bool = False
    with_sd: bool = False
    shared: bool = False
    title: str = ""
    rank: int = 0


DATASET = Field("dataset", "data set", shared=True)
COMPONENTS = Field("n_components", "components", shared=True, rank=1)
LEVEL = Field("n_nonzero", "nonzeros")
METHOD = Field("method", "method")


Row = tuple[Entry, ...]
"""A row of a table: an entry for each field."""


@dataclass(frozen=True)
class Table:
    """A table for readers and for programs.

    Parameters
    ----------
    name : str
        The name of its files; empty if it has none.
    caption : str
        What it shows.
    fields : tuple of Field
        Its columns.
    rows : tuple of Row
        All of them.
    n_columns : int
        How many columns a page shows at once; the others are there on demand.
    """

    name: str
    caption: str
    fields: tuple[Field, ...]
    rows: tuple[Row, ...]
    n_columns: int = MOST_COLUMNS

    @property
    def shown(self) -> tuple[Row, ...]:
        """The rows that readers see."""
        return self.rows[:MOST_ROWS]

    @property
    def words(self) -> str:
        """The caption, with how many rows a page leaves out."""
        where = f"; all are in tables/{self.name}.csv" if self.name else ""
        more = f" The first {MOST_ROWS} of {len(self.rows)} rows{where}."
        return self.caption + (more if len(self.rows) > MOST_ROWS else "")

    def method_of(self, row: Row) -> str:
        """Return the label of the method that a row is about; empty if it is about none."""
        return next((str(entry.value) for field, entry in zip(self.fields, row, strict=True) if field == METHOD), "")


Subject = TypeVar("Subject")
Columns = Sequence[tuple[Field, Callable[[Subject], Entry | Value]]]
"""The columns of a table: each field, and how the entry of a row, or its bare value, is made."""


def tabled(name: str, caption: str, columns: Columns[Subject], subjects: Sequence[Subject]) -> Table | None:
    """Make a table with a row for each subject; None if there is none."""
    if not subjects:
        return None
    return Table(
        name,
        caption,
        tuple(field for field, _ in columns),
        tuple(tuple(_entry(enter(subject)) for _, enter in columns) for subject in subjects),
    )


def _entry(made: Entry | Value) -> Entry:
    return made if isinstance(made, Entry) else Entry(made)


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True)
class Note:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Facts:
    """What is known of something, by words; its name and what it is are empty where each fact stands for itself."""

    name: str
    lead: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """Lines to be read or copied as they are; those of a file may be folded away."""

    text: str
    file: str = ""


@dataclass(frozen=True)
class Links:
    """Links: what they say, and where they lead, from the root of the pages."""

    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Points:
    """Sentences below one another."""

    texts: tuple[str, ...]


Block = Heading | Note | Facts | Code | Links | Points | Figure | Table


@dataclass(frozen=True)
class Section:
    """A section: a name for links, a heading, and what stands below it."""

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A report.

    Parameters
    ----------
    title, source, form : str
        What it is about, what it reproduces, and at which scale it was run.
    sections : tuple of Section
        What stands on the page.
    tables : mapping of str to Table
        Every table, by the name of its files.
    description : tuple of str
        The paragraphs that open it.
    stand_ins : tuple of str
        The data sets for which another stood in.
    colours : mapping of str to str
        The methods in the order of the suite, each with its colour in the figures.
    outcome : str
        How many components were fitted, and what became of the cells.
    lead : str
        What the page comes to: who leads by the first metric, or the verdict on a table; empty if it comes to nothing.
    names : mapping of str to str
        What readers call methods and metrics, by label and name.
    """

    title: str
    sections: tuple[Section, ...]
    tables: Mapping[str, Table]
    source: str = ""
    form: str = ""
    description: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    colours: Mapping[str, str] | None = None
    outcome: str = ""
    lead: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def figures(self) -> list[Figure]:
        """Every figure."""
        return [block for section in self.sections for block in section.blocks if isinstance(block, Figure)]
