"""Tables as frames: what programs get of them, and what readers see; and the rows behind a chart."""

import pandas as pd

from spcabench.report.render.text import entry_text, shown_fields
from spcabench.store.frame import Level


def values(table):
    """Return what programs get: plain names, full precision."""
    return pd.DataFrame([dict(_values(table.fields, row)) for row in table.rows])


def _values(fields, entries):
    for field, entry in zip(fields, entries, strict=True):
        if field.name:
            yield field.name, str(entry.value) if isinstance(entry.value, Level) else entry.value
        if field.with_sd:
            yield f"{field.name}_sd", entry.sd


def cells(table):
    """Return what readers see: a text for every entry."""
    fields = shown_fields(table)
    rows = table.shown
    return pd.DataFrame([{f.heading: entry_text(row[at]) for at, f in fields} for row in rows])


def best_of(table):
    """Return row and heading of the entries that are marked."""
    fields = shown_fields(table)
    return {(n, f.heading) for n, row in enumerate(table.shown) for at, f in fields if row[at].best}


def rows_of(chart, *names):
    """Return the rows behind a chart that have these entries."""
    rows = [row for rows in chart.to_dict()["datasets"].values() for row in rows]
    return [row for row in rows if row.keys() >= set(names)]
