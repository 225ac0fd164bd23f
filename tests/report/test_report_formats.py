"""What plugins and data name is text in every format; exports have every digit; a terminal has what fits."""

import csv
import io
import json
import math
import re
import sys

import pandas as pd
import pytest

from spcabench.report.build import document
from spcabench.report.export import EXPORTS
from spcabench.report.export import table_text as to_csv
from spcabench.report.render.latex import escaped as latex_text
from spcabench.report.render.latex import latex_table
from spcabench.report.render.markdown import escaped as markdown_text
from spcabench.report.render.markdown import fenced, markdown_table, paragraph
from spcabench.report.render.terminal import main_table
from spcabench.report.render.text import shown_fields
from spcabench.report.tables import main, unfinished
from spcabench.store.frame import ABOUT_FIT, Level
from spcabench.wording import InputError

NASTY = 'a|b & 50%_c_ [x] {y} <b> #1 $z$ ~ ^ \\ * `q` "w"'


@pytest.fixture
def table(make):
    return main(make([make.cell(NASTY, n_nonzero=4, cpev=0.9), make.cell("good", n_nonzero=4, cpev=0.8)]))


def cells_of(line):
    return [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_a_markdown_row_keeps_its_columns(table):
    lines = markdown_table(table).splitlines()
    assert len(lines) == 4
    assert {len(cells_of(line)) for line in lines} == {len(shown_fields(table))}
    assert cells_of(lines[2])[3] == markdown_text(NASTY)


def test_markdown_text_is_never_markup():
    assert markdown_text("a|b") == r"a\|b"
    assert markdown_text("<b>*x*") == r"\<b\>\*x\*"
    assert markdown_text("rspca_l0 and _x_") == r"rspca_l0 and \_x\_"
    assert markdown_text("one\ntwo\x1b[31m") == r"one two\[31m"


def test_paragraphs_are_no_headings_or_lists():
    assert paragraph("# no") == r"\# no"
    assert paragraph("- no") == r"\- no"
    assert paragraph("1. no") == r"1\. no"
    assert paragraph("plain") == "plain"


def test_a_command_cannot_leave_its_fence():
    assert fenced("a ```` b") == "`````\na ```` b\n`````"


def test_latex_text_is_never_markup():
    assert latex_text("50% & a_b #1 $x$ {y}") == r"50\% \& a\_b \#1 \$x\$ \{y\}"
    assert latex_text("\\") == r"\textbackslash{}"
    assert latex_text("0.5 ± 0.1") == r"0.5 $\pm$ 0.1"


def test_a_latex_row_does_not_begin_with_an_argument(make):
    text = latex_table(main(make([make.cell(cpev=0.9, dataset="[4, 2]"), make.cell("b", cpev=0.9, dataset="*")])))
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert not any(row.startswith(("[", "*")) for row in rows)


def test_latex_is_booktabs_with_the_best_in_bold(table):
    text = latex_table(table)
    assert r"\toprule" in text
    assert text.count(r"\textbf{") == 1
    assert r"\textbf{0.9000}" in text
    assert r"cpev $\uparrow$" in text
    assert markdown_table(table).count("**0.9000**") == 1


def test_csv_gives_back_what_was_put_in(make):
    results = make([make.cell(NASTY + "\nand,more", status="error", reason='say "no",\nor else', cpev=1 / 3)])
    (row,) = csv.DictReader(io.StringIO(to_csv(unfinished(results))))
    assert row["method"] == NASTY + "\nand,more"
    assert row["reason"] == 'say "no",\nor else'
    (row,) = csv.DictReader(io.StringIO(to_csv(main(make([make.cell(cpev=1 / 3)])))))
    assert float(row["cpev"]) == 1 / 3
    assert row["cpev_sd"] == ""


def test_a_latex_table_that_is_wider_than_the_page_is_scaled_and_says_once_what_rows_share(make):
    cells = [make.cell(name, cpev=0.5) for name in ("a", "b" * 100)]
    wide, narrow = latex_table(main(make(cells))), latex_table(main(make(cells[:1] * 2)))
    assert r"\begin{table*}" in wide
    assert r"\resizebox{\textwidth}{!}{%" in wide
    assert "Data set: toy. Components: 3." in wide
    assert "data set &" not in wide
    assert r"\begin{table}" in narrow
    assert "resizebox" not in narrow


def test_csv_has_a_row_for_every_cell_and_every_digit(full):
    read = pd.read_csv(io.BytesIO(EXPORTS[".csv"](full)), keep_default_na=False, na_values=[""])
    assert len(read) == len(full.frame) == 12
    assert read["cpev"].iloc[0] == full.frame["cpev"].iloc[0]
    assert read["reason"].iloc[3] == "600 s | over"


def test_json_is_strict_and_null_where_nothing_is_known(make):
    rows = [make.cell(cpev=0.1 + 0.2, n_nonzero=4), make.cell("б<", cpev=math.nan, err=math.inf, n_nonzero=None)]
    first, second = json.loads(EXPORTS[".json"](make(rows)), parse_constant=pytest.fail)
    assert (first["cpev"], first["n_nonzero"], first["seed"]) == (0.1 + 0.2, 4, 0)
    assert (second["method"], second["cpev"], second["err"], second["n_nonzero"]) == ("б<", None, "inf", None)


def test_parquet_reads_back_the_frame(full):
    read = pd.read_parquet(io.BytesIO(EXPORTS[".parquet"](full)))
    kept = full.frame.columns.drop(list(ABOUT_FIT))
    other = kept.drop("n_nonzero")
    pd.testing.assert_frame_equal(read[other], full.frame[other], check_dtype=False)
    assert list(read.columns) == list(kept)
    assert read["n_nonzero"].dropna().unique().tolist() == [4]
    assert read["n_nonzero"].isna().sum() == (full.frame["n_nonzero"] == Level()).sum() == 4


def test_parquet_names_what_it_needs(full, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'spcabench\[parquet\]'"):
        EXPORTS[".parquet"](full)


def test_levels_are_text_where_one_has_a_number_for_each_component(make):
    results = make([make.cell(n_nonzero=level, cpev=0.5) for level in (None, 4, (5, 3))])
    assert [row["n_nonzero"] for row in json.loads(EXPORTS[".json"](results))] == [None, "4", "[5, 3]"]
    for read in (
        pd.read_csv(io.BytesIO(EXPORTS[".csv"](results)), dtype=str)["n_nonzero"],
        pd.read_parquet(io.BytesIO(EXPORTS[".parquet"](results)))["n_nonzero"],
    ):
        assert read.isna().tolist() == [True, False, False]
        assert read.tolist()[1:] == ["4", "[5, 3]"]


def test_latex_is_the_main_table(full):
    text = EXPORTS[".tex"](full).decode()
    assert text.startswith(r"\begin{table*}")
    assert r"\label{tab:main}" in text
    assert r"gpower\_l1" in text


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
