"""The small table of a leaderboard: a row for each method, with when, where and with what it was made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from spcabench.report.document import METHOD, Columns, Entry, Field, Row, tabled
from spcabench.report.model import Results
from spcabench.report.render.csv import table_text
from spcabench.site import situations
from spcabench.site.board import Standing
from spcabench.site.presets import Preset
from spcabench.site.scores import VERSION
from spcabench.site.situations import number_column
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
    made = (
        ("panel", ", ".join(boards[0].board.controls.panel)),
        ("scoring", str(VERSION)),
        ("suite", _each(run.suite.name + (f" ({run.form})" if run.form else "") for run in runs)),
        ("fitted", _each(" to ".join(dict.fromkeys((run.dates[0], run.dates[-1]))) for run in runs if run.dates)),
        ("made_with", source),
        ("machine", _each(str(run.about.get("CPU", "")) for run in runs)),
        ("versions", _each(_versions(run) for run in runs)),
    )
    columns: Columns[Standing] = (
        (METHOD, lambda row: Entry(row.method)),
        number_column("rank", lambda row: row.rank.mean if row.rank else None),
        number_column("rank_low", lambda row: row.rank.interval.low if row.rank else None),
        number_column("rank_high", lambda row: row.rank.interval.high if row.rank else None),
        (Field("tier", "tier"), lambda row: Entry(row.tier)),
        (Field("datasets", "datasets"), lambda row: Entry(row.rank.n if row.rank else 0)),
        *(number_column(track, _score(track)) for track in TRACKS),
        (Field("failed", "failed"), lambda row: Entry(row.failed)),
        (Field("planned", "planned"), lambda row: Entry(row.planned)),
        number_column("time_ratio", lambda row: row.ratio),
        *situations.columns(boards),
        *((Field(name, name), _constant(words)) for name, words in made),
    )
    table = tabled("", "", columns, boards[0].board.rows, lambda row, entries: Row(entries, row.method))
    return table_text(table) if table else ""


def _score(track: TrackName) -> Callable[[Standing], float | None]:
    return lambda row: row.scores[track].value if track in row.scores else None


def _constant(words: str) -> Callable[[Standing], Entry]:
    return lambda row: Entry(words)


def _versions(run: Results) -> str:
    return ", ".join(f"{name} {run.about[name]}" for name in VERSIONS if name in run.about)


def _each(words: Iterable[str]) -> str:
    """Return different words once each."""
    return "; ".join(dict.fromkeys(filter(None, words)))
