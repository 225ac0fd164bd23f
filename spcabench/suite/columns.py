"""Columns of results as values.  Nothing else takes a name such as ``cpev_clean`` or ``err@100`` apart."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from spcabench.specs import MetricSpec

On = Literal["train", "clean", "test"]
Direction = Literal["higher", "lower", "neither"]

SUFFIXES: Mapping[On, str] = {"train": "", "clean": "_clean", "test": "_test"}
"""What stands behind a metric's name, by the samples that the metric was evaluated on."""

REFITTED = "_refitted"
"""What stands there before, if the loadings were refitted on their supports."""

ARROWS: Mapping[Direction, str] = {"higher": " ↑", "lower": " ↓", "neither": ""}
"""What stands behind a heading, by the direction that is better."""


@dataclass(frozen=True)
class Column:
    """One column of results.

    Parameters
    ----------
    metric : str
        The metric.
    on : {"train", "clean", "test"}
        The samples that it was evaluated on.
    index : int or str, optional
        Which entry of a series: 100 of ``err@100``; a text where it is no whole number.
    unit : str
        As of `MetricSpec`; like what follows, it does not count when columns are compared.
    better : {"higher", "lower", "neither"}
        Which direction is good.
    range : (float, float)
        The smallest and the largest possible value.
    refitted : bool
        Whether it is of the best loadings on the supports, rather than of those that the method returned; this counts.
    """

    metric: str
    on: On = "train"
    index: int | str | None = None
    unit: str = field(default="", compare=False)
    better: Direction = field(default="neither", compare=False)
    range: tuple[float, float] = field(default=(-math.inf, math.inf), compare=False)
    refitted: bool = False

    @cached_property
    def name(self) -> str:
        """The name in suites, records, frames and CSV files."""
        return self.stem if self.index is None else f"{self.stem}@{self.index}"

    @property
    def stem(self) -> str:
        """The name without the index: what all columns of a series share."""
        return self.metric + (REFITTED if self.refitted else "") + SUFFIXES[self.on]

    @property
    def heading(self) -> str:
        """The name for readers, with an arrow to where it is better."""
        return self.name + ARROWS[self.better]


def column_of(name: str, metrics: Mapping[str, MetricSpec]) -> Column:
    """Return the column of a name.

    Parameters
    ----------
    name : str
        A metric, perhaps with ``_refitted`` behind it, perhaps with ``_clean`` or ``_test`` behind that, perhaps with
        ``@`` and an index at the end.
    metrics : mapping of str to MetricSpec
        The metrics that are known; the name may be of another.

    Examples
    --------
    >>> column_of("cpev_clean", {})
    Column(metric='cpev', on='clean', index=None, unit='', better='neither', range=(-inf, inf), refitted=False)
    >>> column_of("err_refitted@100", {}).index
    100
    """
    stem, numbered, index = name.partition("@")
    metric, refitted, on = _split(stem, metrics)
    place = _index(index) if numbered else None
    if metric not in metrics:
        return Column(metric, on, place, refitted=refitted)
    spec = metrics[metric]
    return Column(metric, on, place, spec.unit, spec.better, spec.range, refitted)


def _split(stem: str, metrics: Mapping[str, MetricSpec]) -> tuple[str, bool, On]:
    """Return the metric, whether of refitted loadings, and on which samples; a metric may be called ``my_clean``."""
    if stem in metrics:
        return stem, False, "train"
    on: On = next((on for on, suffix in SUFFIXES.items() if suffix and stem.endswith(suffix)), "train")
    stem = stem.removesuffix(SUFFIXES[on])
    is_refitted = stem not in metrics and stem.endswith(REFITTED)
    return stem.removesuffix(REFITTED) if is_refitted else stem, is_refitted, on


def _index(text: str) -> int | str:
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,17}", text) else text
