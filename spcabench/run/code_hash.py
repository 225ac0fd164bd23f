"""A hash of the code that a result depends on: a module and the modules of its package that it imports."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_ONE_AT_A_TIME = threading.Lock()
"""Held while a source is parsed: CPython 3.11 counts the depth of that for all threads together, and gives up."""


@cache
def code_hash(target: str) -> str:
    """Hash the source behind ``"module:attribute"``.

    Parameters
    ----------
    target : str
        The estimator, loader or metric of a specification.

    Returns
    -------
    str
        A hash over the module's source and, transitively, that of the modules of the same top-level package
        that it imports by name.  Nothing is imported but parent packages.  Editing any of these files changes
        the hash, editing another does not.
    """
    digest = hashlib.sha256()
    for module, source in sorted(module_hashes(target).items()):
        digest.update(module.encode() + b"\0" + bytes.fromhex(source))
    return digest.hexdigest()[:20]


@cache
def all_module_hashes(targets: tuple[str, ...]) -> Mapping[str, str]:
    """Hash each module's source behind several targets."""
    return {module: source for target in targets for module, source in module_hashes(target).items()}


def module_hashes(target: str) -> dict[str, str]:
    """Hash each module's source behind ``"module:attribute"``, by the module's name; empty where there is none."""
    name = target.partition(":")[0]
    sources = _closure(name, name.partition(".")[0])
    return {module: hashlib.sha256(source).hexdigest() for module, source in sources.items()}


def _closure(name: str, package: str) -> dict[str, bytes]:
    """Return the source of a module and of those of its package that it imports, by module name."""
    sources: dict[str, bytes] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module in sources:
            continue
        file = _source_file(module)
        if file is None:
            continue
        sources[module] = file.read_bytes()
        waiting.extend(_imports(sources[module], module, file.name == "__init__.py", package))
        if b"(__path__)" in sources[module]:  # a package that looks for modules in its own folder
            waiting.extend(f"{module}.{sibling.stem}" for sibling in file.parent.glob("*.py"))
    return sources


def _source_file(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def _imports(source: bytes, module: str, is_package: bool, package: str) -> list[str]:
    """Name the modules of the package that a source imports; ``from a.b import c`` may mean a module ``a.b.c``."""
    names: list[str] = []
    with _ONE_AT_A_TIME:
        tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module, is_package)
            names.append(base)
            names.extend(f"{base}.{alias.name}" for alias in node.names)
    return [name for name in names if name == package or name.startswith(package + ".")]


def _absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + (1 if is_package else 0)]
    return ".".join([*kept, *filter(None, [node.module])])
