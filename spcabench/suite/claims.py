"""What a suite may say of a paper: its numbers, and its claims.

A claim is a sentence, and the expression over a run's results that says whether it holds.
"""

from __future__ import annotations

import ast
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from spcabench.suite.values import Count, Label, Model, Name

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


NumberKind = Literal["measured", "dense reference", "by construction", "time", "beside"]
"""What a published number can show; `spcabench.report.published` has the rule where the suite is silent.

``measured``: it can fail.  ``dense reference``: it belongs to a dense method.  ``by construction``: a definition or
the target fixes it.  ``time``: it is from another machine.  ``beside``: it is of other data or of another method than
ours, or no paper printed it; ours need not be like it.
"""
KIND = "what the numbers can show, if not what the rule says: method without sparsity, count at a target, or time"


class PublishedRow(Model):
    """Published numbers of one method."""

    method: Label = Field(description="the method's label in this suite")
    metrics: dict[str, float] = Field(description="published values by metric name")
    minus: Label | None = Field(None, description="another method; the numbers are then how much it has less")
    n_nonzero: Count | list[Count] | None = Field(None, description="the target they belong to; any if left out")
    kind: NumberKind | None = Field(None, description=KIND)
    reason: str = Field("", description="why ours differ; it explains them if it names a computation, as x.py name")


class Published(Model):
    """Numbers from a paper, compared with ours."""

    source: str = Field(min_length=1, description="authors, year, table and row")
    dataset: Label | None = Field(None, description="the data set's label, where the suite has several")
    over: Literal["each", "mean"] = Field(
        "each", description="each: the numbers belong to every such data set; mean: to the mean over them"
    )
    tolerance: float = Field(0.01, ge=0, le=1, description="share by which a number may differ and still match")
    kind: NumberKind | None = Field(None, description=f"{KIND}; a row may say another")
    draws: Count = Field(1, description="random draws of which a number is the mean; 1 if the paper does not say")
    decimals: int | None = Field(None, ge=0, le=15, description="decimals that the paper prints; exact if left out")
    rows: list[PublishedRow] = Field(min_length=1)
    note: str = ""
