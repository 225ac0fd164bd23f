"""What a run says of itself: the command that made it, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ConfigDict

from spcabench.store.typed_json import TypedJson


@dataclass(frozen=True, kw_only=True)
class About:
    """What ``run.json`` holds.

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
    """

    command: str = ""
    scale: str = ""
    settings: tuple[str, ...] = ()
    suite: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    __pydantic_config__ = ConfigDict(extra="forbid")  # or any other file of a run, copied over it, would be a blank one

    @property
    def form(self) -> str:
        """The scale and what was set in it, for readers; empty if it is not known."""
        if not self.scale:
            return ""
        return f"{self.scale} scale" + (f", with {', '.join(self.settings)}" if self.settings else "")


ABOUT: TypedJson[About] = TypedJson(About)
