"""The tables of the page "Which method?", each made from a page in ``reports`` or from the registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import evidence
from house_pages import MADE, write_if_changed
from method_pages import methods
from report_tables import markdown, number, tables
from sphinx.application import Sphinx

from spcabench.specs import MethodSpec
from spcabench.targets import resolve

ALL_OPTIMA = 26
LARGE = "100 x 20000"
OUTLIERS = "mnist_outlier: Zhao, Meng, Xu 2014 (RSPCA), Table 4, outlier case: ERR at 100 components"
PITPROPS = "spcart_pitprops: Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4"
PATH = "COP-PCA's whole path costs less than GPower l0 once per cardinality"

Row = Mapping[str, str]


def link(name: str) -> str:
    """Return a link to the page of a method."""
    return f"[{name}](methods/{name}.rst)"


def finds_all() -> list[str]:
    """Return the methods that find all proved optima by default."""
    return [name for name, found in evidence.optima().items() if found.found == ALL_OPTIMA]


def fast() -> list[Row]:
    """Return the rows of the speed beside scikit-learn at the size with most features, fastest first."""
    rows = [row for row in evidence.speed(evidence.BESIDE_SKLEARN).rows if row["size"] == LARGE]
    return sorted(rows, key=lambda row: -(number(row["ratio"]) or 0.0))


def times(row: Row) -> str:
    """Return the ratio of a row without decimals."""
    return f"{number(row['ratio']) or 0.0:.0f}"


def measured(heading: str, metric: str) -> list[Row]:
    """Return the rows of ``published.md`` below a heading that measure a metric, the smallest value first."""
    found = [table for table in tables("published.md") if table.heading == heading and "seeds" in table.columns]
    rows = [row for table in found for row in table.rows if row["metric"] == metric and number(row["measured"])]
    return sorted(rows, key=lambda row: number(row["measured"]) or 0.0)


def streaming(specs: Iterable[MethodSpec]) -> list[str]:
    """Return the methods whose class has ``partial_fit``."""
    return [spec.name for spec in specs if hasattr(resolve(spec.estimator), "partial_fit")]


def choices(specs: Sequence[MethodSpec]) -> str:
    """Return the table of situations: what to take, the number that says so, and the page that has it."""
    optima, quick = finds_all(), fast()
    best = next(row for row in quick if row["method"] in optima)
    outliers, path = measured(OUTLIERS, "err@100"), evidence.speed(PATH).rows
    sparse = [row for row in outliers if row["nonzeros"] != "—"]
    dense = next(row for row in outliers if row["method"] == "pca")
    robust = evidence.labels("mnist_outlier")[sparse[0]["method"]]
    exact = evidence.checks()["exact"]
    longest = max(path, key=lambda row: number(row["ratio"]) or 0.0)
    without = [spec.name for spec in specs if "samples" not in spec.requires]
    rows = [
        (
            "the most variance at k nonzeros",
            link(best["method"]),
            f"{len(optima)} methods find {ALL_OPTIMA} of {ALL_OPTIMA} proved optima by default; of those timed "
            f"at {LARGE} it is the fastest, {times(best)} times as fast as SparsePCA",
            "[optima](optima.md), [speed](speed.md)",
        ),
        (
            "a proof, or a bound",
            f"{link('exact')}, `spcabench certify`",
            f"{sum(check.verdict == 'reached' for check in exact)} of {len(exact)} checks reached",
            "[checks](checks.md)",
        ),
        (
            "each cardinality at once",
            link("cop"),
            f"`gpower_l0` at each cardinality takes {times(longest)} times as long as its path, at {longest['size']}",
            "[speed](speed.md)",
        ),
        (
            "samples with outliers",
            link(robust),
            f"error {sparse[0]['measured']} where PCA has {dense['measured']}: `{sparse[0]['method']}` on digits with "
            f"dummy images, {sparse[0]['nonzeros']} nonzeros",
            "[published](published.md)",
        ),
        (
            "a covariance alone",
            f"any of {len(without)} methods",
            f"{len(specs) - len(without)} of {len(specs)} need samples, and their pages say so",
            "[methods](methods/index.rst)",
        ),
        (
            "more samples than memory holds",
            f"{len(streaming(specs))} methods with `partial_fit`",
            "memory does not depend on the number of samples",
            "[methods](methods/index.rst)",
        ),
    ]
    return markdown(["you want", "take", "because", "measured in"], [list(row) for row in rows])


def of_optima(specs: Sequence[MethodSpec]) -> str:
    """Return the table of optima and speed, for the methods that find all of them."""
    ratios = {row["method"]: row["ratio"] for row in fast()}
    titles = {spec.name: spec.title for spec in specs}
    rows = [[link(name), titles[name], ratios.get(name, "not timed")] for name in finds_all() if name in titles]
    return markdown(["method", "what", f"times as fast as SparsePCA, {LARGE}"], rows)


def of_outliers() -> str:
    """Return the table of errors under outliers."""
    rows = [
        [f"`{row['method']}`", row["nonzeros"], row["published"], f"{row['measured']} ± {row['sd']}"]
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


def make(app: Sphinx) -> None:
    """Write the page from its template."""
    specs = methods()
    text = (Path(app.srcdir) / "_templates" / "which.md").read_text(encoding="utf-8")
    parts = {"choices": choices(specs), "optima": of_optima(specs), "outliers": of_outliers(), "overlap": of_overlap()}
    for name, part in parts.items():
        text = text.replace(f"{{{{ {name} }}}}", part)
    write_if_changed(Path(app.srcdir) / MADE / "which.md", text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the page before Sphinx looks for it."""
    app.connect("config-inited", lambda app, _: make(app))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
