"""Published numbers: what a suite may say of a paper."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from spcabench.suite.values import Count, Label, Model

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
