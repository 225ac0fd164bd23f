"""What the site is made from: snapshots of the reports, pages of methods, the page "Which method?"."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import evidence  # noqa: E402
import snapshot_tables  # noqa: E402
import standings  # noqa: E402
from running import run_block  # noqa: E402

from spcabench.site import presets  # noqa: E402


@pytest.mark.parametrize(
    ("text", "value"), [("12, 4.1 %", 12.0), ("-0.5", -0.5), ("1.2e-05", 1.2e-5), ("—", None), ("", None)]
)
def test_the_first_number_of_a_cell(text, value):
    assert snapshot_tables.number(text) == value


def test_evidence_is_that_of_the_snapshots():
    assert evidence.optima()["exact"].found == 26
    assert evidence.optima()["am_l2_l0c"] == evidence.Optima(25, 4.1)
    assert sum(map(len, evidence.checks().values())) == len(snapshot_tables.snapshot("checks").rows)
    assert evidence.published()["cop"]["cop_hastie"] == {"matches": 1}
    assert len(evidence.speed()) == 14


def test_a_table_leaves_out_what_is_empty_and_escapes_bars():
    rows = [{"a": "1|2", "b": "", "c": "x"}, {"a": "3", "b": "", "c": "y"}]
    assert snapshot_tables.shown(rows, ["c"]) == "| a |\n| --- |\n| 1\\|2 |\n| 3 |"


def test_each_template_is_filled(made, monkeypatch):
    decision, _ = made
    monkeypatch.setattr(decision.trying, "page", str)
    pages = decision.pages()
    verdicts = [row["verdict"] for row in snapshot_tables.snapshot("checks").rows]
    missed = len(verdicts) - verdicts.count("reached")
    assert f"{len(verdicts)} checks: {len(verdicts) - missed} reached, {missed} not reached." in pages["checks.md"]
    assert pages["published.md"].count("\n## ") == 38
    assert "520 of them are of a method and can fail." in pages["published.md"]
    assert "| am_l2_l0c | 13 |" in pages["optima.md"]
    assert "\n## Two threads are at least 1.1 times as fast" in pages["speed.md"]
    assert not [name for name, page in pages.items() if re.search("[{]{|[{]%", page)]


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
    monkeypatch.setattr(standings, "snapshot", lambda name: snapshot_tables.read(tmp_path / f"{name}.csv"))
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
    names = {name for name, *_ in presets.DATASETS}
    assert names == set(standings.PRESETS) - {""}
    ranked = {row["method"]: row for row in standings.small_table()}
    (best,) = found[0].best
    assert float(ranked[best]["rank"]) == min(float(row["rank"]) for row in ranked.values() if row["tier"])


@pytest.mark.nightly
def test_the_page_has_the_standings_and_links_to_methods(made, small_table, monkeypatch):
    decision, _ = made
    monkeypatch.setattr(decision.trying, "page", str)
    lines = decision.pages()["which.md"].splitlines()
    words = "| nothing in particular | [first](methods/first.rst) | mean rank 1.0 (0.5 to 1.5) | "
    assert f"{words}[other](methods/other.rst) |" in lines
    tied = "[third](methods/third.rst), [other](methods/other.rst)"
    assert f"| outliers | [first](methods/first.rst) | mean rank 4.2 (3.0 to 5.0) | {tied} |" in lines
    assert any(ln.endswith("| [other](methods/other.rst) | 80.0 points | [first](methods/first.rst) |") for ln in lines)


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


def test_programs_of_others_find_the_same_loadings():
    """The blocks of the page compare the steps of R and MATLAB programs with the estimators here."""
    text = (ROOT / "docs" / "coming_from.md").read_text()
    names = {"__name__": "__page__"}
    printed = [run_block(code, names) for code in re.findall(r"```{runs}\n(.*?)```", text, re.DOTALL)]
    assert printed[1] == "[7 4 4 1 1 1] [28.  14.  13.3  7.4  6.8  6.2]"
    cosines = dict(line.split(maxsplit=1) for line in "\n".join(printed[2:]).splitlines())
    assert {name: found.partition("]")[0] for name, found in cosines.items()} == {
        "PMA": "[1. 1.", "mixOmics": "[1. 1.", "nsprcomp": "[1.", "GPower": "[1. 1.",
    }  # fmt: skip
