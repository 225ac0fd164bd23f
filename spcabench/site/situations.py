"""The columns of the small table that say which method to take where: intervals of scores, ties, ranks by preset."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from spcabench.report.document import Columns, Entry, Field
from spcabench.site.board import Board, Standing
from spcabench.site.headline import CLOSE, track_scores
from spcabench.site.presets import Preset
from spcabench.site.scores import gains
from spcabench.suite.models import TRACKS, TrackName


def columns(boards: Sequence[Preset]) -> Columns[Standing]:
    """Return the columns: those of the tracks over all data sets, the first leaderboard, and those of the others."""
    whole, *others = boards
    return (
        *(column for track in TRACKS for column in _of_track(whole.board, track)),
        *(column for preset in others for column in _of_preset(preset)),
    )


def tied(board: Board, track: TrackName) -> frozenset[str]:
    """Return the best of a track and the methods that the data sets do not tell from it.

    These are the methods whose difference to the best has a 95 % interval that holds 0, or that have the same score.
    """
    found = track_scores(board, track)
    if not found:
        return frozenset()
    tasks, scale = board.of_track(track), board.scales[track]
    top = max(found, key=found.__getitem__)
    gained = {label: gains(label, tasks, scale) for label in found}
    best = gained[top]
    return frozenset(
        label
        for label, mine in gained.items()
        if found[top] - found[label] < CLOSE or (best and mine and best.less(mine).interval.low <= 0.0)
    )


def _of_track(board: Board, track: TrackName) -> Columns[Standing]:
    alike = tied(board, track)

    def bound(row: Standing, which: str) -> float | None:
        return getattr(row.scores[track].interval, which) if track in row.scores else None

    return (
        number_column(f"{track}_low", lambda row: bound(row, "low")),
        number_column(f"{track}_high", lambda row: bound(row, "high")),
        (Field(f"{track}_tied", f"{track}_tied"), lambda row: Entry("yes" if row.method in alike else None)),
    )


def _of_preset(preset: Preset) -> Columns[Standing]:
    ranks = {row.method: row.rank for row in preset.board.rows if row.rank is not None}
    tiers = {row.method: row.tier for row in preset.board.rows}
    name = preset.name

    def bound(row: Standing, which: str) -> float | None:
        return getattr(ranks[row.method].interval, which) if row.method in ranks else None

    return (
        number_column(f"{name}_rank", lambda row: ranks[row.method].mean if row.method in ranks else None),
        number_column(f"{name}_rank_low", lambda row: bound(row, "low")),
        number_column(f"{name}_rank_high", lambda row: bound(row, "high")),
        (Field(f"{name}_tier", f"{name}_tier"), lambda row: Entry(tiers.get(row.method))),
    )


def number_column(name: str, value: Callable[[Standing], float | None]) -> tuple[Field, Callable[[Standing], Entry]]:
    """Return a column of numbers to four digits, empty where there is none or it is not finite."""

    def enter(row: Standing) -> Entry:
        found = value(row)
        return Entry(float(f"{found:.4g}") if found is not None and math.isfinite(found) else None)

    return Field(name, name), enter
