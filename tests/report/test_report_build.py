import contextlib
import math
import sqlite3
import typing

import pytest

from spcabench.report.build import build, document
from spcabench.report.figures import FIGURES
from spcabench.report.figures.style import LOUD
from spcabench.report.tables import winners
from spcabench.suite.models import ReportEntry

DRAWN = {"metric_bars", "err_curve", "pareto", "loadings", "reconstructions", "loading_bars"}
"""The figures that the full run has what it takes for."""


def files(folder):
    kinds = ("tables", "figures")
    found = [path for kind in kinds for path in (folder.path / kind).glob("*")]
    return {path.relative_to(folder.path).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def built(full_built):
    return (full_built.folder.path / "report.md").read_text(), files(full_built.folder)


def test_everything_is_written_under_stable_names(built):
    _, written = built
    tables = {
        f"tables/{n}.{e}"
        for n in ("main", "winners", "published", "timing", "unfinished")
        for e in ("csv", "tex", "md")
    }
    figures = {f"figures/{n}.{e}" for n in DRAWN for e in ("svg", "png", "pdf")}
    assert written.keys() == tables | figures
    assert all(written.values())


def test_a_stand_in_is_shown_everywhere(built):
    page, written = built
    label = "faces [stand-in: digits]"
    for name in ("main.csv", "timing.csv"):
        assert label in written[f"tables/{name}"].decode()
    assert "faces {[}stand-in: digits{]}" in written["tables/main.tex"].decode()
    for name in DRAWN - {"loading_bars"}:
        svg = written[f"figures/{name}.svg"].decode()
        assert label in svg, name
        assert LOUD in svg, name
    warning = page.index("STAND-IN DATA")
    assert warning < page.index("## Summary")
    assert r"faces \[stand-in: digits\]" in page[warning : page.index("## Summary")]


def test_the_page_says_it_all(built):
    page, _ = built
    for text in (
        "# A demo",
        "12 cells: 11 ok, 1 timeout.",
        "| **gpower_l1** |",
        "### Somebody 2020, Table 1",
        "(figures/pareto.png)",
        r"600 s \| over",
        "made up",
        r"- CPU: some \| chip",
        "```\nspcabench run demo\n```",
        "- **cpev ↑**: Explained variance; formula: tr(Q'CQ)/tr(C); range: 0 to 1, higher is better; unit: share; ",
    ):
        assert text in page, text


@pytest.mark.nightly
def test_the_same_records_give_the_same_bytes(full, full_built, built):
    page, written = built
    html = (full_built.folder.path / "report.html").read_text()
    assert build(full).read_text() == page
    assert (full.folder.path / "report.html").read_text() == html
    again = files(full.folder)
    assert again.keys() == written.keys()
    assert all(again[name] == content for name, content in written.items() if not name.endswith(".pdf"))


def test_what_is_no_longer_made_is_removed(make):
    tables = ("tables/published.tex", "tables/unfinished.csv", "tables/mine.csv")
    for name in (*tables, "figures/pareto.svg", "figures/err_curve.pdf"):
        make.folder.write_text(name, "of an earlier form of the suite")
    build(make([make.cell(cpev=0.5)]))
    names = files(make.folder).keys()
    assert names == {f"tables/{n}.{e}" for n in ("main", "timing") for e in ("csv", "tex", "md")} | {"tables/mine.csv"}


def test_a_suite_chooses_its_figures_and_one_that_cannot_be_drawn_is_named_with_what_it_needs(full, make):
    page = build(make(full.frame.to_dict("records"), report={"figures": ["pareto", "solution_path"]})).read_text()
    drawn = {name for name in files(full.folder) if name.startswith("figures")}
    assert drawn == {f"figures/pareto.{ending}" for ending in ("pdf", "png", "svg")}
    assert "err_curve" not in page
    assert "Not drawn: solution_path, which needs a method that leaves whole solution paths" in page


def test_nothing_finished_is_still_a_report(make):
    results = make([make.cell(status="unavailable", reason="no module", key="")])
    page = build(results)
    for text in (page.read_text(), page.with_suffix(".html").read_text()):
        assert "1 cell: 1 unavailable." in text
        assert "no module" in text
    assert "STAND-IN" not in page.read_text()


def test_lost_loadings_do_not_stop_the_report(full):
    with contextlib.closing(sqlite3.connect(full.folder.file)) as run, run:
        run.execute("DELETE FROM loadings")
    assert {figure.name for figure in document(full).figures} == {"metric_bars", "err_curve", "pareto"}


def test_every_figure_a_suite_may_ask_for_exists():
    (figure,) = typing.get_args(ReportEntry.model_fields["figures"].annotation)
    assert set(typing.get_args(figure)) == set(FIGURES)


def test_the_winners_of_each_comparison_are_a_table(make):
    values = (("a", 0.5), ("b", 0.6), ("c", 0.6))
    (row,) = winners(make([make.cell(name, n_nonzero=4, cpev=value) for name, value in values])).rows
    unknown = pytest.approx(math.nan, nan_ok=True)
    assert [entry.value for entry in row] == ["cpev", "toy", 3, "4 nonzeros", "b", 0.6, unknown, 1, "c"]
    assert winners(make([make.cell("a", n_nonzero=4, cpev=0.5)])) is None
