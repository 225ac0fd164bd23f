"""What the site is made from: tables of the reports, pages of methods, the page "Which method?"."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import evidence  # noqa: E402
import report_tables  # noqa: E402
from report_tables import Table, markdown, number, tables  # noqa: E402
from running import run_block  # noqa: E402


def test_tables_are_read_with_their_headings(tmp_path, monkeypatch):
    monkeypatch.setattr(report_tables, "REPORTS", tmp_path)
    text = "| a | b |\n| --- | :-- |\n| 1 | x\\|y |\n\nwords\n\n## Second\n\n|c|\n|-|\n|2|\n|3|\n"
    (tmp_path / "page.md").write_text(text)
    assert tables("page.md") == [Table("", ({"a": "1", "b": "x|y"},)), Table("Second", ({"c": "2"}, {"c": "3"}))]


def test_a_table_is_written_as_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(report_tables, "REPORTS", tmp_path)
    (tmp_path / "page.md").write_text(markdown(["a", "b"], [["1|2", ""], ["3", "x"]]))
    assert tables("page.md")[0].rows == ({"a": "1|2", "b": ""}, {"a": "3", "b": "x"})


@pytest.mark.parametrize(
    ("text", "value"), [("12, 4.1 %", 12.0), ("-0.5", -0.5), ("1.2e-05", 1.2e-5), ("—", None), ("", None)]
)
def test_the_first_number_of_a_cell(text, value):
    assert number(text) == value


def test_evidence_is_that_of_the_reports():
    page = (ROOT / "reports" / "checks.md").read_text(encoding="utf-8")
    reached = sum(check.verdict == "reached" for checks in evidence.checks().values() for check in checks)
    assert f"{sum(map(len, evidence.checks().values()))} checks: {reached} reached" in page
    assert evidence.optima()["exact"].found == 26
    assert evidence.optima()["am_l2_l0c"] == evidence.Optima(13, 12, 4.1)


def test_a_block_prints_and_warns():
    code = "import warnings\nprint(kept)\nwarnings.warn('take care')"
    assert run_block(code, {"kept": 3}) == "3\nUserWarning: take care"


@pytest.fixture(scope="module")
def made():
    """Import what needs Sphinx."""
    pytest.importorskip("sphinx", reason="Sphinx is not installed: the pages of the site were not made")
    import decision
    import method_pages

    return decision, method_pages


@pytest.mark.nightly
def test_the_choices_are_the_extremes_of_the_tables_that_they_name(made):
    decision, method_pages = made
    rows = decision.choices(method_pages.methods()).splitlines()
    ratios = [float(row["ratio"]) for row in decision.fast() if row["method"] in decision.finds_all()]
    assert f"{max(ratios):.0f} times as fast" in rows[2]
    errors = [
        float(row["measured"]) for row in decision.measured(decision.OUTLIERS, "err@100") if row["nonzeros"] == "400"
    ]
    assert f"error {min(errors):.1f} where" in rows[5]


@pytest.mark.nightly
def test_the_page_of_a_method_has_what_the_registry_has(made):
    _, method_pages = made
    (spec,) = [spec for spec in method_pages.methods() if spec.name == "tpower"]
    page = method_pages.page(spec, [])
    for heading in ("Example", "Model and algorithm", "Cost", "Parameters", "Evidence", "Cite"):
        assert f"{heading}\n{'-' * len(heading)}" in page
    assert all(f"``{name}``" in page for name in spec.parameters)
    assert "spcabench.make('tpower', n_components=3, n_nonzero=4)" in page
    assert "O(k d)" in page.partition("Cost\n")[2].partition("Parameters\n")[0]
    assert "the weights of the scores" in page


def test_each_sparse_method_says_what_is_sparse(made):
    _, method_pages = made
    dense = {spec.name for spec in method_pages.methods() if not spec.sparse}
    assert dense == {spec.name for spec in method_pages.methods() if spec.knob.kind == "none"}
