"""What a suite names and its run does not have: said once, or left out, and no traceback."""

import typing

import pytest

from spcabench.report.build import document, metric_failures
from spcabench.report.export import table_text
from spcabench.report.render.html import html_page
from spcabench.report.render.markdown import markdown_page
from spcabench.suite.models import Figure

ABSENT = "err@100"


@pytest.fixture
def results(make):
    """Return a run with three components whose suite was written for a hundred, and for data that are not here."""
    known = {"n_nonzero": 4, "nnz": (4, 4, 4), "cpev": 0.5, **{f"err@{m}": 9.0 / m for m in (1, 2, 3)}}
    cells = [make.cell(method, seed, **known) for method in ("pca", "tpower") for seed in range(2)]
    cells.append(make.cell("pca", 0, dataset="absent", status="pending", key=""))
    for key in ("pca-0", "pca-1", "tpower-0", "tpower-1"):
        make.loadings(key)
    for seed in range(2):
        make.draw(f"draw{seed}")
    rows = [{"method": method, "metrics": {ABSENT: 500.0, "cpev": 0.5}} for method in ("pca", "tpower")]
    rows.append({"method": "pca", "minus": "tpower", "metrics": {ABSENT: 1.0}})
    return make(
        cells,
        methods=["pca", "tpower"],
        metrics=["cpev", "err"],
        report={"columns": [ABSENT, "cpev", "nor", "cpev_clean"], "figures": list(typing.get_args(Figure))},
        published=[{"source": "Somebody 2020", "rows": rows}, {"source": "Another", "over": "mean", "rows": rows}],
    )


def test_what_no_cell_has_is_said_once_and_breaks_nothing(results):
    report = document(results)
    text = markdown_page(report)
    assert html_page(report)
    said = list(metric_failures(results))
    assert said == [
        f"The column {ABSENT} is empty: no cell has it; of err there are 1, 2, 3.",
        "The column nor is empty: no cell has it.",
        "The column cpev_clean is empty: no cell has it.",
    ]
    assert all(text.count(line) == 1 for line in said)
    assert table_text(report.tables["main"]).splitlines()[0].split(",").count(ABSENT) == 1
    published = table_text(report.tables["published"]).splitlines()
    assert all("nothing was measured" in line for line in published if ABSENT in line)


def test_a_run_without_any_metric_has_no_columns_to_miss(make):
    cells = [make.cell("pca", seed, status="error", key=f"pca-{seed}") for seed in range(2)]
    assert make(cells, report={"columns": [ABSENT]}, metrics=["err"]).lacking == []
