"""The pages that are templates filled with tables, and the tables of the page "Which method?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import evidence
import trying
from method_pages import methods
from snapshot_pages import PARTS
from snapshot_tables import Row, markdown, number, snapshot
from standings import Standing, small_table, standings

from spcabench.importing import resolve
from spcabench.specs import MethodSpec

TEMPLATES = Path(__file__).parents[1] / "_templates"
ALL_OPTIMA = 26
LARGE = "100 x 20000"
OUTLIERS, PITPROPS = "mnist_outlier", "spcart_pitprops"
PATH = "COP-PCA's whole path costs less than GPower l0 once per cardinality"

MOST_NAMED = 6
"""Methods that a cell names; the others are counted."""


def link(name: str) -> str:
    """Return a link to the page of a method."""
    return f"[{name}](methods/{name}.rst)"


def finds_all() -> list[str]:
    """Return the methods that find all proved optima by default."""
    return [name for name, found in evidence.optima().items() if found.found == ALL_OPTIMA]


def fast() -> list[Row]:
    """Return the rows of the speed beside scikit-learn at the size with most features, fastest first."""
    rows = [row for row in evidence.speed()[evidence.BESIDE_SKLEARN] if row["size"] == LARGE]
    return sorted(rows, key=lambda row: -(number(row["ratio"]) or 0.0))


def measured(suite: str, metric: str) -> list[Row]:
    """Return the published numbers of a suite's first table that are of a metric, the smallest measured one first."""
    rows = [row for row in snapshot("published").rows if (row["suite"], row["table"]) == (suite, "1")]
    found = [row for row in rows if row["metric"] == metric and number(row["measured"])]
    return sorted(found, key=lambda row: number(row["measured"]) or 0.0)


def streaming(specs: Iterable[MethodSpec]) -> list[str]:
    """Return the methods whose class has ``partial_fit``."""
    return [spec.name for spec in specs if hasattr(resolve(spec.estimator), "partial_fit")]


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


def choices(specs: Sequence[MethodSpec]) -> str:
    """Return the table of what the leaderboard does not rank: what to take, why, and the page that says so."""
    path = evidence.speed()[PATH]
    exact = evidence.checks()["exact"]
    longest = max(path, key=lambda row: number(row["ratio"]) or 0.0)
    without = [spec.name for spec in specs if "samples" not in spec.requires]
    rows = [
        (
            "a proof, or a bound",
            f"{link('exact')}, `spcabench certify`",
            f"{sum(check['verdict'] == 'reached' for check in exact)} of {len(exact)} checks reached",
            "[checks](checks.md)",
        ),
        (
            "each cardinality at once",
            link("cop"),
            f"`gpower_l0` at each cardinality takes {number(longest['ratio']):.0f} times as long as its path, at "
            f"{longest['size']}",
            "[speed](speed.md)",
        ),
        (
            "a covariance alone",
            f"any of {len(without)} methods",
            f"{len(specs) - len(without)} of {len(specs)} need samples, and their pages say so",
            "[methods](methods/index.rst)",
        ),
        (
            "samples that lack values",
            "`MomentSPCA`, with any method on second moments",
            "no row is left out, and variances are not made smaller",
            "[missing values](../incomplete.md)",
        ),
        (
            "groups of features as wholes",
            "`GroupTPower`",
            "it takes a label for each feature, and the number of groups",
            "[groups](../groups.md)",
        ),
        (
            "more samples than memory holds",
            f"{len(streaming(specs))} methods with `partial_fit`",
            "memory does not depend on the number of samples",
            "[methods](methods/index.rst)",
        ),
    ]
    return markdown(["you want", "take", "because", "page"], [list(row) for row in rows])


def of_optima(specs: Sequence[MethodSpec]) -> str:
    """Return the table of optima and speed, for the methods that find all of them."""
    ratios = {row["method"]: row["ratio"] for row in fast()}
    titles = {spec.name: spec.title for spec in specs}
    rows = [[link(name), titles[name], ratios.get(name, "not timed")] for name in finds_all() if name in titles]
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


def filled(name: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return a template with what stands in double braces replaced by the part of that name."""
    template = (TEMPLATES / f"{name}.md").read_text(encoding="utf-8")
    return re.sub(r"{{ (\w+) }}", lambda found: parts[found[1]](), template)


def pages() -> dict[str, str]:
    """Return the pages of the templates, and the transcript of a table that is tried."""
    specs = methods()
    which = {
        "leaderboard": of_leaderboard,
        "choices": lambda: choices(specs),
        "optima": lambda: of_optima(specs),
        "outliers": of_outliers,
        "overlap": of_overlap,
    }
    made = {f"{name}.md": filled(name, parts) for name, parts in {"which": which, **PARTS}.items()}
    return made | {"transcript.md": trying.page()}
