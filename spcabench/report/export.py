"""A run's results as one file for other programs."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from spcabench.report.model import Results
from spcabench.report.render import latex
from spcabench.report.render.csv import harmless
from spcabench.report.tables import main
from spcabench.store.frame import ABOUT_FIT, Level
from spcabench.wording import InputError, encoded

if TYPE_CHECKING:
    import pandas as pd

ABOUT_LOADINGS = ("dataset", "method", "start", "n_components", "n_nonzero", "seed")
"""The columns that say whose loadings they are."""


def _loadings(results: Results) -> pd.DataFrame:
    """Return a row per nonzero of the loadings of every cell that has any; components are counted from 1."""
    import pandas as pd

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


def _csv(frame: pd.DataFrame) -> bytes:
    text: str = frame.map(_harmless).to_csv(index=False, lineterminator="\n")
    return encoded(text)


def _harmless(value: Any) -> Any:
    return harmless(value) if isinstance(value, str) else value


def _parquet(frame: pd.DataFrame) -> bytes:
    try:
        import pandas as pd
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError("parquet needs pyarrow: pip install 'spcabench[parquet]'") from None
    stream = io.BytesIO()
    levels = [level.target for level in frame["n_nonzero"]]
    if any(isinstance(target, tuple) for target in levels):
        column = pd.Series([str(level) or None for level in frame["n_nonzero"]], dtype="string")
    else:
        column = pd.Series(levels, dtype="Int64")
    frame.assign(n_nonzero=column.array).to_parquet(stream, index=False)
    return stream.getvalue()


def _json(frame: pd.DataFrame) -> bytes:
    rows = [{str(name): _plain(value) for name, value in row.items()} for row in frame.to_dict("records")]
    return encoded(json.dumps(rows, indent=1, allow_nan=False, ensure_ascii=False) + "\n")


def _plain(value: Any) -> Any:
    """Write nan as null and infinities as words, as records do; a target as its number, or one a component as text."""
    if isinstance(value, Level):
        return value.target if isinstance(value.target, int) else str(value) or None
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def _latex(results: Results) -> bytes:
    table = main(results)
    return encoded(latex.latex_table(table)) if table else b""


Export = Callable[[Results], bytes]

_WRITERS = {"csv": _csv, "parquet": _parquet, "json": _json}


def _exports(rows: Callable[[Results], pd.DataFrame]) -> dict[str, Export]:
    """Return how rows are written, by format."""

    def written(write: Callable[[pd.DataFrame], bytes]) -> Export:
        return lambda results: write(rows(results))

    return {form: written(write) for form, write in _WRITERS.items()}


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {**_exports(lambda results: results.frame.drop(columns=list(ABOUT_FIT))), "latex": _latex}
)
"""Every format has a row per planned cell, except LaTeX, which has the main table."""

LOADINGS: Mapping[str, Export] = MappingProxyType(_exports(_loadings))
"""Every format has a row per nonzero of the loadings."""
