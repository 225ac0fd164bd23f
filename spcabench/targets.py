"""What ``"module:attribute"`` names: importing it, and seeing without importing it whether it is there."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import Any

from spcabench import wording
from spcabench.parameters import nearest

_OPEN = {"*", "__getattr__", "globals", "vars", "exec", "setattr"}
"""Names by which a module may have more names than its source shows."""


class Unusable(Exception):
    """What a specification names cannot be had; the message names the module, its file, and the reason."""


class NotInstalled(Unusable):
    """A module that it imports is not installed."""


def resolve(target: str) -> Any:
    """Import what ``"module:attribute"`` names.

    Raises
    ------
    Unusable
        If its module cannot be imported, or has no such attribute.
    """
    module, _, attribute = target.partition(":")
    try:
        found = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        kind = NotInstalled if _is_missing_elsewhere(module, error) else Unusable
        raise kind(f"module {module} cannot be imported: {wording.of_error(error)}{wording.place_of(error)}") from error
    try:
        return getattr(found, attribute)
    except AttributeError as error:
        raise Unusable(_lacks(module, attribute, getattr(found, "__file__", None), dir(found))) from error


def absent(target: str) -> str:
    """Return why ``"module:attribute"`` cannot be there, as far as its source shows; an empty string if it may be.

    A module that is loaded already is asked; any other is read and not imported.  What is not installed may be.
    """
    module, _, attribute = target.partition(":")
    loaded = sys.modules.get(module)
    if loaded is not None:
        return "" if hasattr(loaded, attribute) else _lacks(module, attribute, loaded.__file__, dir(loaded))
    top, *inner = module.split(".")
    try:
        home = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        home = None
    if home is None:
        return ""
    file = _source(home.origin, home.submodule_search_locations or (), inner)
    if file is None:
        is_source = home.submodule_search_locations is not None or str(home.origin).endswith(".py")
        return f"{top} has no module {module}" if is_source else ""
    names = _names(file)
    return "" if names is None or attribute in names else _lacks(module, attribute, str(file), names)


def _lacks(module: str, attribute: str, file: str | None, names: Any) -> str:
    place = f" ({file})" if file else ""
    return f"module {module}{place} has no '{attribute}'{nearest(attribute, [n for n in names if n[0] != '_'])}"


def _is_missing_elsewhere(module: str, error: BaseException) -> bool:
    """Return whether an import failed for want of a module that is not of the same package."""
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        return error.name.partition(".")[0] != module.partition(".")[0]
    return isinstance(error, ImportError)


def _source(origin: str | None, folders: Any, inner: list[str]) -> Path | None:
    """Return the source of a module within a package; None if there is none."""
    if not inner:
        return Path(origin) if origin and origin.endswith(".py") else None
    for folder in folders:
        place = Path(folder).joinpath(*inner)
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return file
    return None


@cache
def _names(file: Path) -> frozenset[str] | None:
    """Return the names that a module binds at its top; None if its source does not tell them all."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError):
        return None
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name):
            names.update({node.id} & _OPEN if isinstance(node.ctx, ast.Load) else {node.id})
    return None if names & _OPEN else frozenset(names)
