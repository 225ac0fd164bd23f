"""A hash of the code that a result depends on: a module and those of its plugin that it imports.

Hashed is the syntax tree, without docstrings and comments, of the module that a specification names, and of all that
this imports, directly or not, of the same top-level package; of a plugin that is a single file, of the files beside it.
A package that holds a module but that it does not import is not among them, nor is one that only passes on a name of
one of its modules.  A package that looks for its modules when it runs has them all.

Not seen are modules whose names are put together elsewhere, compiled modules and other packages, among them spcabench
itself but for the modules of its metrics; their versions are in a record's environment.
What is declared, such as a knob or the defaults of a data set, is in a cell's identity and not here.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_HOST, _OF_HOST = "spcabench", "spcabench.metrics"
_SHARED = {"site-packages", "dist-packages"}
"""Folders where modules stand side by side that have nothing to do with each other."""
_ONE_AT_A_TIME = threading.Lock()
"""Held while a source is parsed: CPython 3.11 counts the depth of that for all threads together, and gives up."""


@cache
def code_hash(target: str) -> str:
    """Hash the code behind ``"module:attribute"``: the estimator, loader or metric of a specification.

    Editing any of the modules that it uses changes the hash, editing their comments and docstrings does not.  Nothing
    is imported but parent packages.  A hash is remembered until ``code_hash.cache_clear()``, with which a run begins.
    """
    modules = sorted(module_hashes(target).items())
    return hashlib.sha256(repr((target, modules)).encode()).hexdigest()[:20]


def module_hashes(target: str) -> dict[str, str]:
    """Hash each module behind ``"module:attribute"``, by the module's name; empty if there is none."""
    module, _, attribute = target.partition(":")
    found: dict[str, str] = {}
    asked, waiting = set(), [(module, attribute)]
    while waiting:
        wanted = waiting.pop()
        if wanted in asked or not _is_beside(wanted[0], module):
            continue
        asked.add(wanted)
        name, file, source = _home(*wanted)
        if source is not None and name not in found:
            found[name] = source.words
            waiting += source.imports
            if "__path__" in source.uses or (name == module and "__getattr__" in source.uses):
                waiting += [(other, "") for other in _inside(name, file.parent)]
    return found


@dataclass(frozen=True)
class _Source:
    """A hash of a module, its imports as pairs of module and name, what it calls these, and the names that it uses."""

    words: str
    imports: tuple[tuple[str, str], ...]
    passed_on: Mapping[str, tuple[str, str]]
    uses: frozenset[str]


def _home(module: str, name: str) -> tuple[str, Path, _Source | None]:
    """Return the module in which a name of a module is made, its file and its source.

    The name may be a module itself, or one that a package only passes on from a module of its own.
    """
    file = _source_file(module)
    if file is None:
        return module, Path(), None
    is_package = file.name == "__init__.py"
    source = _read(file.read_bytes(), module if is_package else module.rpartition(".")[0])
    if is_package and name:
        there = source.passed_on.get(name)
        if there is not None and there[0].startswith(f"{module}."):
            return _home(*there)
        if _source_file(f"{module}.{name}") is not None:
            return _home(f"{module}.{name}", "")
    return module, file, source


@cache
def _read(source: bytes, package: str) -> _Source:
    """Read a module's source, in which relative imports start from a package; what is no Python is hashed as it is."""
    try:
        with _ONE_AT_A_TIME:
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return _Source(hashlib.sha256(source).hexdigest(), (), {}, frozenset())
    imports, passed_on, uses = [], {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level > len(list(filter(None, package.split(".")))):  # it leads out of the package
                continue
            module = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            imports += [(module, alias.name) for alias in node.names]
            passed_on.update({alias.asname or alias.name: (module, alias.name) for alias in node.names})
        elif isinstance(node, ast.Name | ast.FunctionDef):
            uses.add(node.id if isinstance(node, ast.Name) else node.name)
    words = hashlib.sha256(_words(tree).encode("utf-8", "surrogatepass")).hexdigest()
    return _Source(words, tuple(imports), passed_on, frozenset(uses))


def _words(node: Any) -> str:
    """Write a syntax tree without docstrings, as `ast.dump` does but the same in every version of Python."""
    if isinstance(node, list):
        return f"[{','.join(_words(part) for part in node if not _is_silent(part))}]"
    if isinstance(node, ast.AST):
        fields = [f"{name}={_words(value)}" for name, value in ast.iter_fields(node) if value not in (None, [])]
        return f"{type(node).__name__}({','.join(fields)})"
    return repr(node)


def _is_silent(node: Any) -> bool:
    """Return whether a statement is a docstring, or stands where one might."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return is_text or isinstance(node, ast.Pass)


def _inside(package: str, folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*.py")):
        if file.name != "__init__.py":
            yield ".".join([package, *file.relative_to(folder).with_suffix("").parts])


def _is_beside(module: str, target: str) -> bool:
    """Return whether a module is of the target's package, or stands beside a target that is a single file."""
    top = target.partition(".")[0]
    root = _OF_HOST if top == _HOST else top
    if f"{module}.".startswith(f"{root}.") or module == target:
        return True
    file, other = _source_file(top), _source_file(module.partition(".")[0])
    if file is None or other is None or file.name == "__init__.py" or _SHARED & set(file.parts):
        return False
    return file.parent == (other.parent.parent if other.name == "__init__.py" else other.parent)


def _source_file(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except Exception:  # of a package that is imported for it, whatever that raises
        return None
    return Path(spec.origin) if spec is not None and spec.origin and spec.origin.endswith(".py") else None
