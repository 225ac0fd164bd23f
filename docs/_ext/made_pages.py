"""Pages that the build makes, in the folder ``made``, from the registry, the snapshots and pages of the repository."""

from __future__ import annotations

from pathlib import Path

import api_pages
import decision
import house_pages
import method_pages
from sphinx.application import Sphinx

MADE = "made"


def make(app: Sphinx) -> None:
    """Write the pages whose text changed: Sphinx reads again what has a new date."""
    for module in (house_pages, method_pages, decision, api_pages):
        for name, text in module.pages().items():
            file = Path(app.srcdir) / MADE / name
            if not file.is_file() or file.read_text(encoding="utf-8") != text:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the pages before Sphinx looks for them."""
    app.connect("autodoc-process-docstring", api_pages.escape_shapes, priority=400)  # before numpydoc
    app.connect("config-inited", lambda app, _: make(app))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
