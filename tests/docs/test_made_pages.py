"""What the site is made from: tables of the reports, pages of methods, the page "Which method?"."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import evidence  # noqa: E402
import report_tables  # noqa: E402
import standings  # noqa: E402
from report_tables import Table, markdown, number, tables  # noqa: E402
from running import run_block  # noqa: E402

from spcabench.site import presets  # noqa: E402


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


TABLE = """method,rank,rank_low,rank_high,tier,{}
first,1.0,0.5,1.5,1,{}
other,2.0,1.5,2.5,1,{}
third,3.0,2.5,3.5,2,{}
control,,,,,{}
"""


@pytest.fixture
def small_table(tmp_path, monkeypatch):
    """Write a small table of four methods, `first` the best but for the points, of which `other` has more."""
    monkeypatch.setattr(report_tables, "REPORTS", tmp_path)
    columns = [
        f"{name}_{end}" for name in standings.PRESETS if name for end in ("rank", "rank_low", "rank_high", "tier")
    ]
    columns += [f"{track}{end}" for track in standings.TRACKS for end in ("", "_low", "_high", "_tied")]
    rank = len(columns) // 4 - len(standings.TRACKS)
    cells = [
        ",".join([*["4.25", "3", "5", "1"] * rank, *["70.0", "60", "80", "yes"] * len(standings.TRACKS)]),
        ",".join([*["6", "4", "6", "1"] * rank, *["80.0", "", "", "yes"] * len(standings.TRACKS)]),
        ",".join([*["5", "4", "6", "1"] * rank, *["60.0", "50", "70", ""] * len(standings.TRACKS)]),
        ",".join([*[""] * 4 * rank, *["100.0", "", "", ""] * len(standings.TRACKS)]),
    ]
    (tmp_path / "leaderboard.csv").write_text(TABLE.format(",".join(columns), *cells))
    return tmp_path / "leaderboard.csv"


def test_who_is_best_in_each_situation_is_read_from_the_leaderboard(small_table):
    found = {one.situation: one for one in standings.standings(standings.small_table())}
    assert list(found) == [*standings.PRESETS.values(), *standings.TRACKS.values()]
    overall = found["nothing in particular"]
    assert (overall.best, overall.number, overall.low, overall.high) == (("first",), "1.0", "0.5", "1.5")
    assert overall.tied == ("other",)
    outliers = found["outliers"]
    assert (outliers.best, outliers.number, outliers.high, outliers.tied) == (
        ("first",),
        "4.25",
        "5",
        ("third", "other"),
    )
    variance = found["the most variance at k nonzeros"]  # of which the control has more
    assert (variance.best, variance.number, variance.tied) == (("other",), "80.0", ("first",))


def test_a_leaderboard_without_a_column_is_named_with_the_command(small_table):
    small_table.write_text(small_table.read_text().replace("wide_tier", "wide_class"))
    with pytest.raises(ValueError, match=r"no column wide_tier; make it with `spcabench site RUN"):
        list(standings.standings(standings.small_table()))


def test_the_committed_leaderboard_fills_each_row_and_each_preset_has_the_words_of_the_site():
    found = list(standings.standings(standings.small_table()))
    assert [one.situation for one in found] == [*standings.PRESETS.values(), *standings.TRACKS.values()]
    names = {name for name, *_ in (*presets.DATASETS, *presets.METHODS)}
    assert names == set(standings.PRESETS) - {""}
    ranked = {row["method"]: row for row in standings.small_table()}
    (best,) = found[0].best
    assert float(ranked[best]["rank"]) == min(float(row["rank"]) for row in ranked.values() if row["tier"])


@pytest.mark.nightly
def test_the_page_has_the_standings_and_links_to_methods(made, small_table):
    decision, _ = made
    lines = decision.of_leaderboard().splitlines()
    assert lines[2] == (
        "| nothing in particular | [first](methods/first.rst) | mean rank 1.0 (0.5 to 1.5) | "
        "[other](methods/other.rst) |"
    )
    tied = "[third](methods/third.rst), [other](methods/other.rst)"
    assert f"| outliers | [first](methods/first.rst) | mean rank 4.2 (3.0 to 5.0) | {tied} |" in lines
    assert lines[-1].endswith("| [other](methods/other.rst) | 80.0 points | [first](methods/first.rst) |")


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
