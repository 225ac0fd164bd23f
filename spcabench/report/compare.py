"""What changed between two runs: metrics, times, statuses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.store.status import FINISHED
from spcabench.suite.columns import Column, Direction
from spcabench.suite.values import from_start

PAIRED_BY = ["dataset", "method", "n_components", "n_nonzero", "seed"]
"""What two cells have in common that are compared."""

TOLERANCE = 1e-9
"""Relative difference of a metric up to which it counts as unchanged."""

ROUNDING = 1e-12
"""Numbers that differ by no more are the same zero, rounded otherwise."""

LEAST_RATIO = 1.05
"""A time that changed by less is not worth reporting."""

CONFIDENCE = 0.95
"""With which all verdicts about times hold at once."""


@dataclass(frozen=True)
class Comparison:
    """What changed from run A to run B.

    Parameters
    ----------
    n_pairs : int
        Cells in both runs.
    n_compared : int
        Those that finished in both, and so have metrics and times to compare.
    metrics : DataFrame
        A row for each metric that changed, by data set, sparsity and method.
    times : DataFrame
        A row for each method.
    times_by_dataset : DataFrame
        A row for each method and data set.
    statuses : DataFrame
        A row for each cell whose status changed.
    unpaired : DataFrame
        A row for each cell that is only in one run, and in which.
    """

    n_pairs: int
    n_compared: int
    metrics: pd.DataFrame
    times: pd.DataFrame
    times_by_dataset: pd.DataFrame
    statuses: pd.DataFrame
    unpaired: pd.DataFrame


def frame_of(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Make a frame of rows; columns in the order in which they first appear."""
    return pd.DataFrame(rows, columns=list(dict.fromkeys(name for row in rows for name in row)))


def compare(a: pd.DataFrame, b: pd.DataFrame, columns: Sequence[Column]) -> Comparison:
    """Compare two runs, cell by cell.

    Parameters
    ----------
    a, b : DataFrame
        The results frames of the earlier and the later run.
    columns : sequence of Column
        The metrics; those that only one run has, and times, are left out.

    Returns
    -------
    Comparison
    """
    a, b = (run.assign(n_nonzero=run["n_nonzero"].map(str), method=_labels(run)) for run in (a, b))
    joined = a.merge(b, on=PAIRED_BY, how="outer", suffixes=("_a", "_b"), indicator=True, sort=False)
    both = joined[joined["_merge"] == "both"]
    finished = both[both["status_a"].isin(FINISHED) & both["status_b"].isin(FINISHED)]
    metrics = [column for column in columns if {column.name} <= {*a.columns} & {*b.columns} and column.unit != "s"]
    changes = [row for column in metrics for row in _changes(finished, column)]
    return Comparison(
        len(both),
        len(finished),
        frame_of(changes),
        time_ratios(finished, ["method"]),
        time_ratios(finished, ["method", "dataset"]),
        _statuses(both),
        _unpaired(joined),
    )


def _labels(run: pd.DataFrame) -> list[str]:
    """Return the method of each cell, with where it starts if that is not its own start."""
    return list(map(from_start, run["method"], run["start"]))


def _changes(pairs: pd.DataFrame, column: Column) -> Iterator[dict[str, Any]]:
    """Return a row for each method, data set and sparsity at which a metric changed for any seed."""
    for keys, group in pairs.groupby(PAIRED_BY[:-1], sort=False):
        x, y = (group[f"{column.name}_{run}"].to_numpy(dtype=float) for run in "ab")
        changed = differs(x, y)
        if changed.any():
            difference = (y - x)[changed]
            yield {
                **dict(zip(PAIRED_BY[:-1], keys, strict=True)),
                "metric": column.name,
                "seeds": len(group),
                "changed": int(changed.sum()),
                "a": _mean(x),
                "b": _mean(y),
                "difference": _mean(difference),
                "largest": float(np.abs(difference[~np.isnan(difference)]).max(initial=0.0)),
                "verdict": _verdict(difference, column.better),
            }


