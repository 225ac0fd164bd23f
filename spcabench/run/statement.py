"""A statement of a module: what it says, which names it makes and uses, what it imports."""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass
from typing import Any

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_TARGET = re.compile(r"[A-Za-z_][\w.]*:\w+")
_SCOPES = (Definition, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""What has names of its own."""


@dataclass(frozen=True)
class Import:
    """``from module import name``; without a name the module as a whole."""

    module: str
    name: str = ""


@dataclass(frozen=True)
class Statement:
    """A statement at the top of a module.

    Parameters
    ----------
    words : bytes
        A hash of its syntax tree.
    binds, uses : frozenset of str
        The names that it makes, and those that it reads.
    imports : tuple of Import
        What it imports, also within functions.
    targets : frozenset of str
        Its strings of the form ``"module:attribute"``.
    removable : bool
        Whether it only makes its names: an import, an assignment, a function without decorators.
    """

    words: bytes
    binds: frozenset[str]
    uses: frozenset[str]
    imports: tuple[Import, ...]
    targets: frozenset[str]
    removable: bool


def statement(node: ast.stmt, base: str) -> Statement:
    """Read a statement of a module whose relative imports start from the package `base`."""
    reader = _Reader(base)
    reader.read(node)
    return Statement(
        words=hashlib.sha256("\0".join(reader.words).encode("utf-8", "surrogatepass")).digest(),
        binds=frozenset(reader.binds),
        uses=frozenset(reader.uses),
        imports=tuple(reader.imports),
        targets=frozenset(reader.targets),
        removable=_only_makes_names(node),
    )


def _only_makes_names(node: ast.stmt) -> bool:
    if isinstance(node, Definition):
        return not node.decorator_list
    if isinstance(node, ast.Assign):
        parts = [p for t in node.targets for p in (t.elts if isinstance(t, ast.Tuple | ast.List) else [t])]
        return all(isinstance(part, ast.Name) for part in parts)
    return isinstance(node, ast.Import | ast.ImportFrom)


class _Reader:
    """Read a statement once: its words, which are the same in every version of Python, and its names."""

    def __init__(self, base: str) -> None:
        self.words: list[str] = []
        self.binds: set[str] = set()
        self.uses: set[str] = set()
        self.imports: list[Import] = []
        self.targets: set[str] = set()
        self._base = base
        self._depth = 0

    def read(self, node: Any) -> None:
        """Take in a node, a list of nodes, or a value."""
        if isinstance(node, list):
            self.words.append("[")
            for part in node:
                self.read(part)
            self.words.append("]")
        elif isinstance(node, ast.AST):
            self._note(node)
            self._depth += isinstance(node, _SCOPES)
            self.words.append(type(node).__name__)
            for field in node._fields:
                value = getattr(node, field, None)
                if value is not None and value != []:  # a later Python has more fields, empty if not used
                    self.words.append(field)
                    self.read(value)
            self._depth -= isinstance(node, _SCOPES)
        else:
            self.words.append(repr(node))

    def _note(self, node: ast.AST) -> None:
        """Note the names that a node uses, those within functions too, and those that it makes for the module."""
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                self.uses.add(node.id)
            else:
                self._bind(node.id)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and _TARGET.fullmatch(node.value):
                self.targets.add(node.value)
        elif isinstance(node, Definition | ast.ClassDef):
            self._bind(node.name)
        elif isinstance(node, ast.Global):
            self.uses.update(node.names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._note_import(node)

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                self.imports.append(Import(alias.name))
                self._bind(alias.asname or alias.name.partition(".")[0])
            else:
                self.imports.append(Import(absolute(node, self._base), alias.name))
                self._bind(alias.asname or alias.name)

    def _bind(self, name: str) -> None:
        if not self._depth:
            self.binds.add(name)


def absolute(node: ast.ImportFrom, base: str) -> str:
    """Return the absolute name of the module that something is imported from."""
    if not node.level:
        return node.module or ""
    parts = base.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
