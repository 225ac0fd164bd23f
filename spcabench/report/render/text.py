"""Entries as a reader wants them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tabulate import tabulate

from spcabench.report.document import Entry, Field, Table
from spcabench.store.frame import Level

NOTHING = "—"

UNITS = ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms"), (120.0, 1.0, "s"), (7200.0, 1 / 60, "min"), (math.inf, 1 / 3600, "h"))


MANY = 7
"""From ten to this power on, and below a ten-thousandth, a number is shown with a power of ten."""


def entry_text(entry: Entry) -> str:
    """Write an entry: its text, or its value, and the note in brackets, or alone where there is no value."""
    if entry.text:
        return entry.text
    value = _value_text(entry)
    if not entry.note:
        return value
    return entry.note if value == NOTHING else f"{value} ({entry.note})"


def _value_text(entry: Entry) -> str:
    value = entry.value
    if value is None or isinstance(value, Level):
        return str(value or "") or NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value} of {entry.planned}" if entry.planned not in (None, value) else str(value)
    return measured(value, entry.sd, entry.unit)


def tabulated(
    table: Table, form: str, escaped: Callable[[str], str], bold: str, fields: Sequence[tuple[int, Field]] = ()
) -> str:
    """Write the rows and columns of a table that readers see, in a form that `tabulate` knows.

    Parameters
    ----------
    escaped : callable
        Makes text of what is no markup.
    bold : str
        How the best stands out, with braces for its text.
    fields : sequence of (int, Field)
        The columns with their places; all that readers see if not given.
    """
    fields = fields or shown_fields(table)
    rows = []
    for row in table.shown:
        texts = ((row[place].best, escaped(entry_text(row[place]))) for place, _ in fields)
        rows.append([bold.format(text) if best else text for best, text in texts])
    align = ["right" if field.numeric else "left" for _, field in fields]
    headings = [escaped(field.heading) for _, field in fields]
    return tabulate(rows, headings, tablefmt=form, disable_numparse=True, colalign=align)


def split(table: Table) -> tuple[list[tuple[Field, str]], list[tuple[int, Field]]]:
    """Part the columns that readers see: what all shown rows agree in with what it says, and the others by place."""
    rows = table.shown
    shared, others = [], []
    for place, field in shown_fields(table):
        if field.shared and len(rows) > 1 and len({row[place].value for row in rows}) == 1:
            shared.append((field, entry_text(rows[0][place])))
        else:
            others.append((place, field))
    return shared, others


def first_columns(columns: Sequence[tuple[int, Field]], most: int) -> list[tuple[int, Field]]:
    """Return the columns that a page shows at once, in their order."""
    chosen = sorted(columns, key=lambda one: (one[1].rank, one[0]))[:most]
    return sorted(chosen, key=lambda one: one[0])


def decimals(*parts: float) -> int | None:
    """Return the decimals of four significant digits of the largest of some numbers.

    Whole numbers have none; None stands for a power of ten with three decimals.

    Examples
    --------
    >>> decimals(905.0617), decimals(0.87), decimals(400.0), decimals(1.2e-7)
    (1, 4, 0, None)
    """
    largest = max(map(abs, parts))
    if math.isinf(largest) or (largest < 10**MANY and all(float(part).is_integer() for part in parts)):
        return 0
    magnitude = math.floor(math.log10(largest))
    return max(0, 3 - magnitude) if -4 <= magnitude < MANY else None


def with_sd(mean: float, sd: float) -> str:
    """Write a mean with four significant digits, and its standard deviation to the same place.

    Examples
    --------
    >>> with_sd(905.0617, 2.34), with_sd(905.0617, math.nan), with_sd(0.87, 0.0), with_sd(400.0, 0.0)
    ('905.1 ± 2.3', '905.1', '0.8700 ± 0.0000', '400 ± 0')
    >>> [with_sd(mean, math.nan) for mean in (0.80133, 0.0, -2.5, 123456.7, 1.2e-7, math.inf, math.nan)]
    ['0.8013', '0', '-2.500', '123457', '1.200e-07', 'inf', '—']
    """
    if math.isnan(mean):
        return NOTHING
    parts = [mean] if math.isnan(sd) else [mean, sd]
    places = decimals(*parts)
    return " ± ".join(format(part, ".3e" if places is None else f".{places}f") for part in parts)


def duration(seconds: float, sd: float = math.nan) -> str:
    """Write a time, and its standard deviation, in the unit that suits it.

    Examples
    --------
    >>> duration(2e-6), duration(0.00123), duration(2.26, 0.1), duration(561.23), duration(36000.0), duration(0.0)
    ('2 µs', '1.230 ms', '2.260 ± 0.100 s', '9.354 min', '10 h', '0')
    """
    if math.isnan(seconds):
        return NOTHING
    if seconds == 0:
        return "0"
    factor, unit = next((factor, unit) for limit, factor, unit in UNITS if seconds < limit)
    return f"{with_sd(seconds * factor, sd * factor)} {unit}"


def measured(mean: float, sd: float, unit: str) -> str:
    """Write what was measured: a time, a percentage or a number."""
    if unit == "s":
        return duration(mean, sd)
    factor = 100 if unit == "%" else 1
    return with_sd(factor * mean, factor * sd)


def listed(labels: Sequence[str], most: int = 5) -> str:
    """Name the first of some things, and count the others."""
    more = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {more} more" if more > 0 else "")


def shown_fields(table: Table) -> list[tuple[int, Field]]:
    """Return the fields that readers see, each with its place among the entries of a row."""
    return [(place, field) for place, field in enumerate(table.fields) if field.heading]


def one_line(text: str) -> str:
    """Leave out what moves the cursor: control characters, line breaks."""
    return " ".join("".join(c for c in word if c.isprintable()) for word in text.split())
