"""A run's results as one file for other programs."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from spcabench.errors import InputError
from spcabench.report.formats import to_latex
from spcabench.report.results import Results
from spcabench.report.tables import main


def _csv(results: Results) -> bytes:
    text: str = results.frame.to_csv(index=False, lineterminator="\n")
    return text.encode()


def _parquet(results: Results) -> bytes:
    try:
        import pandas as pd
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError("parquet needs pyarrow: pip install 'spcabench[parquet]'") from None
    stream = io.BytesIO()
    levels = [_level(text) for text in results.frame["n_nonzero"]]
    if any(isinstance(level, str) for level in levels):
        column = pd.Series([None if level is None else str(level) for level in levels], dtype="string")
    else:
        column = pd.Series(levels, dtype="Int64")
    results.frame.assign(n_nonzero=column.array).to_parquet(stream, index=False)
    return stream.getvalue()


def _json(results: Results) -> bytes:
    rows = [
        {str(name): _plain(value) for name, value in row.items()} | {"n_nonzero": _level(row["n_nonzero"])}
        for row in results.frame.to_dict("records")
    ]
    return (json.dumps(rows, indent=1, allow_nan=False, ensure_ascii=False) + "\n").encode()


def _level(text: str) -> int | str | None:
    """Return a sparsity level as a number, as text where it is one for each component, or None where there is none."""
    return int(text) if text.isdecimal() else text or None


def _plain(value: Any) -> Any:
    """Write nan as null and infinities as words, as records do."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def _latex(results: Results) -> bytes:
    return to_latex(main(results)).encode()


EXPORTS: Mapping[str, Callable[[Results], bytes]] = MappingProxyType(
    {"csv": _csv, "parquet": _parquet, "json": _json, "latex": _latex}
)
"""Every format: a row per planned cell, but for LaTeX, which has the main table."""
