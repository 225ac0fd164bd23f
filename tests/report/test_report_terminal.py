"""The main table on terminals of several widths."""

import pytest

from spcabench.report.build import document
from spcabench.report.render.terminal import main_table


def shown(results, width):
    return main_table(document(results), width)


@pytest.fixture
def wide(make):
    values = {f"metric_{number}": 0.00756 + number for number in range(8)}
    return make([make.cell("gpower_l0", seed, cpev=0.5 + seed / 10, **values) for seed in range(2)])


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_cell_is_broken(wide, width):
    lines = shown(wide, width).splitlines()
    (row,) = (line for line in lines if "gpower_l0" in line)
    assert row.split()[:6] == ["toy", "gpower_l0", "dense", "0.5500", "±", "0.0707"]
    assert len(row) <= width
    assert lines[-1].endswith(" more columns: report.md")


def test_a_wide_terminal_shows_all(wide):
    text = shown(wide, 240)
    assert "7.008 ± 0.000" in text
    assert "report.md" not in text


def test_a_data_set_that_all_rows_share_stands_above_and_a_star_marks_the_best(make):
    text = shown(make([make.cell(name, n_nonzero=4, cpev=value) for name, value in (("[red]a", 0.5), ("b", 0.4))]), 80)
    assert "\ndata set: toy\n" in text
    (best,) = (line for line in text.splitlines() if "*" in line)
    assert best.split()[:4] == ["[red]a", "4", "0.5000", "*"], "a name is text, not markup"


def test_without_any_metric_the_statuses_are_shown(make):
    results = make([make.cell("a", status="error", reason="boom"), make.cell("b", status="skipped", key="")])
    assert {"error", "skipped"} <= set(shown(results, 80).split())
