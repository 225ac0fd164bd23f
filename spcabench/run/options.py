"""How to run: what the user chose beside the suite."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from spcabench.errors import Fault, InputError
from spcabench.parameters import unknown_name
from spcabench.suite.models import DEFAULT
from spcabench.suite.plan import Cell, Plan


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
        Patterns such as ``rspca*``, of methods or data sets by label; cells left out stay pending.
    rescore : bool
        Compute the metrics of finished cells anew from their loadings, and fit nothing.
    fresh : bool
        Forget the folder's records of the chosen cells first.
    cluster : str
        Where tasks are done if not on this machine: a Dask scheduler, or a file that defines a cluster.
    command : str
        The command that reproduces the run.
    scale : str
        The scale of the suite that is run.
    settings : sequence of str
        What was set in the suite after its scale, as ``NAME=VALUE``.
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
    command: str = ""
    scale: str = DEFAULT
    settings: Sequence[str] = ()

    def chooses(self, cell: Cell) -> bool:
        """Return whether a cell is among those to run."""
        labels = _labels(cell)
        return (not self.only or _match(labels, self.only)) and not _match(labels, self.skip)

    def chosen(self, plan: Plan) -> Plan:
        """Return the part of a plan that is to run.

        Raises
        ------
        InputError
            With each pattern that matches no method or data set of the plan.
        """
        labels = {label for cell in plan.cells for label in _labels(cell)}
        faults = [
            Fault(f"no method or data set of the suite has such a label{unknown_name(pattern, labels)}", place)
            for option, patterns in (("--only", self.only), ("--skip", self.skip))
            for pattern in patterns
            for place in [f"{option} {pattern}"]
            if not _match(labels, [pattern])
        ]
        if faults:
            raise InputError(faults)
        return Plan([cell for cell in plan.cells if self.chooses(cell)])


def _labels(cell: Cell) -> tuple[str, str]:
    return cell.method.label, cell.draw.variant.label


def _match(labels: Collection[str], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(label, pattern) for label in labels for pattern in patterns)
