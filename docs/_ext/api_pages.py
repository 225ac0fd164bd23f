"""A page for each public name of ``spcabench_methods`` and ``spcabench``, and the page that lists them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping

import spcabench_methods
from method_pages import heading, plain, table
from snapshot_tables import filled
from sphinx.application import Sphinx

import spcabench
from spcabench.importing import resolve

FUNCTIONS = {
    "run": "spcabench.api.running",
    "load": "spcabench.api.running",
    "compare": "spcabench.api.comparing",
    "explore": "spcabench.explore.trying",
    "make": "spcabench.suite.making",
}
"""What a notebook uses, and where it is: ``spcabench.run`` is a package too."""

RESULTS = ("Results", "Figure")
PLOTS = ("biplot", "circle", "heat_map", "loadings")
OWN = ("fit", "partial_fit", "transform", "inverse_transform", "score")
BASE = "spcabench_methods.core.base:SparseComponents"


def page(module: str, name: str, thing: object) -> str:
    """Return the page of a class with its own methods, or of a function."""
    lines = [heading(name, "="), f".. currentmodule:: {module}\n"]
    if inspect.isclass(thing):
        members = [member for member in OWN if member in vars(thing)]
        lines += [f".. autoclass:: {name}", f"   :members: {', '.join(members)}" if members else ""]
    else:
        lines += [f".. autofunction:: {name}"]
    return "\n".join(lines) + "\n"


def index(names: Mapping[str, object]) -> str:
    """Return the page that lists public names of ``spcabench_methods``."""
    rows = [
        (f":doc:`{name} <spcabench_methods.{name}>`", plain((inspect.getdoc(thing) or "").partition("\n")[0]))
        for name, thing in names.items()
    ]
    return filled("api.rst", {}, rows=table(["name", "what"], rows, "30 70"), names=names)


def hooks() -> str:
    """Return the page of the public names of ``spcabench`` that plugins need."""
    elsewhere = (*FUNCTIONS, *RESULTS, "plots")
    things = {name: getattr(spcabench, name) for name in spcabench.__all__ if name not in elsewhere}
    return filled(
        "hooks.rst",
        {},
        classes=[name for name, thing in things.items() if inspect.isclass(thing)],
        functions=[name for name, thing in things.items() if inspect.isfunction(thing)],
        constants=[name for name, thing in things.items() if not callable(thing)],
    )


def pages() -> dict[str, str]:
    """Return the pages."""
    names = {name: getattr(spcabench_methods, name) for name in dir(spcabench_methods)}
    module, _, base = BASE.partition(":")
    return {
        **{f"api/spcabench_methods.{name}.rst": page("spcabench_methods", name, names[name]) for name in names},
        "api/base.rst": page(module, base, resolve(BASE)),
        "api/notebooks.rst": filled("notebooks.rst", globals()),
        "api/plugins.rst": hooks(),
        "api/index.rst": index(names),
    }


def escape_shapes(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Escape ``shape (n_components_,)``: a word that ends with an underscore is a link in reStructuredText."""
    lines[:] = [re.sub(r"(?<=shape )\([^)]*\)", _escaped, line) for line in lines]


def _escaped(shape: re.Match[str]) -> str:
    return re.sub(r"_(?=[,)])", r"\\_", shape.group())
