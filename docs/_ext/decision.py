"""The pages that are templates filled with tables, and the tables of the page "Which method?"."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import resources

import evidence
import snapshot_pages
import snapshot_tables
import standings as leaderboard
import trying
import yaml
from method_pages import methods
from snapshot_tables import TEMPLATES, Row, filled, number, snapshot

from spcabench.importing import resolve
from spcabench.plugins import load_registry
from spcabench.specs import MethodSpec

ALL_OPTIMA = 26
OUTLIERS, PITPROPS = "mnist_outlier", "spcart_pitprops"

MOST_NAMED = 6
"""Methods that a cell names; the others are counted."""


def link(name: str) -> str:
    """Return a link to the page of a method; that of a row ``m as published`` is the page of m."""
    return f"[{name}](methods/{name.split()[0]}.rst)"


def measured(suite: str, metric: str) -> list[Row]:
    """Return the published numbers of a suite's first table that are of a metric, the smallest measured one first."""
    rows = [row for row in snapshot("published").rows if (row["suite"], row["table"]) == (suite, "1")]
    found = [row for row in rows if row["metric"] == metric and number(row["measured"])]
    return sorted(found, key=lambda row: number(row["measured"]) or 0.0)


def streaming() -> list[str]:
    """Return the methods whose class has ``partial_fit``."""
    return [spec.name for spec in methods() if hasattr(resolve(spec.estimator), "partial_fit")]


def needing_samples() -> list[str]:
    """Return the methods that take no covariance."""
    return [spec.name for spec in methods() if "samples" in spec.requires]


def named(names: Sequence[str]) -> str:
    """Return links to the pages of some methods; those beyond a few are counted."""
    more = len(names) - MOST_NAMED
    return ", ".join(map(link, names[:MOST_NAMED])) + (f" and {more} more" if more > 0 else "")


def all_optima() -> list[MethodSpec]:
    """Return the methods that find all proved optima by default."""
    best = [name for name, found in evidence.optima().items() if found.found == ALL_OPTIMA]
    return sorted((spec for spec in methods() if spec.name in best), key=lambda spec: best.index(spec.name))


def of_method(suite: str, method: str) -> dict[str, str]:
    """Return the measured numbers of a method in a suite's first table, by metric."""
    rows = [row for row in snapshot("published").rows if (row["suite"], row["table"]) == (suite, "1")]
    return {row["metric"]: row["measured"] for row in rows if row["method"] == method}


def portfolio() -> list[str]:
    """Return the methods that ``try --budget`` compares."""
    text = resources.files("spcabench.explore").joinpath("portfolio.yaml").read_text(encoding="utf-8")
    return [one["name"] for one in yaml.safe_load(text)["methods"]]


def places(name: str) -> str:
    """Return the questions of the leaderboard in which a method is first, or may be as good as the first."""
    found = leaderboard.standings(leaderboard.scores())
    return ", ".join(one.situation for one in found if name == one.best or name in one.tied)


def pages() -> dict[str, str]:
    """Return the pages of the templates, and the transcript of a table that is tried."""
    modules = (leaderboard, snapshot_tables, evidence, snapshot_pages, sys.modules[__name__])
    known = {name: thing for module in modules for name, thing in vars(module).items()}
    made = {file.name: filled(file.name, known, registry=load_registry()) for file in TEMPLATES.glob("*.md")}
    return made | {"transcript.md": trying.page()}
