"""What of a module's source computes: its statements as words, without all that only describes.

See `spcabench.run.code_hash` for what is left out.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spcabench.run.statement import Import, Statement, statement
from spcabench.run.stripper import Stripper

DYNAMIC = frozenset({"globals", "vars", "eval", "exec"})
"""Functions that reach a name of the module without writing it."""

_ONE_AT_A_TIME = threading.Lock()
"""Held while a source is parsed: CPython 3.11 counts the depth of that for all threads together, and gives up."""


@dataclass(frozen=True)
class Module:
    """The statements of a module that may compute.

    Parameters
    ----------
    statements : tuple of Statement
    optional : frozenset of str
        Names that descriptions use: what makes them counts only where something that computes uses them too.
    """

    statements: tuple[Statement, ...]
    optional: frozenset[str]

    def makes(self, name: str) -> bool:
        """Return whether a statement binds a name."""
        return any(name in statement.binds for statement in self.statements)

    def computing(self, wanted: frozenset[str] | None) -> list[Statement]:
        """Return the statements that compute.

        Parameters
        ----------
        wanted : frozenset of str or None
            The names that other modules use; None for all.
        """
        if wanted is None:
            return list(self.statements)
        idle = {i for i, s in enumerate(self.statements) if s.removable and s.binds & self.optional}
        woken = set(range(len(self.statements))) - idle
        used = set(wanted)
        while woken:
            used.update(*(self.statements[i].uses for i in woken))
            if used & DYNAMIC:
                return list(self.statements)
            woken = {i for i in idle if self.statements[i].binds & used}
            idle -= woken
        return [s for i, s in enumerate(self.statements) if i not in idle]


def read_module(source: bytes, name: str, is_package: bool) -> Module:
    """Read what of a source computes.

    Parameters
    ----------
    source : bytes
        Of a module; what Python cannot parse is one statement.
    name : str
        The module's name, which relative imports start from.
    is_package : bool
        Whether it is the ``__init__`` of a package.
    """
    try:
        with _ONE_AT_A_TIME:
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        nothing: frozenset[str] = frozenset()
        return Module((Statement(source, nothing, nothing, (), nothing, False),), nothing)
    base = name if is_package else name.rpartition(".")[0]
    stripper = Stripper(tree, base)
    statements = [statement(node, base) for node in _one_name_each(stripper.body)]
    described = stripper.described
    if is_package:  # what it imports from its own modules is there for others to import
        described |= {n for s in statements if s.removable for i in s.imports if i.name and _within(i, name)
                      for n in s.binds}  # fmt: skip
    return Module(tuple(statements), _with_what_they_use(described, statements))


def _within(imported: Import, package: str) -> bool:
    return imported.module.startswith(package + ".")


def _with_what_they_use(names: set[str], statements: Iterable[Statement]) -> frozenset[str]:
    """Add to names all that the statements which make them use, and so on."""
    waiting = [s for s in statements if s.removable]
    while found := [s for s in waiting if s.binds & names]:
        names = names.union(*(s.uses for s in found))
        waiting = [s for s in waiting if s not in found]
    return frozenset(names)


def _one_name_each(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, an import of several names as several imports."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (ast.Import(names=[alias]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (ast.ImportFrom(module=node.module, names=[alias], level=node.level) for alias in node.names)
        else:
            yield node
