import csv
import io
import re

import pytest

from spcabench.report.export import table_text as to_csv
from spcabench.report.render.latex import escaped as latex_text
from spcabench.report.render.latex import latex_table
from spcabench.report.render.markdown import escaped as markdown_text
from spcabench.report.render.markdown import fenced, markdown_table, paragraph
from spcabench.report.render.text import shown_fields
from spcabench.report.tables import main, unfinished

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
