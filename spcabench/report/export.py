"""Results for other programs: a run as one file, and a table as CSV or a data frame, in full precision."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import LEVEL, Table
from spcabench.report.model import Results
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


ABOUT_LOADINGS = ("dataset", "method", "start", "n_components", "n_nonzero", "seed")
"""The columns that say whose loadings they are."""


def _loadings(results: Results) -> pd.DataFrame:
    """Return a row per nonzero of the loadings of every cell that has any; components are counted from 1."""
    draws = {draw: results.folder.draw_record(str(draw)) for draw in results.frame["draw_id"].unique()}
    parts = []
    for cell in results.frame[["key", "draw_id", *ABOUT_LOADINGS]].to_dict("records"):
        key, draw = cell.pop("key"), draws[cell.pop("draw_id")]
        kept = results.folder.loadings(str(key)) if key else None
        if kept is not None:
            component, feature = np.nonzero(kept["components"])
            named = draw.feature_names if draw else ()
            names = [named[i] if named else f"x{i}" for i in feature]
            entries = {"component": component + 1, "feature": names, "value": kept["components"][component, feature]}
            parts.append(pd.DataFrame({**{str(name): value for name, value in cell.items()}, **entries}))
    empty = pd.DataFrame(columns=[*ABOUT_LOADINGS, "component", "feature", "value"])
    return pd.concat(parts or [empty], ignore_index=True)


def csv_text(frame: pd.DataFrame) -> str:
    """Write a frame; text that a spreadsheet would compute is quoted."""
    plain = frame.map(lambda value: harmless(value) if isinstance(value, str) else value)
    return str(plain.to_csv(index=False, lineterminator="\n"))


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


Export = Callable[[Results], bytes]


def _exports(rows: Callable[[Results], pd.DataFrame]) -> dict[str, Export]:
    """Return how rows are written, by format."""
    return {
        "csv": lambda results: encoded(csv_text(rows(results))),
        "parquet": lambda results: _parquet(rows(results)),
        "json": lambda results: _json(rows(results)),
    }


EXPORTS: Mapping[str, Export] = _exports(lambda results: results.frame.drop(columns=list(ABOUT_FIT)))
"""Every format has a row per planned cell."""

LOADINGS: Mapping[str, Export] = _exports(_loadings)
"""Every format has a row per nonzero of the loadings."""
