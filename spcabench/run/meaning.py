"""What of a module's source computes: its statements as words, without all that only describes.

See `spcabench.run.code_hash` for what is left out.
"""

from __future__ import annotations

import ast
import hashlib
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

SPECIFICATIONS = frozenset({"MethodSpec", "DatasetSpec", "MetricSpec", "Parameter"})
"""The classes of `spcabench` whose instances describe and do not compute."""
HOOKS = frozenset({"spcabench_methods", "spcabench_datasets", "spcabench_metrics"})
DYNAMIC = frozenset({"globals", "vars", "eval", "exec"})
"""Functions that reach a name of the module without writing it."""

_HOST = "spcabench"
_DESCRIPTION = ast.Constant(...)
"""Stands where an expression was that only describes."""
_TARGET = re.compile(r"[A-Za-z_][\w.]*:\w+")
_ONE_AT_A_TIME = threading.Lock()
"""Held while a source is parsed: CPython 3.11 counts the depth of that for all threads together, and gives up."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef
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
    stripper = _Stripper(tree, base)
    statements = [_statement(node, base) for node in _one_name_each(stripper.body)]
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


class _Stripper(ast.NodeTransformer):
    """Take out of a syntax tree what only describes.

    Parameters
    ----------
    tree : ast.Module
        Is changed.
    base : str
        The package that relative imports start from.

    Attributes
    ----------
    body : list of ast.stmt
        What is left.
    described : set of str
        The names that stood in what was taken out.
    """

    def __init__(self, tree: ast.Module, base: str) -> None:
        self.described: set[str] = set()
        self._in_class = False
        self._specifications, self._hosts = _names_of_specifications(tree, base)
        for node in tree.body:
            if isinstance(node, Definition) and self._is_specification(node.returns):
                self._specifications.add(node.name)
        self.body: list[ast.stmt] = []
        for node in tree.body:
            if isinstance(node, Definition) and (node.name in HOOKS or node.name in self._specifications):
                self._leave_out(node)
            else:
                self.body += self._visit_each([node])

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Leave out docstrings."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        return self.generic_visit(node)

    def visit_Pass(self, node: ast.Pass) -> None:
        """Leave out what stands where a docstring might."""

    def visit_If(self, node: ast.If) -> Any:
        """Leave out what is for type checkers."""
        test = node.test
        if (test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")) == "TYPE_CHECKING":
            return self._visit_each(node.orelse)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Keep the annotations of a class, which may be fields."""
        return self._visit_within(node, True)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Leave out the annotations of a function, unless a decorator may read them."""
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """As of any function."""
        return self._visit_function(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Leave out the annotation of a variable, and the value of one that describes."""
        if node.value is not None and self._is_specification(node.annotation):
            self._leave_out(node.value)
            node.value = _DESCRIPTION
        if self._in_class:
            return self.generic_visit(node)
        self._leave_out(node.annotation)
        if node.value is None:
            return None
        return self.generic_visit(ast.Assign(targets=[node.target], value=node.value))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave out what makes a description."""
        if self._is_specification(node.func):
            self._leave_out(node)
            return _DESCRIPTION
        return self.generic_visit(node)

    def _visit_each(self, nodes: list[ast.stmt]) -> list[ast.stmt]:
        together = ast.Module(body=nodes, type_ignores=[])
        self.generic_visit(together)
        return together.body

    def _visit_function(self, node: Definition) -> ast.AST:
        if not node.decorator_list:
            a = node.args
            for arg in filter(None, [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]):
                self._leave_out(arg.annotation)
                arg.annotation = None
            self._leave_out(node.returns)
            node.returns = None
        return self._visit_within(node, False)

    def _visit_within(self, node: ast.AST, in_class: bool) -> ast.AST:
        before, self._in_class = self._in_class, in_class
        kept = self.generic_visit(node)
        self._in_class = before
        return kept

    def _leave_out(self, node: ast.AST | None) -> None:
        if node is not None:
            self.described.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name))

    def _is_specification(self, node: ast.AST | None) -> bool:
        """Return whether an expression, or an annotation, names a specification."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return not self._specifications.isdisjoint(re.findall(r"\w+", node.value))
        if isinstance(node, ast.Name):
            return node.id in self._specifications
        if isinstance(node, ast.Attribute):
            return node.attr in SPECIFICATIONS and isinstance(node.value, ast.Name) and node.value.id in self._hosts
        parts = [node.slice] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node) if node else []
        return not isinstance(node, ast.Call) and any(map(self._is_specification, parts))


def _names_of_specifications(tree: ast.Module, base: str) -> tuple[set[str], set[str]]:
    """Return what the specifications are called in a module, and what the host's modules are called."""
    names: set[str] = set()
    hosts: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if _absolute(node, base).partition(".")[0] == _HOST:
                names |= {alias.asname or alias.name for alias in node.names if alias.name in SPECIFICATIONS}
        elif isinstance(node, ast.Import):
            hosts |= {alias.asname or _HOST for alias in node.names if alias.name.partition(".")[0] == _HOST}
    return names, hosts


def _one_name_each(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, an import of several names as several imports."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (ast.Import(names=[alias]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (ast.ImportFrom(module=node.module, names=[alias], level=node.level) for alias in node.names)
        else:
            yield node


def _statement(node: ast.stmt, base: str) -> Statement:
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
                self.imports.append(Import(_absolute(node, self._base), alias.name))
                self._bind(alias.asname or alias.name)

    def _bind(self, name: str) -> None:
        if not self._depth:
            self.binds.add(name)


def _absolute(node: ast.ImportFrom, base: str) -> str:
    """Return the absolute name of the module that something is imported from."""
    if not node.level:
        return node.module or ""
    parts = base.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
