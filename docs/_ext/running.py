"""The directive ``runs``: Python that runs when the site is built, with what it prints and the chart that it makes.

Blocks of one page share their names.  A block that ends with an error ends the build.  With ``:hide:`` the code stays
out of the page.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import warnings
from pathlib import Path
from typing import Any, cast

import charts
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

NAMES = "names of the page"
IMAGES = "made/images"


def run_block(code: str, names: dict[str, Any], where: str = "<page>") -> str:
    """Run a block in the names of its page, and return what it prints, then the warnings that it gives."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        exec(compile(code, where, "exec"), names)
    told = dict.fromkeys(f"{one.category.__name__}: {one.message}" for one in given)
    return "\n".join([printed.getvalue().rstrip(), *told]).strip("\n")


class Runs(SphinxDirective):
    """Show code, what it prints, and the chart that it leaves in the name ``chart``."""

    has_content = True
    option_spec = {"hide": directives.flag, "alt": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Run the block and return its code, its output and its picture."""
        code = "\n".join(self.content)
        names = cast("dict[str, Any]", self.env.temp_data.setdefault(NAMES, {"__name__": "__page__"}))
        printed = run_block(code, names, f"{self.env.docname}:{self.lineno}")
        found: list[nodes.Node] = []
        if "hide" not in self.options:
            found.append(nodes.literal_block(code, code, language="python"))
        if printed:
            found.append(nodes.literal_block(printed, printed, language="text", classes=["output"]))
        if (chart := names.pop("chart", None)) is not None:
            found.append(self._picture(chart, code))
        return found

    def _picture(self, chart: Any, code: str) -> nodes.Node:
        name = f"{self.env.docname.replace('/', '-')}-{hashlib.sha256(code.encode()).hexdigest()[:10]}.png"
        charts.save(chart, Path(self.env.srcdir) / IMAGES / name)
        return nodes.image(uri=f"/{IMAGES}/{name}", alt=self.options.get("alt", "chart"), width="100%")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("runs", Runs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
