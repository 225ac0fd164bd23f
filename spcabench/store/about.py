"""What a run says of itself: the command that made it, and where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from statistics import median
from typing import Annotated, Any, Self

from pydantic import Field, TypeAdapter

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Kept:
    """What a run's file has as JSON: a dataclass that inherits from this."""

    def dumps(self) -> str:
        """Write it as JSON; names of files that are not UTF-8 arrive as they are."""
        kind: Any = type(self)
        return json.dumps(_adapter(kind).dump_python(self, mode="json"))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read what `dumps` wrote; raise a ValueError if it is anything else."""
        kind: Any = cls
        kept: Self = _adapter(kind).validate_python(json.loads(text))
        return kept


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True, kw_only=True)
class Merged:
    """Where the records of a method come from that were fitted in another run.

    Parameters
    ----------
    machine : str
        The processor that fitted them.
    factor : float
        Seconds of this run's machine for one second of that one, by the reference fits of both; 1 on a machine of the
        same kind.
    """

    machine: str
    factor: Positive = 1.0

    def __str__(self) -> str:
        times = "" if self.factor == 1 else f"; its times are multiplied by {self.factor:.3g}"
        return f"fitted on {self.machine}{times}"


@dataclass(frozen=True, kw_only=True)
class About(Kept):
    """The command, the suite and the machine.

    Parameters
    ----------
    command : str
        The command that reproduces the run; empty if it is not known.
    scale : str
        The scale of its suite; empty if it is not known.
    settings : tuple of str
        What was set in the suite after its scale, as ``NAME=VALUE``.
    suite : str
        The file of the suite.
    suite_text : str
        A hash of what was in it.
    environment : mapping of str to str
        The machine and the versions.
    references : tuple of float
        Seconds of the reference fit (`spcabench.run.environment`), one for each session of the run.
    merged : mapping of str to Merged
        The methods whose records were fitted elsewhere, by their labels.
    """

    command: str = ""
    scale: str = ""
    settings: tuple[str, ...] = ()
    suite: str = ""
    suite_text: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    references: tuple[Positive, ...] = ()
    merged: Mapping[str, Merged] = field(default_factory=dict)

    @property
    def form(self) -> str:
        """The scale and what was set in it, for readers; empty if it is not known."""
        if not self.scale:
            return ""
        return f"{self.scale} scale" + (f", with {', '.join(self.settings)}" if self.settings else "")

    @property
    def reference(self) -> float | None:
        """The median seconds of the reference fit; None if it was not timed."""
        return median(self.references) if self.references else None
