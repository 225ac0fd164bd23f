"""Altair charts in the site: one look for all, and PNG files for the gallery and the pages."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any, cast

import altair as alt
import vl_convert

from spcabench import Figure
from spcabench.report.figures.style import CONFIG

SCALE = 2
"""Pixels of the file for each pixel of the page."""

ORDER = (
    *("first_look", "genes", "survey", "spectra", "returns", "text", "digits", "patches"),
    *("pipeline", "compare", "scree", "stability", "outliers", "stream", "scores", "together"),
)
"""The first examples: tables of users, then what is done with them; those on how methods work follow."""


class ReadersOrder:
    """Sort the examples as readers come to them."""

    def __init__(self, folder: str) -> None:
        """Take the folder of the examples, which all are in."""

    def __call__(self, file: str) -> tuple[int, str]:
        """Return the place of an example."""
        name = Path(file).stem.removeprefix("plot_")
        return ORDER.index(name) if name in ORDER else len(ORDER), name


def use_one_look() -> None:
    """Draw all charts with the fonts and lines of the reports, on white, whatever their number of rows."""
    config = {**CONFIG, "background": "white", "padding": 12}
    look = cast("alt.theme.ThemeConfig", {"config": config})
    alt.theme.register("spcabench", enable=True)(lambda: look)
    alt.data_transformers.disable_max_rows()


def save(chart: alt.TopLevelMixin | Figure, file: Path) -> None:
    """Write a chart, or a figure of a report, as PNG."""
    spec = (chart.chart if isinstance(chart, Figure) else chart).to_dict()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(vl_convert.vegalite_to_png(spec, scale=SCALE))


def scraper(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Keep the chart that a block of an example leaves in the name ``chart``, and return the text that shows it."""
    from sphinx_gallery.scrapers import figure_rst

    chart = block_vars["example_globals"].pop("chart", None)
    if chart is None:
        return ""
    file = Path(next(block_vars["image_path_iterator"]))
    save(chart, file)
    title = block_vars["example_globals"]["__doc__"].strip().partition("\n")[0]
    shown = str(figure_rst([str(file)], gallery_conf["src_dir"], title))
    return ".. container:: scrolled\n\n" + textwrap.indent(shown, "    ")
