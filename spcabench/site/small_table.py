"""The small table of a leaderboard: a row for each method, with when, where and with what it was made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from spcabench.report.model import Results
from spcabench.report.parts import METHOD, Entry, Field, Row
from spcabench.report.render.csv import table_text
from spcabench.report.tabled import Columns, tabled
from spcabench.site.board import Board, Standing
from spcabench.site.scores import VERSION
from spcabench.suite.models import TRACKS, TrackName

FILE = "leaderboard.csv"
VERSIONS = ("python", "numpy", "scipy", "scikit-learn", "numba")


def text(board: Board, runs: Sequence[Results], source: str) -> str:
    """Return the small table as CSV.

    Parameters
    ----------
    board : Board
        The leaderboard over all data sets.
    runs : sequence of Results
        The runs that it is made from.
    source : str
        The version and the commit of spcabench that it is made with.

    Returns
    -------
    str
        ``rank``, ``rank_low`` and ``rank_high`` are the mean rank against the panel and its 95 % interval, over
        ``datasets`` data sets; ``tier`` is the tied group, 1 being those that may be the best, and empty for those that
        do not enter each data set; then come the scores of the five tracks, ``failed`` of ``planned`` cells,
        ``time_ratio`` to the dense control, and the same in each row: ``panel``, ``scoring`` (the version of the
        scores), ``suite``, ``fitted`` (the days), ``made_with``, ``machine``, ``versions``.
    """
    made = (
        ("panel", ", ".join(board.controls.panel)),
        ("scoring", str(VERSION)),
        ("suite", _each(run.suite.name + (f" ({run.form})" if run.form else "") for run in runs)),
        ("fitted", _each(" to ".join(dict.fromkeys((run.dates[0], run.dates[-1]))) for run in runs if run.dates)),
        ("made_with", source),
        ("machine", _each(str(run.about.get("CPU", "")) for run in runs)),
        ("versions", _each(_versions(run) for run in runs)),
    )
    columns: Columns[Standing] = (
        (METHOD, lambda row: Entry(row.method)),
        *((Field(name, name), _of_rank(place)) for place, name in enumerate(("rank", "rank_low", "rank_high"))),
        (Field("tier", "tier"), lambda row: Entry(row.tier)),
        (Field("datasets", "datasets"), lambda row: Entry(row.rank.n if row.rank else 0)),
        *((Field(track, track), _of_track(track)) for track in TRACKS),
        (Field("failed", "failed"), lambda row: Entry(row.failed)),
        (Field("planned", "planned"), lambda row: Entry(row.planned)),
        (Field("time_ratio", "time_ratio"), lambda row: Entry(_rounded(row.ratio))),
        *((Field(name, name), _constant(words)) for name, words in made),
    )
    table = tabled("", "", columns, board.rows, lambda row, entries: Row(entries, row.method))
    return table_text(table) if table else ""


def _of_rank(place: int) -> Callable[[Standing], Entry]:
    def enter(row: Standing) -> Entry:
        if row.rank is None:
            return Entry(None)
        return Entry(_rounded((row.rank.mean, row.rank.interval.low, row.rank.interval.high)[place]))

    return enter


def _of_track(track: TrackName) -> Callable[[Standing], Entry]:
    return lambda row: Entry(_rounded(row.scores[track].value) if track in row.scores else None)


def _constant(words: str) -> Callable[[Standing], Entry]:
    return lambda row: Entry(words)


def _rounded(value: float) -> float | None:
    """Return a number to four digits; None if it is not finite."""
    return float(f"{value:.4g}") if math.isfinite(value) else None


def _versions(run: Results) -> str:
    return ", ".join(f"{name} {run.about[name]}" for name in VERSIONS if name in run.about)


def _each(words: Iterable[str]) -> str:
    """Return different words once each."""
    return "; ".join(dict.fromkeys(filter(None, words)))
