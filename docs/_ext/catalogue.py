"""The pages of metrics and of data sets, made from the registry."""

from __future__ import annotations

from method_pages import heading, plain, table

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


def pages() -> dict[str, str]:
    """Return both pages."""
    registry = load_registry()
    return {"metrics.rst": metrics(registry), "datasets.rst": datasets(registry)}