def differs(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which numbers differ by more than rounding; nan is equal to nan alone.

    Examples
    --------
    >>> import numpy as np
    >>> differs(np.array([1.0, 1.0, np.nan]), np.array([1.0 + 1e-12, 1.1, np.nan])).tolist()
    [False, True, False]
    """
    return np.asarray(~np.isclose(x, y, rtol=TOLERANCE, atol=ROUNDING, equal_nan=True))


def _mean(values: NDArray[Any]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _verdict(difference: NDArray[Any], better: Direction) -> str:
    signs = set(np.sign(difference[~np.isnan(difference)]))
    if better == "neither" or not signs:
        return "changed"
    if len(signs) > 1:
        return "mixed"
    return "better" if (signs == {1.0}) == (better == "higher") else "worse"


def time_ratios(pairs: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Compare the times of fits, pair by pair.

    Parameters
    ----------
    pairs : DataFrame
        Cells that finished in both runs: ``fit_time_a`` and ``fit_time_b``, medians over the repeats.
    by : sequence of str
        The columns that make a row.

    Returns
    -------
    DataFrame
        For each row: the medians, the median ratio b/a of the pairs with its interval, the extreme ratios, and
        the verdict.

    Notes
    -----
    The interval is that of the sign test, which assumes nothing about the distribution of times.  Where there are
    too few pairs for it, it is Student's for the logarithms of the ratios, with a spread no smaller than that of
    the typical row: three times that agree by luck prove nothing.  Either is widened (Bonferroni) so that all rows
    hold at once: among forty methods nothing is called a change by chance.
    """
    timed = pairs[(pairs["fit_time_a"] > 0) & (pairs["fit_time_b"] > 0)]
    groups = [(keys, group, _ratios(group)) for keys, group in timed.groupby(list(by), sort=False)]
    spreads = [float(np.log(ratios).std(ddof=1)) for _, _, ratios in groups if len(ratios) > 1]
    typical = float(np.median(spreads)) if spreads else math.inf
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(groups))
    return frame_of(
        [
            dict(zip(by, keys, strict=True)) | _ratio_row(group, ratios, interval(ratios, confidence, typical))
            for keys, group, ratios in groups
        ]
    )


def _ratios(group: pd.DataFrame) -> NDArray[Any]:
    return (group["fit_time_b"] / group["fit_time_a"]).to_numpy(dtype=float)


def interval(ratios: NDArray[Any], confidence: float, typical: float) -> tuple[float, float]:
    """Return the interval of the sign test, or with too few ratios Student's of their logarithms."""
    low, high = sign_interval(ratios, confidence)
    return (low, high) if math.isfinite(high) else student_interval(ratios, confidence, typical)


def _ratio_row(group: pd.DataFrame, ratios: NDArray[Any], ends: tuple[float, float]) -> dict[str, Any]:
    (low, high), ratio = ends, float(np.median(ratios))
    return {
        "pairs": len(ratios),
        "time a": float(group["fit_time_a"].median()),
        "time b": float(group["fit_time_b"].median()),
        "ratio": ratio,
        "low": low,
        "high": high,
        "least": float(ratios.min()),
        "most": float(ratios.max()),
        "verdict": _time_verdict(ratio, low, high),
    }


def _time_verdict(ratio: float, low: float, high: float) -> str:
    if math.isinf(high):
        return "too few pairs"
    if low <= 1.0 <= high:
        return "within noise"
    if 1 / LEAST_RATIO < ratio < LEAST_RATIO:
        return "unchanged"
    return "slower" if ratio > 1 else "faster"


def sign_interval(values: NDArray[Any], confidence: float) -> tuple[float, float]:
    """Return the interval of the sign test for the median; from 0 to infinity if there are too few values.

    Examples
    --------
    >>> import numpy as np
    >>> sign_interval(np.arange(1.0, 9.0), 0.95)
    (1.0, 8.0)
    >>> sign_interval(np.arange(1.0, 5.0), 0.95)
    (0.0, inf)
    """
    from scipy.stats import binom

    ordered = np.sort(values)
    n = len(ordered)
    outside = sum(2 * binom.cdf(rank, n, 0.5) <= 1 - confidence for rank in range(n // 2))
    return (float(ordered[outside - 1]), float(ordered[n - outside])) if outside else (0.0, math.inf)


def student_interval(ratios: NDArray[Any], confidence: float, least_sd: float) -> tuple[float, float]:
    """Return Student's interval for the geometric mean of ratios, of whose logarithms the least spread is known."""
    from scipy.stats import t

    n = len(ratios)
    if n < 2:
        return 0.0, math.inf
    logs = np.log(ratios)
    half = t.ppf(0.5 + confidence / 2, n - 1) * max(logs.std(ddof=1), least_sd) / math.sqrt(n)
    return float(np.exp(logs.mean() - half)), float(np.exp(logs.mean() + half))


def _statuses(both: pd.DataFrame) -> pd.DataFrame:
    changed = both[both["status_a"] != both["status_b"]]
    return changed[[*PAIRED_BY, "status_a", "status_b", "reason_b"]].rename(
        columns={"status_a": "a", "status_b": "b", "reason_b": "reason in b"}
    )


def _unpaired(joined: pd.DataFrame) -> pd.DataFrame:
    single = joined[joined["_merge"] != "both"]
    only = single["_merge"].map({"left_only": "a", "right_only": "b"}).astype(str)
    return single[PAIRED_BY].assign(only=only)
