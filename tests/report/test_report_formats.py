import csv
import io
import re

import pytest

from spcabench.report.document import METHOD, Entry, Field, Row, Table
from spcabench.report.export import table_text as to_csv
from spcabench.report.render.latex import PAGE, latex_table
from spcabench.report.render.latex import escaped as latex_text
from spcabench.report.render.markdown import escaped as markdown_text
from spcabench.report.render.markdown import fenced, markdown_table, paragraph
from spcabench.report.render.text import shown_fields
from spcabench.report.tables import main, pivot, unfinished

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


def test_a_latex_table_that_could_not_be_read_when_scaled_comes_in_parts_that_fit():
    fields = (METHOD, *(Field("", f"data set {place}", numeric=True) for place in range(40)))
    rows = tuple(Row((Entry(name), *(Entry(0.5 + place) for place in range(40))), name) for name in ("pca", "st"))
    text = latex_table(Table("pivot", "By method.", fields, rows, 2))
    parts = text.split(r"\end{table")[:-1]
    assert len(parts) > 3
    heads = [next(line for line in part.splitlines() if line.startswith("method")) for part in parts]
    assert [column for head in heads for column in re.findall(r"data set (\d+)", head)] == [*map(str, range(40))]
    assert all(len(head.replace(" & ", "  ")) <= PAGE + 2 for head in heads)
    assert len(re.findall(r"^pca ", text, re.MULTILINE)) == len(parts)
    assert re.findall(r"label\{(.+?)\}", text)[:2] == ["tab:pivot", "tab:pivot-2"]
    assert f"Part 2 of {len(parts)}." in text


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


def test_markdown_has_the_best_in_bold(table):
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


def test_a_pivot_has_the_methods_down_and_the_targets_across(make):
    cells = [make.cell("pca", cpev=0.9)]
    cells += [make.cell(name, n_nonzero=k, cpev=k / 10 + len(name) / 100) for name in ("a", "bb") for k in (2, 4)]
    table = pivot(make(cells))
    assert [field.heading for field in table.fields] == ["method", "k = 2", "k = 4"]
    rows = {row.method: [round(entry.value, 9) for entry in row.entries[1:]] for row in table.rows}
    assert rows == {"pca": [0.9, 0.9], "a": [0.21, 0.41], "bb": [0.22, 0.42]}
    assert [[entry.best for entry in row.entries[1:]] for row in table.rows] == [[False] * 2, [False] * 2, [True] * 2]
    assert pivot(make(cells[:2])) is None
