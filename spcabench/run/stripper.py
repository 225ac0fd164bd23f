"""A syntax tree without what only describes; see `spcabench.run.code_hash` for what that is."""

from __future__ import annotations

import ast
import re
from typing import Any

from spcabench.run.statement import Definition, absolute

SPECIFICATIONS = frozenset({"MethodSpec", "DatasetSpec", "MetricSpec", "Parameter"})
"""The classes of `spcabench` whose instances describe and do not compute."""
HOOKS = frozenset({"spcabench_methods", "spcabench_datasets", "spcabench_metrics"})

_HOST = "spcabench"
_DESCRIPTION = ast.Constant(...)
"""Stands where an expression was that only describes."""


class Stripper(ast.NodeTransformer):
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
            if absolute(node, base).partition(".")[0] == _HOST:
                names |= {alias.asname or alias.name for alias in node.names if alias.name in SPECIFICATIONS}
        elif isinstance(node, ast.Import):
            hosts |= {alias.asname or _HOST for alias in node.names if alias.name.partition(".")[0] == _HOST}
    return names, hosts
