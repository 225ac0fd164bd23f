"""How to run: what the user chose beside the suite, and the patterns by which cells are chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from spcabench.parameters import unknown_name
from spcabench.store.about import About
from spcabench.suite.models import DEFAULT
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError

_BETWEEN = re.compile(r",(?=(?:method|dataset)=)")
"""A comma before a named axis; any other comma belongs to a label."""
_KINDS = {"method": "method", "dataset": "data set"}


def any_matches(patterns: Iterable[str], cell: Cell) -> bool:
    """Return whether a cell matches any of the patterns: ``rspca*``, or terms as in ``method=cop,dataset=hastie*``."""
    return any(all(_matches(term, cell) for term in _BETWEEN.split(text)) for text in patterns)


def _matches(term: str, cell: Cell) -> bool:
    """Return whether a label of a cell matches ``method=PATTERN``, ``dataset=PATTERN`` or ``PATTERN``."""
    pattern, axes = _read(term)
    labels = [_label(cell, axis) for axis in axes]
    return pattern in labels or any(fnmatchcase(label, pattern) for label in labels)


def _read(term: str) -> tuple[str, list[str]]:
    """Return the pattern of a term, and the axes whose labels it looks at."""
    name, _, pattern = term.partition("=")
    return (pattern, [name]) if name in _KINDS else (term, list(_KINDS))


def _label(cell: Cell, axis: str) -> str:
    return cell.method.label if axis == "method" else cell.draw.variant.label


def _faults(text: str, cells: Sequence[Cell]) -> list[str]:
    """Report the terms that match no cell, with the nearest label; or that no cell matches them all."""
    terms = _BETWEEN.split(text)
    found = [_fault(term, cells) for term in terms if not any(_matches(term, cell) for cell in cells)]
    if found or any(any_matches([text], cell) for cell in cells):
        return found
    return ["no cell of the suite has both such a method and such a data set"]


def _fault(term: str, cells: Sequence[Cell]) -> str:
    pattern, axes = _read(term)
    labels = {_label(cell, axis) for cell in cells for axis in axes}
    kinds = " or ".join(_KINDS[axis] for axis in axes)
    return f"no {kinds} of the suite has such a label{unknown_name(pattern, labels)}"


@dataclass(frozen=True)
class Options:
    """How to run.

    Parameters
    ----------
    jobs : int
        Cells fitted at the same time.
    isolation : bool
        Whether each fit has a process of its own; without, nothing ends a fit, and one that took too
        long is a timeout all the same.
    retry : frozenset of str
        Statuses whose cells are fitted again.
    plugins : sequence of Path
        Single-file plugins named by the user.
    only, skip : sequences of str
        Patterns of labels, such as ``rspca*`` or ``method=cop,dataset=hastie*``; a cell
        is chosen if any matches.  Cells left out stay pending.
    rescore : bool
        Compute the metrics of finished cells anew from their loadings, and fit nothing.
    cluster : str
        Where tasks are done if not on this machine: a Dask scheduler, or a file that defines a cluster.
    about : About
        The command that reproduces the run, the scale of its suite, and what was set after it.
    """

    jobs: int = 1
    isolation: bool = True
    retry: frozenset[str] = frozenset()
    plugins: Sequence[Path] = ()
    only: Sequence[str] = ()
    skip: Sequence[str] = ()
    rescore: bool = False
    cluster: str = ""
    about: About = field(default_factory=lambda: About(scale=DEFAULT))

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
            for fault in _faults(pattern, plan.cells)
        ]
        if faults:
            raise InputError(faults)
        cells = [cell for cell in plan.cells if not self.only or any_matches(self.only, cell)]
        return Plan([cell for cell in cells if not any_matches(self.skip, cell)])
