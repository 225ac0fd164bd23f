"""The pages of leaderboards: the front page, and those of the presets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spcabench.analysis.intervals import Interval
from spcabench.report.document import METHOD, Entry, Field, Note, Row, Table, tabled
from spcabench.report.render.html import Cell, Grid, sort_number
from spcabench.site.board import Board, Standing
from spcabench.site.headline import CLOSE, by_track, datasets, headline
from spcabench.site.pages import Links, Page, Points, Section
from spcabench.site.presets import Preset
from spcabench.site.scores import CLIP, FAILURE, Scale
from spcabench.suite.models import TRACKS, TrackName

NOTHING = "—"


@dataclass(frozen=True)
class BoardColumn:
    """A column of a leaderboard: its field, the value that programs get and the text that readers see."""

    field: Field
    enter: Callable[[Standing], Entry]
    text: Callable[[Standing], str]


def columns(board: Board) -> Iterator[BoardColumn]:
    """Yield the columns of a leaderboard."""
    yield BoardColumn(METHOD, lambda row: Entry(row.method), lambda row: row.method)
    yield BoardColumn(Field("rank", "mean rank", numeric=True), _rank, _rank_text)
    yield BoardColumn(
        Field("tier", "tier", numeric=True),
        lambda row: Entry(row.tier, best=row.tier == 1),
        lambda row: NOTHING if row.tier is None else str(row.tier),
    )
    yield BoardColumn(
        Field("time_ratio", "time, ratio", numeric=True),
        lambda row: Entry(row.ratio),
        lambda row: f"{row.ratio:.3g} ×" if math.isfinite(row.ratio) else NOTHING,
    )
    for track in board.scales:
        yield _track_column(board, track)
    yield BoardColumn(
        Field("fits", "fits of the search", numeric=True),
        lambda row: Entry(row.fits),
        lambda row: _number(row.fits, 1),
    )
    yield BoardColumn(
        Field("failed", "failed or missed", numeric=True),
        lambda row: Entry(row.failed, planned=row.planned),
        lambda row: f"{row.failed} of {row.planned}",
    )


def _track_column(board: Board, track: TrackName) -> BoardColumn:
    def value(row: Standing) -> float:
        return row.scores[track].value if track in row.scores else math.nan

    def whole(row: Standing) -> float:
        return value(row) if track in row.scores and row.scores[track].whole else math.nan

    def enter(row: Standing) -> Entry:
        return Entry(value(row), best=not row.dense and whole(row) >= _top(board, whole) - CLOSE)

    def text(row: Standing) -> str:
        if track not in row.scores:
            return f"cannot enter: {row.outside[track]}"
        score = row.scores[track]
        some = f" on {score.n} of {score.of}" if not score.whole else ""
        clipped = f" †{score.clipped}" if score.clipped else ""
        return f"{score.value:.1f}{_between(score.interval)}{some}{clipped}{' ◆' * (track in row.front)}"

    return BoardColumn(Field(track, track, numeric=True), enter, text)


def _top(board: Board, value: Callable[[Standing], float]) -> float:
    return max((value(row) for row in board.rows if not row.dense and math.isfinite(value(row))), default=math.inf)


def _rank(row: Standing) -> Entry:
    return Entry(row.rank.mean if row.rank else None)


def _rank_text(row: Standing) -> str:
    if row.rank is None:
        return "control" if row.dense else NOTHING
    some = f" on {row.rank.n} of {row.rank.of}" if not row.rank.whole else ""
    return f"{row.rank.mean:.1f}{_between(row.rank.interval)}{some}"


def _between(interval: Interval) -> str:
    finite = math.isfinite(interval.low) and math.isfinite(interval.high)
    return f" ({interval.low:.1f} to {interval.high:.1f})" if finite else ""


def _number(value: float, places: int) -> str:
    return f"{value:.{places}f}" if math.isfinite(value) else NOTHING


def table(board: Board) -> Table | None:
    """Return a leaderboard for programs, at full precision."""
    front = Field("front", "Pareto front"), lambda row: Entry(", ".join(row.front) or None)
    kept = [*((column.field, column.enter) for column in columns(board)), front]
    return tabled("", "", kept, board.rows, lambda row, entries: Row(entries, row.method))


def grid(board: Board) -> Grid:
    """Return a leaderboard for readers."""
    kept = list(columns(board))
    rows = [(row.method, [_cell(column, row) for column in kept]) for row in board.rows]
    return Grid("", _caption(board), [], [column.field for column in kept], rows)


def _cell(column: BoardColumn, row: Standing) -> Cell:
    entry = column.enter(row)
    return Cell(column.text(row), sort_number(entry), entry.best)


def _caption(board: Board) -> str:
    least, most = CLIP
    controls = board.controls
    return (
        f"A mean rank is against a fixed panel of {len(controls.panel)} methods, 1 being better than all of them at "
        "each target; in brackets is the 95 % interval.  Where a method cannot enter some data sets, the row says "
        "on how many it is.  Those of tier 1 may be the best over the data sets, those of tier 2 the best of the "
        "rest, and so on.  Scores are in points between two controls, which no other method moves; a target gives "
        f"from {least:g} to {most:g}, a failure {FAILURE:g}, and a target at which the controls agree gives none to "
        f"anybody; † and a number count targets held to an end.  Bold scores are within {CLOSE:g} points of the "
        "best.  There is no score over all tracks: its weights would be the result.  Time is that of fit and "
        f"search, as a ratio to {controls.dense}; on the Pareto front of a track, ◆, no other method has as good a "
        "score in as little time.  Fits of the search are the mean number for a cell, 0 where the number of "
        "nonzeros is set."
    )


@dataclass(frozen=True)
class MadeFrom:
    """What a leaderboard is made from.

    Parameters
    ----------
    runs : Table, optional
        The runs.
    conflicts : tuple of str
        What does not agree between those that were merged.
    left_out : str
        Which data sets do not count yet; empty if all do.
    """

    runs: Table | None
    conflicts: tuple[str, ...] = ()
    left_out: str = ""


def page(preset: Preset, title: str, made_from: MadeFrom) -> Page:
    """Return the page of a leaderboard; it ends with what it is made from."""
    board = preset.board
    tracks = tuple(f"{track.capitalize()}: {said}." for track, said in by_track(board))
    about = tuple(Note(text) for text in (preset.about, made_from.left_out) if text)
    scored = tuple(_scored(board, scale) for scale in board.scales.values())
    leads = (Points(tracks),) if tracks else ()
    merged = (Points(made_from.conflicts),) if made_from.conflicts else ()
    return Page(
        f"{preset.name}.html",
        "spcabench leaderboard",
        title if preset.name == "index" else f"{title}: {preset.title}",
        headline(board) if preset.name in ("index", "wide", "outliers") else "",
        (
            Section("Leaderboard", (*about, *leads, grid(board), Links((("CSV", f"{preset.name}.csv"),)))),
            Section("How the tracks are scored", (Points(scored),)),
            *((Section("Runs", (*merged, made_from.runs)),) if made_from.runs else ()),
        ),
    )


def _scored(board: Board, scale: Scale) -> str:
    """Say how a track is scored, where the best known values are, and what is not scored."""
    there = f"{scale.track.capitalize()}, {TRACKS[scale.track]}: {scale.column} on"
    said = f"{there} {datasets(len(board.of_track(scale.track)))}; 0 points: {scale.zero}; 100 points: {scale.hundred}."
    if math.isfinite(scale.best):
        said += f"  The best value of any method on each draw has {scale.best:.1f} points."
    if scale.left_out:
        said += f"  Not scored, as the controls agree: {'; '.join(scale.left_out)}."
    return said
