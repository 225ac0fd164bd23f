"""The main table on terminals of several widths."""

import io

import pytest
from rich.console import Console

from spcabench.report.contents import document
from spcabench.report.render.terminal import MainTable


def shown(results, width, **options):
    console = Console(width=width, file=io.StringIO(), **options)
    console.print(MainTable(document(results)))
    return console.file.getvalue()


@pytest.fixture
def wide(make):
    values = {f"metric_{number}": 0.00756 + number for number in range(8)}
    return make([make.cell("gpower_l0", seed, cpev=0.5 + seed / 10, **values) for seed in range(2)])


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_cell_is_broken(wide, width):
    lines = shown(wide, width).splitlines()
    (row,) = (line for line in lines if "gpower_l0" in line)
    assert row.split()[:3] == ["gpower_l0", "dense", "0.5500"]
    assert "…" not in row
    assert len(row) <= width
    assert lines[-1].startswith("Standard deviations and ")
    assert lines[-1].endswith(" more columns: report.md")


def test_a_wide_terminal_shows_all(wide):
    text = shown(wide, 240)
    assert "0.5500 ± 0.0707" in text
    assert "report.md" not in text


def test_without_any_metric_the_statuses_are_shown_and_differ(make):
    results = make([make.cell("a", status="error", reason="boom"), make.cell("b", status="skipped", key="")])
    text = shown(results, 80, force_terminal=True, color_system="standard", legacy_windows=False)
    assert "\x1b[31merror" in text
    assert "\x1b[2mskipped" in text
