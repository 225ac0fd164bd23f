"""What a run's file says beside its records: of the run, the command that made it and where; of each draw, its data."""

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
    """The command, the scale of the suite and the machine.

    Parameters
    ----------
    command : str
        The command that reproduces the run; empty if it is not known.
    scale : str
        The scale of its suite; empty if it is not known.
    settings : tuple of str
        What was set in the suite after its scale, as ``NAME=VALUE``.
    environment : mapping of str to str
        The machine and the versions.
    merged : mapping of str to str
        The methods that others submitted, by their labels: what was fitted again here, and what came out differently.
    """

    command: str = ""
    scale: str = ""
    settings: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> dict[str, str]:
        """The machine, the versions, and the methods that others submitted."""
        return {**self.environment, **{f"merged {label}": said for label, said in self.merged.items()}}

    @property
    def form(self) -> str:
        """The scale and what was set in it, for readers; empty if it is not known."""
        if not self.scale:
            return ""
        return f"{self.scale} scale" + (f", with {', '.join(self.settings)}" if self.settings else "")


FileStamp = tuple[str, int, int]
"""A file that was read: its path, size and time of modification."""


@dataclass(frozen=True, kw_only=True)
class DataSummary:
    """What a worker reports of the data set that it drew.

    Parameters
    ----------
    fingerprint : str
        A hash of the arrays.
    facts : tuple of str
        Which of `spcabench.specs.FACTS` are known of it.
    n_samples : int or None
        None if there is only a covariance.
    n_features : int
        Columns of the data.
    image_shape : (height, width), optional
        If the features are pixels.
    feature_names : tuple of str
        Empty if they have none.
    files : tuple of FileStamp
        The files that were read.
    notes : str
        Anything that a reader of the results must know.
    supports : tuple of tuple of int
        The features on which each true component lies, counted from 0; empty if they are not known, or many.
    """

    fingerprint: str
    facts: tuple[str, ...]
    n_samples: int | None
    n_features: int
    image_shape: tuple[int, int] | None
    feature_names: tuple[str, ...]
    files: tuple[FileStamp, ...]
    notes: str
    supports: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class DrawRecord(DataSummary, Kept):
    """What a run's folder keeps of a draw.

    Parameters
    ----------
    id : str
        Names the draw.
    label : str
        The name of the data set in tables; it says where a stand-in is used.
    stand_in : str
        The name of the data set that stands in; empty if none does.
    stamp : mapping of str to str
        What determines the arrays besides the draw's identity: the loader's code and versions.
    """

    id: str
    label: str
    stand_in: str
    stamp: Mapping[str, str]
