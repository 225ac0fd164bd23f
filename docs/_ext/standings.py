"""Who is best in each track and preset of the leaderboard, from its small table ``reports/leaderboard.csv``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from snapshot_tables import Row, snapshot

from spcabench.site.presets import DATASETS

FILE = "leaderboard.csv"
COMMAND = f"`spcabench site RUN -o FOLDER --table reports/{FILE}`"

TRACKS: Mapping[str, str] = {
    "optimisation": "the most variance at k nonzeros",
    "recovery": "the true variables",
    "robustness": "the variance of the clean samples, where others are contaminated",
    "prediction": "the variance of held-out samples",
    "scale": "the fewest seconds",
}

PRESETS: Mapping[str, str] = {"": "nothing in particular"} | {name: title for name, title, _, _ in DATASETS}
"""The name of each leaderboard and its title on the site."""


@dataclass(frozen=True)
class Standing:
    """Who is best in a situation.

    Parameters
    ----------
    situation : str
        In words.
    best : tuple of str
        The methods with the best number.
    number, low, high : str
        That number, and its 95 % interval; empty if there is none.
    unit : str
        What it is, with braces in its place.
    tied : tuple of str
        Methods that are not told from the best, the nearest first.
    """

    situation: str
    best: tuple[str, ...]
    number: str
    low: str
    high: str
    unit: str
    tied: tuple[str, ...]


def small_table() -> list[Row]:
    """Return the rows of the small table."""
    return list(snapshot("leaderboard").rows)


def standings(table: Sequence[Row]) -> Iterator[Standing]:
    """Yield who is best on each leaderboard, and then in each track.

    Raises
    ------
    ValueError
        If the table lacks a column.
    """
    for name, title in PRESETS.items():
        prefix = f"{name}_" if name else ""
        entered = [row for row in table if _cell(row, f"{prefix}tier")]
        yield from _standing(title, entered, f"{prefix}rank", 1.0, "mean rank {}", f"{prefix}tier")
    for track, words in TRACKS.items():
        entered = [row for row in table if _cell(row, f"{track}_tied")]
        yield from _standing(words, entered, track, -1.0, "{} points", f"{track}_tied")


def _standing(
    words: str, entered: Sequence[Row], column: str, sign: float, unit: str, alike: str
) -> Iterator[Standing]:
    """Yield who has the smallest number, times a sign, and who has the same in the column `alike` as the best."""
    if not entered:
        return
    entered = sorted(entered, key=lambda row: sign * float(_cell(row, column)))
    first = entered[0]
    best = tuple(row["method"] for row in entered if row[column] == first[column])
    others = tuple(row["method"] for row in entered if row[alike] == first[alike] and row["method"] not in best)
    yield Standing(
        words, best, first[column], _cell(first, f"{column}_low"), _cell(first, f"{column}_high"), unit, others
    )


def _cell(row: Row, column: str) -> str:
    if column not in row:
        raise ValueError(f"reports/{FILE} has no column {column}; make it with {COMMAND}")
    return row[column]
