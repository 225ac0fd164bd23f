"""Loadings as returned and refitted, side by side: the size of loadings apart from the choice of variables."""

from dataclasses import replace

import pytest
from shown import best_of, cells

from spcabench.report.figures import FIGURES
from spcabench.report.tables import main


def results_of(make, l1_refitted, l0_refitted=0.50, **suite):
    """Return a run in which an l1 method returns shrunken loadings on better supports."""
    values = {"l1": (0.40, l1_refitted), "l0": (0.50, l0_refitted)}
    rows = [
        make.cell(name, n_nonzero=4, nnz=(4, 4, 4), cpev=cpev, cpev_refitted=other)
        for name, (cpev, other) in values.items()
    ]
    return make(rows, **suite)


@pytest.mark.parametrize("report", [{}, {"columns": ["cpev"]}], ids=["all", "chosen"])
def test_both_stand_side_by_side_and_each_is_ranked(report, make):
    table = main(results_of(make, 0.55, report=report))
    shown = cells(table)
    assert [name for name in shown.columns if name.startswith("cpev")] == ["cpev ↑", "cpev_refitted ↑"]
    assert {(shown["method"][row], heading) for row, heading in best_of(table)} == {
        ("l0", "cpev ↑"),
        ("l1", "cpev_refitted ↑"),
    }
    assert "best loadings on the same supports" in table.caption


def test_a_difference_that_nobody_would_see_makes_no_column(make):
    table = main(results_of(make, 0.40001))
    assert "cpev_refitted ↑" not in cells(table)
    assert "refitted" not in table.caption
    assert "cpev_refitted" in [field.name for field in table.fields], "programs get it all the same"


def test_a_tie_makes_no_column(make):
    results = make([make.cell(name, n_nonzero=4, nor=1e-17, nor_refitted=3e-17) for name in "ab"])
    assert "nor_refitted ↓" not in cells(main(results))


def test_a_refitted_column_that_is_asked_for_stands_where_it_is_asked_for(make):
    results = results_of(make, 0.55, report={"columns": ["cpev_refitted", "cpev"]})
    assert [column.name for column in results.columns] == ["cpev_refitted", "cpev"]


def test_figures_of_metrics_draw_what_is_asked_for(make):
    assert [column.name for column in results_of(make, 0.55).drawn] == ["cpev"]
    chart = FIGURES["metric_bars"].draw(results_of(make, 0.55)).to_dict()
    assert {row["mean"] for rows in chart["datasets"].values() for row in rows} == {0.40, 0.50}


def test_the_least_visible_difference_depends_on_the_size(make):
    base = results_of(make, 0.55)
    frame = base.frame.assign(err=[1000.0, 900.0], err_refitted=[1000.01, 900.0])
    assert "err_refitted" not in [column.name for column in replace(base, frame=frame).columns]
    frame = frame.assign(err_refitted=[1001.0, 900.0])
    assert "err_refitted" in [column.name for column in replace(base, frame=frame).columns]
