"""The pages of leaderboards: the front page, and those of the presets; and their tables for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import starmap

from spcabench.analysis.intervals import Interval
from spcabench.report.document import METHOD, Entry, Field, Links, Note, Points, Table
from spcabench.site.board import Board, Standing
from spcabench.site.headline import CLOSE, by_track, count, headline
from spcabench.site.pages import Page, right, section, table
from spcabench.site.presets import Preset
from spcabench.site.scores import CLIP, FAILURE, Scale
from spcabench.suite.models import TRACKS, TrackName

NOTHING = "—"


def cells(board: Board, row: Standing) -> Iterator[tuple[Field, Entry]]:
    """Yield the columns of a leaderboard: readers see texts, programs get values at full precision."""
    yield METHOD, Entry(row.method)
    yield right("rank", "mean rank"), Entry(row.rank.mean if row.rank else None, text=_rank(row))
    yield right("tier", "tier"), Entry(row.tier, best=row.tier == 1)
    ratio = f"{row.costs.ratio:.3g} ×" if math.isfinite(row.costs.ratio) else NOTHING
    yield right("time_ratio", "time, ratio"), Entry(row.costs.ratio, text=ratio)
    for track in board.scales:
        yield right(track, track), _score(board, row, track)
    fits = f"{row.costs.fits:.1f}" if math.isfinite(row.costs.fits) else NOTHING
    yield right("fits", "fits of the search"), Entry(row.costs.fits, text=fits)
    failed = f"{row.costs.failed} of {row.costs.planned}"
    yield right("failed", "failed or missed"), Entry(row.costs.failed, planned=row.costs.planned, text=failed)
    yield Field("front", ""), Entry(", ".join(row.front) or None)


def _rank(row: Standing) -> str:
    if row.rank is None:
        return "control" if row.dense else NOTHING
    some = f" on {row.rank.n} of {row.rank.of}" if not row.rank.whole else ""
    return f"{row.rank.mean:.1f}{_between(row.rank.interval)}{some}"


def _score(board: Board, row: Standing, track: TrackName) -> Entry:
    score = row.scores.get(track)
    if score is None:
        return Entry(math.nan, text=f"cannot enter: {row.outside[track]}")
    top = max(board.whole_scores(track).values(), default=math.inf)
    some = f" on {score.n} of {score.of}" if not score.whole else ""
    clipped = f" †{score.clipped}" if score.clipped else ""
    text = f"{score.value:.1f}{_between(score.interval)}{some}{clipped}{' ◆' * (track in row.front)}"
    return Entry(score.value, best=not row.dense and score.whole and score.value >= top - CLOSE, text=text)


def _between(interval: Interval) -> str:
    finite = math.isfinite(interval.low) and math.isfinite(interval.high)
    return f" ({interval.low:.1f} to {interval.high:.1f})" if finite else ""


def table_of(board: Board) -> Table:
    """Return a leaderboard, for readers and for programs."""
    rows = [list(cells(board, row)) for row in board.rows]
    fields = [field for field, _ in rows[0]]
    (made,) = table(_caption(board), fields, ([entry for _, entry in row] for row in rows))
    return made


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


def page(preset: Preset, title: str, runs: Sequence[Table], conflicts: Sequence[str], left_out: str) -> Page:
    """Return the page of a leaderboard.

    Parameters
    ----------
    preset : Preset
        The leaderboard.
    title : str
        Of the site.
    runs : sequence of Table
        The runs that it is made from.
    conflicts : sequence of str
        What does not agree between those that were merged.
    left_out : str
        Which data sets do not count yet; empty if all do.
    """
    board, name = preset.board, preset.name
    leads = tuple(f"{track.capitalize()}: {said}." for track, said in by_track(board))
    sections = (
        section(
            "Leaderboard",
            *(Note(text) for text in (preset.about, left_out) if text),
            *((Points(leads),) if leads else ()),
            table_of(board),
            Links((("CSV", f"{name}.csv"),)),
        ),
        section("How the tracks are scored", Points(tuple(starmap(_scored, board.scales.items())))),
        section("Runs", *((Points(tuple(conflicts)),) if conflicts else ()), *runs),
    )
    lead = headline(board) if name in ("index", "wide", "outliers") else ""
    return Page(
        f"{name}.html",
        "spcabench leaderboard",
        title if name == "index" else f"{title}: {preset.title}",
        lead,
        sections,
    )


def _scored(track: TrackName, scale: Scale) -> str:
    """Say how a track is scored, where the best known values are, and what is not scored."""
    there = f"{track.capitalize()}, {TRACKS[track]}: {scale.column} on"
    said = f"{there} {count(len(scale.tasks), 'data set')}; 0 points: {scale.zero}; 100 points: {scale.hundred}."
    if math.isfinite(scale.best):
        said += f"  The best value of any method on each draw has {scale.best:.1f} points."
    if scale.left_out:
        said += f"  Not scored, as the controls agree: {'; '.join(scale.left_out)}."
    return said
