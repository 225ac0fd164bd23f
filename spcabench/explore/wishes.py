"""What a user wants of a try."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from spcabench.wording import Fault, InputError

Missing = Literal["error", "drop", "median", "em"]

UNITS = {"": 1.0, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """Read a budget.

    Raises
    ------
    InputError
        If it is no time.

    Examples
    --------
    >>> seconds_of("90s"), seconds_of("2min"), seconds_of("45")
    (90.0, 120.0, 45.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in UNITS:
        raise InputError(Fault(f"'{text}' is no time; valid are 90s, 2min or 1h", "--budget"))
    return float(match[1]) * UNITS[match[2]]


@dataclass(frozen=True)
class Wishes:
    """What a user wants.

    Parameters
    ----------
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
    independent : bool
        Whether rows that follow each other are taken as independent, however alike they are.
    budget : float
        Seconds for more half-samples and for other methods; components and variables do not depend on it.
    """

    n_components: int | None = None
    n_nonzero: int | None = None
    label: str | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    missing: Missing | None = None
    standardise: bool | None = None
    independent: bool = False
    budget: float = 0.0
