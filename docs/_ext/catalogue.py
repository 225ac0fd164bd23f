"""The pages of metrics and of data sets, made from the registry."""

from __future__ import annotations

from pathlib import Path

from house_pages import MADE, write_if_changed
from method_pages import heading, plain, table
from sphinx.application import Sphinx

from spcabench.plugins import Registry, load_registry


def metrics(registry: Registry) -> str:
    """Return the page of metrics."""
    rows = [
        (f"``{spec.name}``", plain(spec.title), f"``{spec.formula}``", spec.better, plain(spec.source))
        for spec in registry.metrics.specs.values()
    ]
    words = "S is X'X/n of centred X; the columns of W are the loadings, those of Q are a basis of their span.\n"
    return "\n".join([heading("Metrics", "="), words, table(["name", "what", "formula", "better", "source"], rows)])


def datasets(registry: Registry) -> str:
    """Return the page of data sets."""
    rows = [
        (f"``{spec.name}``", plain(spec.title), ", ".join(sorted(spec.provides)) or "a covariance", plain(spec.source))
        for spec in registry.datasets.specs.values()
    ]
    return "\n".join([heading("Data sets", "="), table(["name", "what", "what is known", "source"], rows)])


def make(app: Sphinx) -> None:
    """Write both pages."""
    registry = load_registry()
    folder = Path(app.srcdir) / MADE
    write_if_changed(folder / "metrics.rst", metrics(registry))
    write_if_changed(folder / "datasets.rst", datasets(registry))


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the pages before Sphinx looks for them."""
    app.connect("config-inited", lambda app, _: make(app))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
