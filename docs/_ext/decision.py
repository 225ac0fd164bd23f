"""The pages that are templates filled with tables, and the tables of the page "Which method?"."""

from __future__ import annotations

from collections.abc import Sequence

import evidence
import snapshot_pages
import snapshot_tables
import trying
from method_pages import methods
from snapshot_tables import TEMPLATES, Row, filled, markdown, number, snapshot
from standings import Standing, small_table, standings

from spcabench.importing import resolve
from spcabench.plugins import load_registry

ALL_OPTIMA = 26
LARGE = "100 x 20000"
OUTLIERS, PITPROPS = "mnist_outlier", "spcart_pitprops"
PATH = "COP-PCA's whole path costs less than GPower l0 once per cardinality"

MOST_NAMED = 6
"""Methods that a cell names; the others are counted."""


def link(name: str) -> str:
    """Return a link to the page of a method."""
    return f"[{name}](methods/{name}.rst)"


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


def longest_path() -> Row:
    """Return the row of the speed of a path in which it gains most."""
    return max(evidence.speed()[PATH], key=lambda row: number(row["ratio"]) or 0.0)


def of_leaderboard() -> str:
    """Return the table of situations: who is best on the leaderboard, by how much, and who may be as good."""
    cells = [
        [one.situation, _named(one.best), _measured(one), _named(one.tied) if one.tied else "none"]
        for one in standings(small_table())
    ]
    return markdown(["you want", "best", "by what, with its 95 % interval", "may be as good"], cells)


def _measured(one: Standing) -> str:
    between = f" ({float(one.low):.1f} to {float(one.high):.1f})" if one.low else ""
    return one.unit.format(f"{float(one.number):.1f}") + between


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(map(link, names[:MOST_NAMED])) + (f" and {more} more" if more > 0 else "")


def of_optima() -> str:
    """Return the table of optima and speed, for the methods that find all proved optima by default."""
    timed = evidence.speed()[evidence.BESIDE_SKLEARN]
    ratios = {row["method"]: row["ratio"] for row in timed if row["size"] == LARGE}
    titles = {spec.name: spec.title for spec in methods()}
    best = [name for name, found in evidence.optima().items() if found.found == ALL_OPTIMA and name in titles]
    rows = [[link(name), titles[name], ratios.get(name, "not timed")] for name in best]
    return markdown(["method", "what", f"times as fast as SparsePCA, {LARGE}"], rows)


def of_outliers() -> str:
    """Return the table of errors under outliers."""
    rows = [
        [f"`{row['method']}`", row["n_nonzero"], row["published"], f"{row['measured']} ± {row['sd']}"]
        for row in measured(OUTLIERS, "err@100")
    ]
    return markdown(["method", "nonzeros", "published error", "measured, ± sd"], rows)


def of_overlap() -> str:
    """Return the table of nonorthogonality beside explained variance."""
    variances = {row["method"]: row["measured"] for row in measured(PITPROPS, "cpev")}
    counts = {row["method"]: row["measured"] for row in measured(PITPROPS, "mean_nnz")}
    rows = [
        [f"`{row['method']}`", row["measured"], variances[row["method"]], counts[row["method"]]]
        for row in measured(PITPROPS, "nor")
    ]
    return markdown(["method", "nonorthogonality", "CPEV", "mean nonzeros"], rows)


def pages() -> dict[str, str]:
    """Return the pages of the templates, and the transcript of a table that is tried."""
    known = {
        **vars(snapshot_tables),
        **vars(evidence),
        **vars(snapshot_pages),
        **globals(),
        "registry": load_registry(),
    }
    made = {file.name: filled(file.name, known) for file in TEMPLATES.glob("*.md")}
    return made | {"transcript.md": trying.page()}
