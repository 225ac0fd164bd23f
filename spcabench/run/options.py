"""How to run: what the user chose beside the suite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spcabench.run.choice import Pattern, any_matches
from spcabench.suite.models import DEFAULT
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError


@dataclass(frozen=True)
class Options:
    """How to run.

    Parameters
    ----------
    jobs : int
        Cells fitted at the same time.
    isolation : bool
        Whether each fit has a process of its own; without, no limit is held.
    retry : frozenset of str
        Statuses whose cells are fitted again.
    stand_ins : bool
        Whether a data set that cannot be had is replaced by its stand-in; if not, that is an error.
    plugins : sequence of Path
        Single-file plugins named by the user.
    only, skip : sequences of str
        Patterns of labels, such as ``rspca*`` or ``method=cop,dataset=hastie*``, as of `spcabench.run.choice`; a cell
        is chosen if any matches.  Cells left out stay pending.
    rescore : bool
        Compute the metrics of finished cells anew from their loadings, and fit nothing.
    fresh : bool
        Forget the folder's records of the chosen cells first.
    cluster : str
        Where tasks are done if not on this machine: a Dask scheduler, or a file that defines a cluster.
    seconds : float
        Wall seconds after which no further cell is begun, but one is; those that are left stay pending.
    command : str
        The command that reproduces the run.
    scale : str
        The scale of the suite that is run.
    settings : sequence of str
        What was set in the suite after its scale, as ``NAME=VALUE``.
    suite : str
        The file of the suite.
    """

    jobs: int = 1
    isolation: bool = True
    retry: frozenset[str] = frozenset()
    stand_ins: bool = True
    plugins: Sequence[Path] = ()
    only: Sequence[str] = ()
    skip: Sequence[str] = ()
    rescore: bool = False
    fresh: bool = False
    cluster: str = ""
    seconds: float = math.inf
    command: str = ""
    scale: str = DEFAULT
    settings: Sequence[str] = ()
    suite: str = ""

    def chooses(self, cell: Cell) -> bool:
        """Return whether a cell is among those to run."""
        return (not self.only or any_matches(self.only, cell)) and not any_matches(self.skip, cell)

    def chosen(self, plan: Plan) -> Plan:
        """Return the part of a plan that is to run.

        Raises
        ------
        InputError
            With each pattern that matches no method or data set of the plan.
        """
        faults = [
            Fault(fault, f"{option} {pattern}")
            for option, patterns in (("--only", self.only), ("--skip", self.skip))
            for pattern in patterns
            for fault in Pattern.of(pattern).faults(plan.cells)
        ]
        if faults:
            raise InputError(faults)
        return Plan([cell for cell in plan.cells if self.chooses(cell)])
