"""How much of a run is done, of what is known to be needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from spcabench.suite.models import Repeats
from spcabench.suite.repeats import wants_more

Need = Literal["nothing", "fit", "score", "time"]
"""What a cell needs next."""


@dataclass(frozen=True)
class Steps:
    """What one cell needs.

    Parameters
    ----------
    ahead : int
        Fits, or computations of metrics, that it is known to need still.
    total : int
        Those, and the fits it has had.
    growing : bool
        Whether its times may show that it needs more.
    """

    ahead: int
    total: int
    growing: bool = False


def steps(need: Need, times: Sequence[float], rule: Repeats) -> Steps:
    """Return what a cell with these times is known to need, by what it needs next."""
    if need == "nothing":
        return Steps(0, max(rule.at_least, len(times)))
    had = [] if need == "fit" else times
    fits = max(rule.at_least - len(had), int(wants_more(rule, had)))
    return Steps(fits + (need == "score"), max(rule.at_least, len(had) + fits), rule.at_least < rule.at_most)


class Tally:
    """Sums up the steps of all cells; cells that share a record count once."""

    def __init__(self) -> None:
        self._steps: dict[str, Steps] = {}
        self._ahead = self._growing = 0
        self.total = 0

    def update(self, key: str, steps: Steps) -> None:
        """Say what the cell of a key needs now."""
        before = self._steps.get(key, Steps(0, 0))
        self._steps[key] = steps
        self._ahead += steps.ahead - before.ahead
        self.total += steps.total - before.total
        self._growing += steps.growing - before.growing

    def forget(self, key: str) -> None:
        """Leave out what was counted under a key."""
        if key in self._steps:
            self.update(key, Steps(0, 0))
            del self._steps[key]

    @property
    def done(self) -> int:
        """How many steps are done."""
        return self.total - self._ahead

    @property
    def growing(self) -> bool:
        """Whether the total may grow."""
        return self._growing > 0
