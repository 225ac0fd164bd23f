"""How to run: what the user chose beside the suite, and the patterns by which cells are chosen."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from spcabench.parameters import unknown_name
from spcabench.suite.models import DEFAULT
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError

Axis = Literal["method", "dataset"]

_BETWEEN = re.compile(r",(?=(?:method|dataset)=)")
"""A comma before a named axis; any other comma belongs to a label."""


@dataclass(frozen=True)
class Term:
    """A pattern such as ``rspca*`` of the labels of one axis, or of both if it names none."""

    pattern: str
    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, text: str) -> Term:
        """Read ``method=PATTERN``, ``dataset=PATTERN`` or ``PATTERN``."""
        name, _, pattern = text.partition("=")
        if name == "method":
            return cls(pattern, ("method",))
        return cls(pattern, ("dataset",)) if name == "dataset" else cls(text, ("method", "dataset"))

    def labels(self, cell: Cell) -> list[str]:
        """Return the labels of a cell that it looks at."""
        own: dict[Axis, str] = {"method": cell.method.label, "dataset": cell.draw.variant.label}
        return [own[axis] for axis in self.axes]

    def matches(self, cell: Cell) -> bool:
        """Return whether it matches a label of a cell."""
        return any(fnmatchcase(label, self.pattern) for label in self.labels(cell))

    def fault(self, cells: Sequence[Cell]) -> str:
        """Report that it matches none of the cells, with the nearest label; return nothing if it matches."""
        if any(map(self.matches, cells)):
            return ""
        kinds = " or ".join({"method": "method", "dataset": "data set"}[axis] for axis in self.axes)
        labels = {label for cell in cells for label in self.labels(cell)}
        return f"no {kinds} of the suite has such a label{unknown_name(self.pattern, labels)}"


@dataclass(frozen=True)
class Pattern:
    """Terms that must all match, as in ``method=cop,dataset=hastie*``."""

    terms: tuple[Term, ...]

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Read terms with commas between them."""
        return cls(tuple(Term.of(part) for part in _BETWEEN.split(text)))

    def matches(self, cell: Cell) -> bool:
        """Return whether every term matches a cell."""
        return all(term.matches(cell) for term in self.terms)

    def faults(self, cells: Sequence[Cell]) -> list[str]:
        """Report the terms that match no cell; or, if each matches some, that no cell matches them all."""
        found = [fault for term in self.terms if (fault := term.fault(cells))]
        if found or any(map(self.matches, cells)):
            return found
        return ["no cell of the suite has both such a method and such a data set"]


def any_matches(patterns: Iterable[str], cell: Cell) -> bool:
    """Return whether a cell matches any of the patterns."""
    return any(Pattern.of(text).matches(cell) for text in patterns)


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
        Patterns of labels, such as ``rspca*`` or ``method=cop,dataset=hastie*``; a cell
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
