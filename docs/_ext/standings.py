"""What to take for each question of the leaderboard, from its scores ``reports/leaderboard.csv``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from snapshot_tables import Row, groups, snapshot

from spcabench.site.board_page import SITUATIONS

FILE = "leaderboard.csv"
COMMAND = f"`spcabench site RUN... -o FOLDER`, which has it as `{FILE}`"


@dataclass(frozen=True)
class Standing:
    """Who is best in a situation.

    Parameters
    ----------
    situation : str
        In words.
    best : str
        The method with the best mean rank.
    rank, low, high : str
        That rank, and its 95 % interval.
    sources, needed : str
        Over how many sources, and how many could tell any methods apart.
    tied : tuple of str
        Methods that may be as good, the best mean rank first; empty where nothing can be told.
    """

    situation: str
    best: str
    rank: str
    low: str
    high: str
    sources: str
    needed: str
    tied: tuple[str, ...]


def scores() -> list[Row]:
    """Return the rows of the scores; none before the board is run."""
    return list(snapshot("leaderboard").rows)


def standings(table: Sequence[Row]) -> Iterator[Standing]:
    """Yield who is best in each question.

    Raises
    ------
    ValueError
        If the table lacks a column.
    """
    if table and (lacking := [name for name in ("question", "tier", "rank") if name not in table[0]]):
        raise ValueError(f"reports/{FILE} has no column {lacking[0]}; make it with {COMMAND}")
    for (name,), rows in groups(table, "question").items():
        most = max(int(row["sources"]) for row in rows)
        first = next(row for row in rows if int(row["sources"]) == most)
        tied = tuple(row["method"] for row in rows if row["tier"] == "1" and row is not first)
        situation = next(words for track, words in SITUATIONS.items() if track == name)
        rank, low, high = (f"{float(first[end]):.1f}" for end in ("rank", "rank_low", "rank_high"))
        yield Standing(situation, first["method"], rank, low, high, str(most), first["sources_needed"], tied)
