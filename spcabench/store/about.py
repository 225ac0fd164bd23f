"""What a run says of itself: the command that made it, and where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from pydantic import TypeAdapter


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
    environment : mapping of str to str
        The machine and the versions.
    merged : mapping of str to str
        The methods that others submitted, by their labels: what was fitted again here, and what came out differently.
    """

    command: str = ""
    scale: str = ""
    settings: tuple[str, ...] = ()
    suite: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)

    @property
    def form(self) -> str:
        """The scale and what was set in it, for readers; empty if it is not known."""
        if not self.scale:
            return ""
        return f"{self.scale} scale" + (f", with {', '.join(self.settings)}" if self.settings else "")
