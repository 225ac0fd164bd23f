"""Patterns that choose cells by the labels of their method and their data set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from spcabench.parameters import unknown_name
from spcabench.suite.plan import Cell

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
