"""Results for other programs: a run as one file, and a table as CSV or a data frame, in full precision."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from spcabench.report.document import LEVEL, Table
from spcabench.report.model import Results
from spcabench.report.render.latex import latex_table
from spcabench.report.tables import main
from spcabench.store.frame import ABOUT_FIT, Level
from spcabench.wording import InputError, encoded

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet takes for a formula."""


def table_text(table: Table) -> str:
    """Write a table; text that a spreadsheet would compute is quoted."""
    return csv_text(pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in _columns(table)}))


def table_frame(table: Table) -> pd.DataFrame:
    """Return a table as a data frame; a target is its number, or a tuple of one for each component."""

    def series(name: str, column: list[Any]) -> pd.Series[Any]:
        plain = pd.Series([one.target if isinstance(one, Level) else one for one in column], dtype=object)
        return plain if name == LEVEL.name else plain.infer_objects()

    return pd.DataFrame({name: series(name, column) for name, column in _columns(table)})


def _columns(table: Table) -> Iterator[tuple[str, list[Any]]]:
    """Yield the columns that a program gets, each with its name."""
    for place, field in enumerate(table.fields):
        entries = [row[place] for row in table.rows]
        if field.name:
            yield field.name, [entry.value for entry in entries]
            if field.with_sd:
                yield f"{field.name}_sd", [entry.sd for entry in entries]


def harmless(text: str) -> str:
    """Return a text such that a spreadsheet shows it: one that it would compute as a formula begins with ``'``.

    Examples
    --------
    >>> harmless("=1+1"), harmless("pca")
    ("'=1+1", 'pca')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def csv_text(frame: pd.DataFrame) -> str:
    """Write a frame; text that a spreadsheet would compute is quoted."""
    plain = frame.map(lambda value: harmless(value) if isinstance(value, str) else value)
    return str(plain.to_csv(index=False, lineterminator="\n"))


def _rows(results: Results) -> pd.DataFrame:
    return results.frame.drop(columns=list(ABOUT_FIT))


def _parquet(frame: pd.DataFrame) -> bytes:
    try:
        return bytes(_plain(frame).to_parquet(index=False))
    except ImportError:
        raise InputError("parquet needs pyarrow: pip install 'spcabench[parquet]'") from None


def _json(frame: pd.DataFrame) -> bytes:
    """Write what is not known as null, and infinities as words."""
    plain = _plain(frame).astype(object)
    known = plain.where(plain.notna(), None).replace({math.inf: "inf", -math.inf: "-inf"})
    return encoded(json.dumps(known.to_dict("records"), indent=1, allow_nan=False, ensure_ascii=False) + "\n")


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with targets as numbers, or as text if any has a number for each component."""
    targets = [level.target for level in frame["n_nonzero"]]
    if any(isinstance(target, tuple) for target in targets):
        texts = [str(level) or None for level in frame["n_nonzero"]]
        return frame.assign(n_nonzero=pd.Series(texts, dtype="string", index=frame.index))
    return frame.assign(n_nonzero=pd.array(targets, dtype="Int64"))


EXPORTS: Mapping[str, Callable[[Results], bytes]] = {
    ".csv": lambda results: encoded(csv_text(_rows(results))),
    ".parquet": lambda results: _parquet(_rows(results)),
    ".json": lambda results: _json(_rows(results)),
    ".tex": lambda results: encoded(latex_table(table)) if (table := main(results)) else b"",
}
"""How a run is written, by the end of the file's name: a row per planned cell, or the main table in LaTeX."""
