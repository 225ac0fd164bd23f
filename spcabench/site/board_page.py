"""The pages of leaderboards: the front page, and those of the presets."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import starmap

from spcabench.report.document import METHOD, Columns, Entry, Field, Links, Note, Points, Table, tabled
from spcabench.report.render.text import NOTHING
from spcabench.site.board import Board, Standing
from spcabench.site.headline import CLOSE, by_track, conclusions, count, headline
from spcabench.site.pages import Page, right, section
from spcabench.site.presets import Preset
from spcabench.site.scores import CLIP, FAILURE, Mean, Scale
from spcabench.site.small_table import FILE
from spcabench.suite.models import TRACKS, TrackName


def table_of(board: Board) -> Table | None:
    """Return the table of a leaderboard."""

    def track(name: TrackName) -> tuple[Field, Callable[[Standing], Entry]]:
        top = max(board.whole_scores(name).values(), default=math.inf)

        def enter(row: Standing) -> Entry:
            score = row.scores.get(name)
            if score is None:
                return Entry(math.nan, text=f"cannot enter: {row.outside[name]}")
            best = not row.dense and score.whole and score.value >= top - CLOSE
            return Entry(score.value, best=best, text=f"{_said(score)}{' ◆' * (name in row.front)}")

        return right(name, name), enter

    columns: Columns[Standing] = (
        (METHOD, lambda row: row.method),
        (right("rank", "mean rank"), _rank),
        (right("tier", "tier"), lambda row: Entry(row.tier, best=row.tier == 1)),
        (right("time_ratio", "time, ratio"), lambda row: _number(row.costs.ratio, ".3g", " ×")),
        *map(track, board.scales),
        (right("fits", "fits of the search"), lambda row: _number(row.costs.fits, ".1f")),
        (
            right("failed", "failed or missed"),
            lambda row: Entry(row.costs.failed, text=f"{row.costs.failed} of {row.costs.planned}"),
        ),
    )
    if any(row.costs.submitted for row in board.rows):
        columns = (*columns, (right("submitted", "as submitted, not fitted here"), lambda row: row.costs.submitted))
    return tabled("", _caption(board), columns, board.rows)


def _number(value: float, form: str, unit: str = "") -> Entry:
    return Entry(value, text=f"{value:{form}}{unit}" if math.isfinite(value) else NOTHING)


def _rank(row: Standing) -> Entry:
    if row.rank is None:
        return Entry(None, text="control" if row.dense else NOTHING)
    return Entry(row.rank.value, text=_said(row.rank))


def _said(mean: Mean) -> str:
    low, high = mean.interval.low, mean.interval.high
    between = f" ({low:.1f} to {high:.1f})" if math.isfinite(low) and math.isfinite(high) else ""
    return f"{mean.value:.1f}{between}{'' if mean.whole else f' on {mean.n} of {mean.of}'}"


def _caption(board: Board) -> str:
    least, most = CLIP
    controls = board.controls
    return (
        f"A mean rank is against a fixed panel of {len(controls.panel)} methods, 1 being better than all of them; in "
        "brackets is the 95 % interval.  Those of tier 1 may be the best over the data sets, those of tier 2 the best "
        "of the rest, and so on.  Scores are in points between two controls, which no other method moves; a target "
        f"gives from {least:g} to {most:g}, a failure {FAILURE:g}.  Bold scores are within {CLOSE:g} points of the "
        f"best.  Time is that of fit and search, as a ratio to {controls.dense}; on the Pareto front of a track, ◆, no "
        "other method has as good a score in as little time.  Fits of the search are the mean number for a cell."
    )


def page(preset: Preset, title: str, runs: Table | None, left_out: str) -> Page:
    """Return the page of a leaderboard.

    Parameters
    ----------
    preset : Preset
        The leaderboard.
    title : str
        Of the site.
    runs : Table, optional
        The runs that it is made from.
    left_out : str
        Which data sets do not count yet; empty if all do.
    """
    board, name = preset.board, preset.name
    leads = tuple(f"{track.capitalize()}: {said}." for track, said in by_track(board))
    sure = tuple(conclusions(board)) if name == "index" else ()
    sections = (
        section(
            "Leaderboard",
            *(Note(text) for text in (preset.about, left_out) if text),
            Points(leads) if leads else None,
            table_of(board),
            Links((("The small table of all leaderboards, as CSV", FILE),)),
        ),
        section("What can be concluded, and what cannot", Points(sure) if sure else None),
        section("How the tracks are scored", Points(tuple(starmap(_scored, board.scales.items())))),
        section("Runs", runs),
    )
    lead = headline(board) if name in ("index", "wide", "outliers") else ""
    heading = title if name == "index" else f"{title}: {preset.title}"
    return Page(f"{name}.html", "spcabench leaderboard", heading, lead, sections)


def _scored(track: TrackName, scale: Scale) -> str:
    """Say how a track is scored, where the best known values are, and what is not scored."""
    there = f"{track.capitalize()}, {TRACKS[track]}: {scale.column} on"
    said = f"{there} {count(len(scale.tasks), 'data set')}; 0 points: {scale.zero}; 100 points: {scale.hundred}."
    if math.isfinite(scale.best):
        said += f"  The best value of any method on each draw has {scale.best:.1f} points."
    if scale.left_out:
        said += f"  Not scored, as the controls agree: {'; '.join(scale.left_out)}."
    return said
