"""``spcabench try``: from a file to the answer, as a user would."""

import os
import pty
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from spcabench.cli import main

SAY = [sys.executable, "-m", "spcabench", "try"]


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
