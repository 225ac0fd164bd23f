"""What a user wants of a try, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spcabench.explore.budget import Budget
from spcabench.explore.understanding import Missing
from spcabench.run.progress import Listener

Say = Callable[[str], None]


@dataclass(frozen=True)
class Wishes:
    """What a user wants.

    Parameters
    ----------
    file : Path
        The table.
    folder : Path
        Where the answer goes.
    budget : Budget
        The wall time that may be spent.
    n_components : int, optional
        Counted if not given.
    n_nonzero : int, optional
        Of each component; chosen if not given.
    label : str, optional
        The column of classes; found if not given.
    drop, keep : sequence of str
        Columns to leave out, and columns of numbers to keep.
    missing : {"error", "drop", "median", "em"}, optional
        What becomes of missing values.
    standardise : bool, optional
        Whether features are standardised.
    jobs : int
        Fits at once.
    """

    file: Path
    folder: Path
    budget: Budget
    n_components: int | None = None
    n_nonzero: int | None = None
    label: str | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    missing: Missing | None = None
    standardise: bool | None = None
    jobs: int = 1


@dataclass(frozen=True)
class Heard:
    """Who hears what: the lines of the answer's beginnings, progress, and the events of runs."""

    say: Say
    progress: Say
    tell: Listener
