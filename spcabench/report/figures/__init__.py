"""The figures a report may show: ``figures.yaml`` describes each, and names the function that draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module, resources
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from spcabench.report.figures.views import View
    from spcabench.report.model import Results


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of figure, as ``figures.yaml`` describes it.

    Parameters
    ----------
    name : str
        What a suite calls it; also the function that draws it and the name of its files.
    module : str
        The module of this package that has the function.
    heading : str
        What it is, in a few words.
    caption : str
        What it shows, in a clause; empty where the heading says it.
    needs : str
        What it needs to be drawn.
    """

    name: str
    module: str
    heading: str
    needs: str
    caption: str = ""

    @property
    def title(self) -> str:
        """What it shows, in a line."""
        return ": ".join(filter(None, (self.heading, self.caption))) + "."

    def draw(self, results: Results) -> View | None:
        """Make a chart of results, or None if they lack what it needs."""
        drawn: View | None = getattr(import_module(f"{__name__}.{self.module}"), self.name)(results)
        return drawn


_DESCRIBED = yaml.safe_load(resources.files(__name__).joinpath("figures.yaml").read_text(encoding="utf-8"))

FIGURES: Mapping[str, Kind] = MappingProxyType({name: Kind(name=name, **said) for name, said in _DESCRIBED.items()})
"""Every kind of figure, by name."""


def lacking() -> str:
    """Return what is to be installed before figures can be drawn; nothing if all is."""
    if find_spec("vl_convert"):
        return ""
    return "figures take vl-convert: pip install 'spcabench[report]'"
