"""Answers of planted tables: the blocks, nothing in noise, a row that decides; the same each time and everywhere."""

import contextlib
import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from choosing_table import CSV, KINDS, TABLES, found
from snapshots import read
from spcabench_methods import TPower

import spcabench
from spcabench.explore import deciding
from spcabench.explore.comparing import compared
from spcabench.explore.deciding import depends
from spcabench.explore.document import document
from spcabench.explore.outliers import distances
from spcabench.explore.values import seconds_of
from spcabench.wording import InputError


@pytest.mark.parametrize(("name", "outlier"), [("two equal", 0), ("three equal", 0), ("two equal", 10)])
def test_blocks_are_found_also_beside_an_outlying_row(name, outlier):
    table = TABLES[name]
    assert sum(found(table.draw(seed, outlier)) == table.blocks for seed in range(3)) >= 2


@pytest.mark.parametrize("name", ["nothing", "nothing, t3", "nothing, autocorrelated"])
def test_noise_has_no_component(name):
    answer = spcabench.explore(TABLES[name].draw(1))
    assert answer.verdict.startswith("Nothing beyond chance: no component of these ")
    assert answer.components.shape[1] == 0


def test_ranks_that_hardly_exceed_chance_make_no_component_of_nothing(monkeypatch):
    X = TABLES["nothing, t3"].draw(49)
    assert spcabench.explore(X).components.shape[1] == 0
    monkeypatch.setattr(deciding, "CLEAR", 1.0)
    assert spcabench.explore(X).components.shape[1] == 1


@pytest.mark.parametrize("row", read(CSV).rows, ids=lambda row: row["table"])
def test_nearly_as_many_blocks_are_found_as_by_who_is_told_and_nearly_nothing_in_noise(row):
    right, outlier, told, _ = (int(row["draws"]) - len(row[kind].split()) for kind in KINDS)
    assert right >= (0.9 if row["blocks (strength)"] else 0.95) * told
    assert outlier >= 0.9 * right


@pytest.mark.nightly
@pytest.mark.parametrize("row", read(CSV).rows, ids=lambda row: row["table"])
def test_draws_are_answered_as_the_snapshot_says(row):
    table = TABLES[row["table"]]
    wrong = {str(seed) for seed in range(3) if found(table.draw(seed)) != table.blocks}
    assert len(wrong ^ (set(row["answer"].split()) & set("012"))) <= 1  # one may depend on the machine's rounding


def test_a_row_that_decides_is_named_and_the_answer_without_it_stands_first():
    X = TABLES["two equal"].draw(1)
    row = 17
    X[row, 20:29] += 12
    answer = spcabench.explore(X)
    assert answer.verdict.startswith("One row decides it (index 17).  Without it: 2 blocks of ")
    assert "With it: " in answer.verdict
    assert answer.decision.far.tolist() == [row]
    assert f"X = X.drop(index=[{row}])" in answer.script
    named = pd.DataFrame(X).rename(columns=str).assign(id=[f"s{i:03}" for i in range(len(X))])
    assert spcabench.explore(named).verdict.startswith("One row decides it (row 's017').")


def printed(code):
    """Run a program in this process; return what it prints, and its names."""
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, names)
    return out.getvalue(), names


def test_the_verdict_is_one_sentence_everywhere(place, command, monkeypatch):
    frame = pd.DataFrame(TABLES["two equal"].draw(0)).rename(columns="v{}".format).rename(columns={"v0": "=1+1"})
    frame.to_csv("own.csv", index=False)
    answer = spcabench.explore("own.csv")
    assert answer.verdict == spcabench.explore(frame).verdict
    assert str(answer).splitlines()[0] == answer.verdict
    assert document(answer).lead == answer.verdict
    assert answer.verdict in answer._repr_html_()
    code, said, err = command("try", "own.csv")
    assert code == 0, err
    assert " ".join(said.split()).startswith(" ".join(answer.verdict.split()))
    folder = place / "reports" / "try-own"
    assert "\n'=1+1," in (folder / "loadings.csv").read_text(), "no spreadsheet computes it"
    assert "see that method alone" not in (folder / "report.html").read_text(), "there are no methods to choose"
    monkeypatch.chdir(folder)
    said, names = printed((folder / "refit.py").read_text())
    assert subprocess.check_output([sys.executable, folder / "refit.py"], cwd="/", text=True) == said
    np.testing.assert_allclose(names["loadings"].to_numpy(), answer.components.to_numpy(), atol=1e-8)
    page = json.loads((folder / "refit.ipynb").read_text())
    assert (page["nbformat"], page["nbformat_minor"]) == (4, 5)
    title, *cells = page["cells"]
    assert title["source"] == [f"# {answer.verdict}"]
    assert len({cell["id"] for cell in page["cells"]}) == len(page["cells"]) == 5
    assert printed("\n".join("".join(cell["source"]) for cell in cells))[0] == said
    for name in ("heat_map", "stability", "held_out", "biplot", "circle"):
        assert (folder / "figures" / f"{name}.png").stat().st_size > 500
        assert answer.figure(name).svg
    with pytest.raises(InputError, match="no figure 'pie' of this answer; valid are heat_map, stability"):
        answer.figure("pie")


