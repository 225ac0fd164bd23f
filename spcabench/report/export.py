"""A run's results as one file for other programs."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from spcabench.errors import InputError
from spcabench.printable import encoded
from spcabench.report.model import Results
from spcabench.report.render import latex
from spcabench.report.render.csv import harmless
from spcabench.report.tables import main
from spcabench.store.frame import ABOUT_FIT, Level

if TYPE_CHECKING:
    import pandas as pd


def _frame(results: Results) -> pd.DataFrame:
    return results.frame.drop(columns=list(ABOUT_FIT))


def _csv(results: Results) -> bytes:
    from pandas.api.types import is_numeric_dtype

    frame = _frame(results)
    texts = {name: frame[name].map(_cell) for name in frame.columns if not is_numeric_dtype(frame[name])}
    text: str = frame.assign(**texts).to_csv(index=False, lineterminator="\n")
    return encoded(text)


def _cell(value: Any) -> Any:
    return harmless(value) if isinstance(value, str) else value


def _parquet(results: Results) -> bytes:
    try:
        import pandas as pd
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError("parquet needs pyarrow: pip install 'spcabench[parquet]'") from None
    stream = io.BytesIO()
    levels = [level.target for level in results.frame["n_nonzero"]]
    if any(isinstance(target, tuple) for target in levels):
        column = pd.Series([str(level) or None for level in results.frame["n_nonzero"]], dtype="string")
    else:
        column = pd.Series(levels, dtype="Int64")
    _frame(results).assign(n_nonzero=column.array).to_parquet(stream, index=False)
    return stream.getvalue()


def _json(results: Results) -> bytes:
    rows = [{str(name): _plain(value) for name, value in row.items()} for row in _frame(results).to_dict("records")]
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
    return encoded(latex.table_text(table)) if table else b""


EXPORTS: Mapping[str, Callable[[Results], bytes]] = MappingProxyType(
    {"csv": _csv, "parquet": _parquet, "json": _json, "latex": _latex}
)
"""Every format has a row per planned cell, except LaTeX, which has the main table."""
