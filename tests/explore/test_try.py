"""``spcabench try``: from a file to the answer, as a user would."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from spcabench.cli import main

SAY = [sys.executable, "-m", "spcabench", "try"]


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    place = tmp_path_factory.mktemp("try")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 12))
    for j, scale in enumerate((4, 1)):
        X[:, 4 * j : 4 * j + 4] += scale * rng.standard_normal((90, 1))
    frame = pd.DataFrame(X * np.r_[50, np.ones(11)], columns=["v0", "=1+1", *(f"v{j}" for j in range(2, 12))])
    frame.insert(0, "id", [f"s{i}" for i in rng.permutation(90)])
    frame["kind"], frame["flat"] = ["x", "y", "z"] * 30, 1
    frame.loc[4, "v9"] = np.nan
    frame.to_csv(place / "own.csv", index=False)
    done = run(place, "own.csv")
    assert done.returncode == 0, done.stderr
    return place, done


def run(place, *words):
    return subprocess.run([*SAY, *words], cwd=place, capture_output=True, text=True, check=False)


@pytest.mark.nightly
def test_a_table_is_answered_and_fitted_again(tried):
    place, done = tried
    assert done.stdout.startswith("2 blocks of 4 and 4 variables: PC1 ")
    for words in ("'kind' is text with 3 values", "('id'): left out", "('flat'): left out", "standardised (otherwise"):
        assert words in done.stdout
    folder = place / "reports" / "try-own"
    loadings = pd.read_csv(folder / "loadings.csv", index_col=0)
    assert set(loadings.index[loadings["PC1"] != 0]) <= {"v0", "'=1+1", "v2", "v3"}  # no spreadsheet computes it
    for name in ("report.html", "report.md", "refit.ipynb", "figures/heat_map.png", "figures/scree.png"):
        assert (folder / name).stat().st_size > 500
    names = {}
    code = (folder / "refit.py").read_text()
    exec(code, names)
    np.testing.assert_allclose(names["loadings"].to_numpy(), loadings.to_numpy(), atol=1e-8)
    page = json.loads((folder / "refit.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in page["cells"] if cell["cell_type"] == "code"]
    assert all(cell in (folder / "refit.py").read_text() for cell in cells)


def test_on_a_terminal_a_target_is_asked_about(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).standard_normal((40, 4)).round(2), columns=list("abcd"))
    frame.assign(target=[0, 1] * 20).to_csv(tmp_path / "own.csv", index=False)
    own, theirs = pty.openpty()
    os.write(own, b"n\n")
    done = subprocess.run(
        [*SAY, "own.csv"], stdin=theirs, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
    )
    assert "Leave out 'target', which seems to be a target? [Y/n]" in done.stderr
    assert "own.csv: 40 rows, 5 variables" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["gone.csv"], "error: no file gone.csv"),
        (["own.csv", "--budget", "soon"], "error: --budget: 'soon' is no time; valid are 90s, 2min or 1h"),
        (["own.csv", "--drop", "q"], "error: --drop: no column 'q'; valid are "),
    ],
)
def test_bad_input_ends_in_a_sentence(tmp_path, monkeypatch, capsys, words, says):
    (tmp_path / "own.csv").write_text("a,b,c\n1,2,4\n2,5,1\n3,1,9\n4,4,4\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # which try would set
    monkeypatch.setattr(sys, "argv", ["spcabench", "try", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(says)
