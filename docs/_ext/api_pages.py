"""A page for each public name of ``spcabench_methods`` and ``spcabench``, and the page that lists them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence

import spcabench_methods
from method_pages import heading, plain, table
from sphinx.application import Sphinx

import spcabench
from spcabench.importing import resolve

FUNCTIONS = {
    "run": "spcabench.api.running",
    "load": "spcabench.api.running",
    "compare": "spcabench.api.comparing",
    "make": "spcabench.suite.making",
}
"""What a notebook uses, and where it is: ``spcabench.run`` is a package too."""

RESULTS = ("Results", "Figure")
OWN = ("fit", "partial_fit", "transform", "inverse_transform", "score")
BASE = "spcabench_methods.core.base.SparseComponents"


def estimators() -> dict[str, str]:
    """Return the page of each public name of ``spcabench_methods``."""
    return {f"spcabench_methods.{name}": _page("spcabench_methods", name) for name in dir(spcabench_methods)}


def _page(package: str, name: str) -> str:
    thing = getattr(__import__(package), name)
    lines = [heading(name, "="), f".. currentmodule:: {package}\n"]
    if inspect.isclass(thing):
        lines += [f".. autoclass:: {name}"]
        members = [member for member in OWN if member in vars(thing)]
        lines += [f"   :members: {', '.join(members)}"] if members else []
    else:
        lines += [f".. autofunction:: {name}"]
    return "\n".join(lines) + "\n"


def _first_line(thing: object) -> str:
    return plain((inspect.getdoc(thing) or "").partition("\n")[0])


def _plugins() -> Iterator[str]:
    for name in spcabench.__all__:
        thing = getattr(spcabench, name)
        if name in FUNCTIONS or name in RESULTS:
            continue
        if inspect.isclass(thing):
            yield f".. autoclass:: {name}\n"
        elif inspect.isfunction(thing):
            yield f".. autofunction:: {name}\n"


def host() -> dict[str, str]:
    """Return the pages of the public names of ``spcabench``."""
    notebook = [heading("Notebooks and scripts", "=")]
    for name, home in FUNCTIONS.items():
        notebook += [heading(f"spcabench.{name}", "-"), f".. currentmodule:: {home}\n", f".. autofunction:: {name}\n"]
    for name in RESULTS:
        notebook += [heading(f"spcabench.{name}", "-"), ".. currentmodule:: spcabench\n", f".. autoclass:: {name}"]
        notebook += ["   :members:\n"]
    constants = [name for name in spcabench.__all__ if not callable(getattr(spcabench, name))]
    plugins = [heading("Plugins", "="), ".. currentmodule:: spcabench\n", *_plugins()]
    plugins += [f"``{'``, ``'.join(constants)}`` are values for these: see :class:`Knob` and :class:`Parameter`.\n"]
    return {"notebooks": "\n".join(notebook), "plugins": "\n".join(plugins)}


def base() -> str:
    """Return the page of the base class, which has what all estimators share."""
    module, _, name = BASE.rpartition(".")
    members = [member for member in OWN if member in vars(resolve(f"{module}:{name}"))]
    lines = [f".. currentmodule:: {module}\n", f".. autoclass:: {name}", f"   :members: {', '.join(members)}\n"]
    return "\n".join([heading(name, "="), *lines])


def index(names: Sequence[str]) -> str:
    """Return the page that lists them."""
    rows = [(f":doc:`{name.partition('.')[2]} <{name}>`", _first_line(_named(name))) for name in names]
    return "\n".join(
        [
            heading("API", "="),
            "Public are the names on these pages; :doc:`/deprecations` says what that means.\n",
            ".. toctree::\n   :titlesonly:\n\n   notebooks\n   plugins\n   base\n",
            heading("Estimators", "-"),
            "All have the methods and attributes of :doc:`SparseComponents <base>`.\n",
            table(["name", "what"], rows, "30 70"),
            ".. toctree::\n   :hidden:\n",
            *(f"   {name}" for name in names),
            "",
        ]
    )


def _named(name: str) -> object:
    return getattr(spcabench_methods, name.partition(".")[2])


def pages() -> dict[str, str]:
    """Return the pages."""
    found = {**estimators(), **host(), "base": base(), "index": index(list(estimators()))}
    return {f"api/{name}.rst": text for name, text in found.items()}


def escape_shapes(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Escape ``shape (n_components_,)``: a word that ends with an underscore is a link in reStructuredText."""
    lines[:] = [re.sub(r"(?<=shape )\([^)]*\)", _escaped, line) for line in lines]


def _escaped(shape: re.Match[str]) -> str:
    return re.sub(r"_(?=[,)])", r"\\_", shape.group())
