"""Claims of a paper: a sentence, and the expression over a run's results that says whether it holds."""

from __future__ import annotations

import ast
from typing import Annotated

from pydantic import AfterValidator, Field

from spcabench.suite.values import Model, Name

FUNCTIONS = ("mean", "least", "most", "ordered", "abs", "min", "max")
"""What an expression may call: numbers of the draws of a method, whether methods stand in an order, and arithmetic."""

ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.UnaryOp, ast.USub, ast.Compare),
    *(ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.Constant, ast.Call, ast.Name, ast.Load, ast.keyword),
)
"""What an expression may consist of; no attribute, no subscript, no power, and no name but that of a function."""

MOST_CHARACTERS = 2000


def parsed(text: str) -> ast.expr:
    """Return the tree of an expression.

    Raises
    ------
    ValueError
        If it is none, or has anything but comparisons and arithmetic of numbers and calls of the known functions.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"an expression of up to {MOST_CHARACTERS} characters; it has {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("an expression, such as mean('cpev', 'a') > 0.5") from error
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        known = isinstance(node, ast.Name) and id(node) in called and node.id in FUNCTIONS
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float, str)
        if not (isinstance(node, ALLOWED) and (known or number or not isinstance(node, ast.Name | ast.Constant))):
            words = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            parts = f"comparisons, and, + - * /, numbers, and calls of {', '.join(FUNCTIONS)}"
            raise ValueError(f"an expression of {parts}, without {words!r}")
    return tree.body


def _checked(text: str) -> str:
    parsed(text)
    return text


class Claim(Model):
    """What a paper says, and how it is seen in a run."""

    name: Name = Field(description="what the list of items calls it")
    says: str = Field(min_length=1, description="the sentence, in our words")
    place: str = Field(min_length=1, description="authors, year and section, table or figure")
    holds: Annotated[str, AfterValidator(_checked)] = Field(
        description="an expression that is true where the claim holds, such as mean('cpev', 'a') > mean('cpev', 'b')"
    )
    tried: str = Field("", description="why it does not hold: what was tried, and the computation that shows it")
