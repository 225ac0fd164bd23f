"""What the site is made from: snapshots of the reports, pages of methods, the page "Which method?"."""

import ast
import re
import sys
from pathlib import Path

import pytest
import spcabench_methods
import yaml
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import evidence  # noqa: E402
import snapshot_tables  # noqa: E402
import standings  # noqa: E402
from running import run_block  # noqa: E402


@pytest.mark.parametrize(
    ("text", "value"), [("12, 4.1 %", 12.0), ("-0.5", -0.5), ("1.2e-05", 1.2e-5), ("—", None), ("", None)]
)
def test_the_first_number_of_a_cell(text, value):
    assert snapshot_tables.number(text) == value


def test_evidence_is_that_of_the_snapshots():
    assert evidence.optima()["exact"].found == 26
    assert evidence.optima()["am_l2_l0c"] == evidence.Optima(25, 4.1)
    assert sum(map(len, evidence.checks().values())) == len(snapshot_tables.snapshot("checks").rows)
    assert evidence.published()["cop"]["cop_hastie"] == {"reproduced": 1}


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
    blocks = {(row["suite"], row["table"]) for row in snapshot_tables.snapshot("published").rows}
    assert pages["published.md"].count("\n## ") == len(blocks) + 4, "three papers, and the numbers as a whole"
    assert "| am_l2_l0c | 13 |" in pages["optima.md"]
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


TABLE = """question,method,protocol,tier,rank,rank_low,rank_high,sources,sources_needed
one,first,default,1,1.04,1,1.5,30,20
one,tpower as published,published,1,2.0,1.5,2.5,30,20
one,third,default,2,2.5,1.5,2.5,30,20
wide,part,default,,1,1,1,4,20
wide,first,default,,2,1,3,9,20
"""


@pytest.fixture
def scores(tmp_path, monkeypatch):
    """Write the scores of two questions, on the second of which 9 sources tell nothing."""
    monkeypatch.setattr(standings, "snapshot", lambda name: snapshot_tables.read(tmp_path / f"{name}.csv"))
    (tmp_path / "leaderboard.csv").write_text(TABLE)
    return tmp_path / "leaderboard.csv"


def test_what_to_take_is_read_from_the_scores(scores):
    one, wide = standings.standings(standings.scores())
    assert (one.situation, one.best, one.rank, one.high) == ("one component", "first", "1.0", "1.5")
    assert one.tied == ("tpower as published",)
    assert (wide.best, wide.sources, wide.needed, wide.tied) == ("first", "9", "20", ())


def test_scores_without_a_column_are_named_with_the_command(scores):
    scores.write_text(scores.read_text().replace("tier", "class"))
    with pytest.raises(ValueError, match=r"no column tier; make it with `spcabench site RUN"):
        list(standings.standings(standings.scores()))


def test_the_committed_scores_can_be_read():
    assert {one.situation for one in standings.standings(standings.scores())} <= set(standings.SITUATIONS.values())


@pytest.mark.nightly
def test_the_page_says_what_to_take_and_links_to_methods(made, scores, monkeypatch):
    decision, _ = made
    monkeypatch.setattr(decision.trying, "page", str)
    lines = decision.pages()["which.md"].splitlines()
    tied = "[tpower as published](methods/tpower.rst)"
    assert f"| one component | [first](methods/first.rst) | 1.0 (1.0 to 1.5), 30 sources | {tied} |" in lines
    assert any(line.endswith("2.0 (1.0 to 3.0), 9 sources | any: 20 sources could tell |") for line in lines)
    compared = yaml.safe_load((ROOT / "spcabench" / "explore" / "portfolio.yaml").read_text())["methods"]
    assert [line for line in lines if line.endswith("tied with the first, in no question |")] == [
        f"| {decision.link(one['name'])} | it is first, or tied with the first, in no question |" for one in compared
    ]


@pytest.mark.nightly
def test_the_page_of_a_method_has_what_the_registry_has(made):
    _, method_pages = made
    (spec,) = [spec for spec in method_pages.methods() if spec.name == "tpower"]
    page = method_pages.page(spec, [])
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


def test_the_calls_beside_those_of_other_programs_are_made_and_fit():
    """What stands here for a program is a call, or a class by its name, and sometimes a parameter that it takes too."""
    text = (ROOT / "docs" / "coming_from.md").read_text()
    (table,) = re.findall(r"\| you had \| here \|\n\| --- \| --- \|\n((?:\|.*\n)+)", text)
    X = StandardScaler().fit_transform(load_wine().data)
    names = {name: getattr(spcabench_methods, name) for name in spcabench_methods.__all__}
    names |= {"K": 2, "k": 4, "m": 2, "rho": 0.3}
    models = []
    for row in table.splitlines():
        for words in re.findall(r"`([^`]+)`", row.split("|")[2]):
            if with_it := re.fullmatch(r"(\w+)=(\w+)", words):
                models.append(clone(models[-1]).set_params(**{with_it[1]: ast.literal_eval(with_it[2])}))
            else:
                model = eval(words, names)
                models.append(model() if isinstance(model, type) else model)
    assert len(models) == table.count("\n") + 3  # three rows say two ways
    for model in models:
        precomputed = getattr(model, "covariance", None) == "precomputed"
        assert model.fit(X.T @ X / len(X) if precomputed else X).components_.shape[1] == X.shape[1]


def test_the_parameters_that_a_program_calls_otherwise_exist():
    text = (ROOT / "docs" / "coming_from.md").read_text()
    here = {
        "scikit-learn": "TPower", "elasticnet": "SPCA", "PMA": "PMD", "mixOmics": "RSVD", "nsprcomp": "EMPCA",
        "GPower": "GPower", "SpaSM": "SPCA",
    }  # fmt: skip
    (table,) = re.findall(r"\| program \| theirs \| here \|\n\| --- \| --- \| --- \|\n((?:\|.*\n)+)", text)
    program, checked = "", set()
    for row in table.splitlines():
        first, _, ours = (cell.strip() for cell in row.strip("|").split("|"))
        program = first or program
        known = getattr(spcabench_methods, here[program])().get_params()
        for words in re.findall(r"`(\w+)(?:=[^`]*)?`", ours):
            assert words in {*known, "transform", "StandardScaler", *spcabench_methods.__all__}, row
            checked.add(program)
    assert checked == set(here)