def test_a_budget_adds_methods_and_changes_no_component():
    X = TABLES["two equal"].draw(0)
    plain, more = spcabench.explore(X), spcabench.explore(X, budget=1e-9)
    pd.testing.assert_frame_equal(plain.components, more.components)
    assert more.decision.first.found.n_resamples > plain.decision.first.found.n_resamples
    assert "tpower" in more.missed
    assert [one.method for one in more.methods] == ["JointSPCA"]


def test_methods_are_compared_by_what_they_keep_of_held_out_halves_of_tables_that_they_are_for():
    X = np.random.default_rng(0).standard_normal((60, 6)) * [9, 1, 1, 1, 1, 1]
    names = [{"name": "st"}, {"name": "rsvd_l0", "most_features": 5}, {"name": "rospca", "most_values": 300}]
    reached, missed = compared(X, TPower(n_components=1, n_nonzero=1), names, 60.0)
    assert {one.method for one in reached if one.tied} == {"TPower", "st"}
    assert missed == ()
    for one in reached:
        assert one.held_out == pytest.approx(np.sum(X[:, 0] ** 2) / np.sum(X**2), abs=2 * one.sd)
        assert 0 < one.sd < 0.05


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.nightly) for name in ("iris", "wine", "diabetes")),
        *(pytest.param(name, marks=pytest.mark.weekly) for name in ("breast_cancer", "digits")),
    ],
)
def test_tables_of_scikit_learn_have_the_same_answer_twice_no_target_in_it_and_are_fitted_again(name, tmp_path):
    answer = spcabench.explore(name)
    assert "target" not in answer.components.index
    assert answer.verdict == spcabench.explore(name).verdict
    fewer = answer.decision.first.sparser()
    assert fewer is None or sum(fewer[0]) < sum(answer.decision.first.sizes)
    (tmp_path / "refit.py").write_text(answer.script + "loadings.to_csv('again.csv')\n")
    subprocess.check_output([sys.executable, "refit.py"], cwd=tmp_path)
    again = pd.read_csv(tmp_path / "again.csv", index_col=0).to_numpy()[:, : answer.components.shape[1]]
    if "not sparse" not in answer.verdict:
        np.testing.assert_allclose(again, answer.components, atol=1e-8)
    X = answer.decision.first.X
    shares = [float(np.sum((X @ np.linalg.qr(W)[0]) ** 2)) for W in (again, answer.components.to_numpy())]
    assert shares[0] == pytest.approx(shares[1], rel=1e-6), (
        "loadings with nearly all variables are not unique, spans are"
    )


def test_a_table_that_is_not_sparse_is_said_to_be():
    assert spcabench.explore("iris").verdict == (
        "One component beyond chance, but not sparse: the best sparse loadings have 4 of 4 variables; take PCA."
    )


def test_rows_that_depend_on_each_other_are_told_from_those_that_do_not():
    assert depends(TABLES["nothing, autocorrelated"].draw(0), ())
    assert not depends(TABLES["nothing"].draw(0), ())
    X = np.repeat([[0.0], [9.0]], 60, axis=0) + np.random.default_rng(0).standard_normal((120, 5))
    assert depends(X, ())
    assert not depends(X, ("a",) * 60 + ("b",) * 60)


def test_distances_serve_more_features_than_rows():
    X = np.random.default_rng(0).standard_normal((30, 200))
    X[4] *= 6
    assert int(np.maximum(*distances(X, 2)).argmax()) == 4


def test_a_budget_is_read():
    assert [seconds_of(text) for text in ("60s", "1.5 min", "1H", "30", " 1.5 ")] == [60, 90, 3600, 30, 1.5]


def test_what_is_no_table_is_refused():
    with pytest.raises(InputError, match="X has shape"):
        spcabench.explore([1.0, 2.0])
    with pytest.raises(InputError, match=r"3 complete rows are left; valid are four or more$"):
        spcabench.explore(np.eye(3))


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_components_of_all_rows_are_compared_with_halves_in_one_order(seed, monkeypatch):
    """Rows of a large table are drawn to choose; of equal blocks another one may be the first of all rows."""
    monkeypatch.setattr(deciding, "MOST_VALUES", 2000)
    monkeypatch.setattr(deciding, "LEAST_ROWS", 50)
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((400, 20))
    for block in (slice(4), slice(4, 8)):
        X[:, block] += 1.5 * rng.standard_normal((400, 1))
    assert spcabench.explore(X).verdict.startswith("2 blocks of 4 and 4 variables")
