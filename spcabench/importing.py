"""Where code comes from: what ``"module:attribute"`` names, installed plugins, and single files that are plugins."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from spcabench.parameters import nearest, unknown_name
from spcabench.wording import Fault, InputError, of_error, place_of

GROUP = PROJECT = "spcabench"
"""The group of entry points, and the distribution whose plugins come first."""


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
        raise kind(f"module {module} cannot be imported: {of_error(error)}{place_of(error)}") from error
    try:
        return getattr(found, attribute)
    except AttributeError as error:
        file = getattr(found, "__file__", None)
        near = nearest(attribute, [name for name in dir(found) if name[0] != "_"])
        raise Unusable(f"module {module}{f' ({file})' if file else ''} has no '{attribute}'{near}") from error


def _is_missing_elsewhere(module: str, error: BaseException) -> bool:
    """Return whether an import failed for want of a module that is not of the same package."""
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        return error.name.partition(".")[0] != module.partition(".")[0]
    return isinstance(error, ImportError)


@dataclass(frozen=True)
class Plugin:
    """A module that may be a plugin: where it is from, why it is broken if it is, and what it provides."""

    name: str
    origin: str
    module: object = None
    broken: str = ""
    provides: Mapping[str, Sequence[str]] = field(default_factory=dict)


def installed() -> Iterator[Plugin]:
    """Import what the entry points name; each public module of a package is a plugin of its own too."""
    entries = [(entry.dist.name if entry.dist else "", entry.name, entry) for entry in entry_points(group=GROUP)]
    own_first = sorted(entries, key=lambda e: (e[0] != PROJECT, *e[:2]))  # so no other package can take their names
    for _, _, entry in own_first:
        origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        root = _import(entry, origin)
        yield root
        if isinstance(root.module, ModuleType) and hasattr(root.module, "__path__"):
            for info in pkgutil.iter_modules(root.module.__path__):
                if not info.name.startswith("_"):
                    yield _import(f"{root.module.__name__}.{info.name}", origin)


def _import(target: EntryPoint | str, origin: str) -> Plugin:
    name = target if isinstance(target, str) else target.value
    try:
        return Plugin(name, origin, importlib.import_module(name) if isinstance(target, str) else target.load())
    except (Exception, SystemExit) as error:
        return Plugin(name, origin, broken=f"import failed: {type(error).__name__}: {error}{place_of(error)}")


def from_file(path: Path) -> Plugin:
    """Import a single file as a module named after it, so that ``"my_method:MyMethod"`` finds its class.

    Its folder is searched for it, and for modules that it imports, after all other folders.
    """
    if not path.is_file():
        near = [str(p) for p in path.parent.glob("*.py") if p.is_file()] if path.parent.is_dir() else []
        raise InputError(Fault(f"no such plugin file{unknown_name(path, near) if near else ''}", str(path)))
    name, folder = path.stem, str(path.absolute().parent)
    if not name.isidentifier() or name.startswith("__") or path.suffix != ".py":
        return Plugin(name, str(path), broken=f"'{path.name}' cannot be the file of a module; rename the file")
    if folder not in sys.path:
        sys.path.append(folder)
    importlib.invalidate_caches()
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None or Path(found.origin).resolve() != path.resolve():
        return Plugin(name, str(path), broken=f"its name '{name}' is that of another module; rename the file")
    return _import(name, str(path))
