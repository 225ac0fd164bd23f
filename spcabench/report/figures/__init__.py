"""The figures a report may show: ``figures.yaml`` describes each, and names the function that draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from spcabench.store.files import write_bytes
from spcabench.wording import InputError, bounded, in_a_line

if TYPE_CHECKING:
    from spcabench.report.figures.views import View

PICTURES = ("svg", "png", "pdf")
"""The files of a figure."""

ADDRESSES = 96 << 30
"""Bytes of address space with which Vega draws; with 64 GiB its engine ends the process by a signal."""

SCALE = 2.0
"""Pixels of a PNG to a unit of the figure."""


@dataclass(frozen=True)
class Described:
    """A figure in words.

    Parameters
    ----------
    name : str
        What a suite calls it; also the name of its files.
    heading : str
        What it is, in a few words.
    caption : str
        What it shows, in a clause; empty where the heading says it.
    """

    name: str
    heading: str
    caption: str

    @property
    def title(self) -> str:
        """What it shows, in a line."""
        return ": ".join(filter(None, (self.heading, self.caption))) + "."


@dataclass(frozen=True)
class Figure(Described):
    """A figure, which shows itself in a notebook, without a network.

    Parameters
    ----------
    name, heading, caption : str
        As of `Described`.
    chart : spcabench.report.figures.views.View
        To show it with tooltips; ``chart.to_dict()`` is its specification of Vega-Lite.
    """

    chart: Any = field(repr=False, compare=False)

    @cached_property
    def svg(self) -> str:
        """The figure as SVG; an InputError if the machine has not what drawing takes."""
        if lacking():
            raise InputError(lacking())
        import vl_convert

        if find_spec("resource"):
            import resource

            limit = resource.getrlimit(resource.RLIMIT_AS)[0]
            if limit != resource.RLIM_INFINITY and limit < ADDRESSES:
                what = f"the address space is limited to {limit / 2**30:.3g} GiB, and Vega takes {ADDRESSES >> 30}"
                raise InputError(f"the figure {self.name} cannot be drawn: {what}; lift the limit with 'ulimit -v'")
        try:
            text: str = vl_convert.vegalite_to_svg(self.chart.to_dict())
        except BaseException as error:  # of Rust, a panic is no Exception
            if not isinstance(error, ValueError) and type(error).__module__ != "pyo3_runtime":
                raise
            what = f"the figure {self.name} cannot be drawn: {in_a_line(bounded(str(error)))}"
            raise InputError(f"{what}; Vega may lack memory, or files that it may open ('ulimit -n')") from error
        return text

    def picture(self, kind: str) -> bytes:
        """Return the figure as svg, png or pdf."""
        if kind == "svg":
            return self.svg.encode()
        import vl_convert

        made: bytes = vl_convert.svg_to_png(self.svg, scale=SCALE) if kind == "png" else vl_convert.svg_to_pdf(self.svg)
        return made

    def save(self, path: str | Path) -> Path:
        """Write the figure as SVG, PNG or PDF, by the end of the file's name.

        Raises
        ------
        InputError
            If it ends in anything else, or cannot be written.
        """
        path = Path(path)
        kind = path.suffix.removeprefix(".").lower()
        if kind not in PICTURES:
            raise InputError(f"{path}: a figure ends in one of {', '.join(f'.{ending}' for ending in PICTURES)}")
        write_bytes(path, self.picture(kind))
        return path

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, kw_only=True)
class Kind(Described):
    """A kind of figure, as ``figures.yaml`` describes those of a report.

    Parameters
    ----------
    name, heading, caption : str
        As of `Described`; the function that draws it has its name.
    module : str
        The module that has the function.
    needs : str
        What it needs to be drawn.
    """

    module: str
    needs: str

    def draw(self, results: Any) -> View | None:
        """Make a chart of results, or None if they lack what it needs."""
        drawn: View | None = getattr(import_module(f"{__name__}.{self.module}"), self.name)(results)
        return drawn

    def figure(self, results: Any) -> Figure | None:
        """Draw the figure of results, or None if they lack what it needs."""
        chart = self.draw(results)
        return None if chart is None else Figure(self.name, self.heading, self.caption, chart)


_DESCRIBED = yaml.safe_load(resources.files(__name__).joinpath("figures.yaml").read_text(encoding="utf-8"))

FIGURES: Mapping[str, Kind] = {name: Kind(name=name, **{"caption": "", **said}) for name, said in _DESCRIBED.items()}
"""Every kind of figure, by name."""


def lacking() -> str:
    """Return what is to be installed before figures can be drawn; nothing if all is."""
    if find_spec("vl_convert"):
        return ""
    return "figures take vl-convert: pip install 'spcabench[report]'"
