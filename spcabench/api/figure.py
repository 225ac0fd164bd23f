"""A figure of a report, as a notebook shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from spcabench.errors import InputError
from spcabench.report.build import PICTURES, SCALE
from spcabench.store.files import write_bytes


@dataclass(frozen=True)
class Figure:
    """A figure, which shows itself in a notebook, without a network.

    Parameters
    ----------
    name : str
        Its name in suites.
    title : str
        What it shows, in a line.
    chart : altair.Chart
        To change it, or to show it with tooltips.
    """

    name: str
    title: str
    chart: Any = field(repr=False, compare=False)

    @cached_property
    def svg(self) -> str:
        """The figure as SVG."""
        import vl_convert

        text: str = vl_convert.vegalite_to_svg(self.chart.to_dict())
        return text

    def save(self, path: str | Path) -> Path:
        """Write the figure as SVG, PNG or PDF, by the end of the file's name.

        Raises
        ------
        InputError
            If it ends in anything else, or cannot be written.
        """
        import vl_convert

        path = Path(path)
        kind = path.suffix.removeprefix(".").lower()
        if kind not in PICTURES:
            raise InputError(f"{path}: a figure ends in one of {', '.join(f'.{ending}' for ending in PICTURES)}")
        content = {
            "svg": lambda: self.svg.encode(),
            "png": lambda: vl_convert.svg_to_png(self.svg, scale=SCALE),
            "pdf": lambda: vl_convert.svg_to_pdf(self.svg),
        }[kind]()
        write_bytes(path, content)
        return path

    def _repr_svg_(self) -> str:
        return self.svg
