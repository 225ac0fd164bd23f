"""The small table of a leaderboard: a row for each method, with when, where and with what it was made."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path

import spcabench
from spcabench.report.document import Columns, Field, Value, tabled
from spcabench.report.export import table_text
from spcabench.report.model import Results
from spcabench.site.board import Board, Standing
from spcabench.site.headline import CLOSE
from spcabench.site.presets import Preset
from spcabench.site.run_page import days_of
from spcabench.site.scores import VERSION, Mean
from spcabench.suite.models import TRACKS, TrackName

FILE = "leaderboard.csv"
VERSIONS = ("python", "numpy", "scipy", "scikit-learn", "numba")


def text(boards: Sequence[Preset], runs: Sequence[Results], source: str) -> str:
    """Return the small table as CSV.

    Parameters
    ----------
    boards : sequence of Preset
        The leaderboards, that over all data sets first.
    runs : sequence of Results
        The runs that it is made from.
    source : str
        The version and the commit of spcabench that it is made with.

    Returns
    -------
    str
        ``rank``, ``rank_low`` and ``rank_high`` are the mean rank against the panel and its 95 % interval, over
        ``datasets`` data sets,
        and ``tier`` is 1 for those that may be the best; then come the scores of the five tracks, ``failed`` of
        ``planned`` cells, ``time_ratio`` to the dense control; the interval of each score, such as ``recovery_low``,
        and yes in ``recovery_tied`` if the method may be the best of the track; rank and tier in each preset, such as
        ``wide_rank``; and the same in each row: ``panel``, ``scoring`` (the version of the scores), ``suite``,
        ``fitted`` (the days), ``made_with``, ``machine``, ``versions``.
    """
    whole, *others = boards
    made = {
        "panel": ", ".join(whole.board.controls.panel),
        "scoring": str(VERSION),
        "suite": _each(run.suite.name + (f" ({run.form})" if run.form else "") for run in runs),
        "fitted": _each(map(days_of, runs)),
        "made_with": source,
        "machine": _each(str(run.about.get("CPU", "")) for run in runs),
        "versions": _each(_versions(run) for run in runs),
    }
    alike = {track: tied(whole.board, track) for track in TRACKS}
    elsewhere = [(preset.name, {row.method: row for row in preset.board.rows}) for preset in others]
    rows = []
    for row in whole.board.rows:
        cells: dict[str, Value] = {"method": row.method, **_rank("", row)}
        cells |= {"datasets": row.rank.n if row.rank else 0}
        cells |= {track: _four(row.scores[track].value) if track in row.scores else None for track in TRACKS}
        cells |= {"failed": row.costs.failed, "planned": row.costs.planned, "time_ratio": _four(row.costs.ratio)}
        for track in TRACKS:
            cells |= _ends(track, row.scores.get(track))
            cells |= {f"{track}_tied": "yes" if row.method in alike[track] else None}
        for name, standings in elsewhere:
            cells |= _rank(f"{name}_", standings.get(row.method))
        rows.append({**cells, **made})
    columns: Columns[dict[str, Value]] = [(Field(name, name), itemgetter(name)) for name in rows[0]]
    found = tabled("", "", columns, rows)
    return table_text(found) if found else ""


def _rank(prefix: str, row: Standing | None) -> dict[str, Value]:
    """Return rank and tier of a method on a leaderboard, empty where it has none."""
    rank = row.rank if row else None
    cells: dict[str, Value] = {f"{prefix}rank": _four(rank.value) if rank else None}
    return cells | _ends(f"{prefix}rank", rank) | {f"{prefix}tier": row.tier if row else None}


def _ends(name: str, mean: Mean | None) -> dict[str, Value]:
    low, high = (mean.interval.low, mean.interval.high) if mean else (math.nan, math.nan)
    return {f"{name}_low": _four(low), f"{name}_high": _four(high)}


def _four(value: float) -> float | None:
    """Return a number to four digits, or nothing where it is not finite."""
    return float(f"{value:.4g}") if math.isfinite(value) else None


def tied(board: Board, track: TrackName) -> frozenset[str]:
    """Return the best of a track and the methods that the data sets do not tell from it.

    These are the methods whose difference to the best has a 95 % interval that holds 0, or that have the same score.
    """
    found = board.whole_scores(track)
    if not found:
        return frozenset()
    top, scale = max(found, key=found.__getitem__), board.scales[track]
    near = (
        label for label in found if found[top] - found[label] < CLOSE or scale.beyond(top, label).interval.low <= 0.0
    )
    return frozenset(near)


def _versions(run: Results) -> str:
    return ", ".join(f"{name} {run.about[name]}" for name in VERSIONS if name in run.about)


def _each(words: Iterable[str | None]) -> str:
    """Return different words once each."""
    return "; ".join(dict.fromkeys(filter(None, words)))


def source() -> str:
    """Return the version of the package, and the commit if it is used from a checkout of its repository."""
    name = f"spcabench {version('spcabench')}"
    root = Path(spcabench.__file__).parent.parent
    if not (root / ".git").exists():
        return name
    command = ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return name
    return f"{name}, commit {asked.stdout.strip()}"
