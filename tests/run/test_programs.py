"""Methods that are programs: what passes between, whose clock counts, and what is said where something is missing."""

import os
import re
import sys

import numpy as np
import pytest
from tasks import fit_task

from spcabench import ProgramMethod
from spcabench.dataset import Dataset
from spcabench.program import TASK_FOLDER, read_matrix, write_matrix
from spcabench.run.messages import Order, ScoreTask
from spcabench.run.worker.fit import fit
from spcabench.run.worker.task import Threads, do
from spcabench.store.record import Facts, Timing

X = np.random.default_rng(0).standard_normal((10, 4))
WRITES = """
import sys
from array import array
from pathlib import Path
folder, words = Path(sys.argv[1]), sys.argv[2:]
n, d, *entries = array("d", (folder / "X").read_bytes())
r = int(words[0].partition("=")[2])
W = [value for j in range(r) for value in (entries[j], *[0.0] * (int(d) - 1))]
(folder / "loadings").write_bytes(array("d", [d, r, *W]).tobytes())
"""


class Fake(ProgramMethod):
    """Runs Python; what the script does is up to the test."""

    script = WRITES

    def called(self):
        return (sys.executable, "-c", self.script)


@pytest.fixture
def fitted(tmp_path):
    """Fit a method whose script goes on with these lines; return the result as the host takes it."""

    def go(more="", **attributes):
        Task = type("Fake", (Fake,), {"script": WRITES + more, **attributes})
        sys.modules[__name__].Current = Task
        return fit(fit_task(f"{__name__}:Current", n_components=2), Dataset(X=X), tmp_path)[0]

    return go


def test_a_matrix_comes_back_as_it_went(tmp_path):
    write_matrix(tmp_path / "X", X)
    assert (tmp_path / "X").stat().st_size == 8 * (2 + X.size)
    np.testing.assert_array_equal(read_matrix(tmp_path / "X"), X)
    (tmp_path / "X").write_bytes(b"\0" * 24)
    with pytest.raises(ValueError, match="no matrix of doubles after its number of rows and of columns"):
        read_matrix(tmp_path / "X")


def test_parameters_are_passed_as_words():
    more = "(folder / 'version').write_text(' '.join(words))"
    options = {"n_components": 2, "k": [4, 3], "orth": True, "tol": 1e-3, "method": "sd", "seed": None}
    method = type("Program", (Fake,), {"script": WRITES + more, "options": lambda self: options})().fit(X)
    assert method.program_ == "n_components=2 k=4,3 orth=1 tol=0.001 method=sd"
    assert method.loadings_.shape == (4, 2)
    assert not hasattr(method, "fit_seconds_")


def test_the_clock_of_the_program_counts(fitted):
    more = "(folder / 'seconds').write_text('0.001 0.0005')\n(folder / 'version').write_text('Fake 1.2')"
    result = fitted(more)
    assert (result.timing.fit_time, result.timing.cpu_time) == ((0.001,), (0.0005,))
    assert result.timing.peak_memory == (), "what the system says of an ended process has its parent's in it"
    assert result.status == "ok"
    assert (result.facts.program, result.facts.own_clock) == ("Fake 1.2", True)
    result = fitted()
    assert result.timing.fit_time[0] > 0.01, "without one, the host's, which has the start of the program"
    assert (result.facts.program, result.facts.own_clock) == (os.path.basename(sys.executable), False)


@pytest.mark.parametrize(
    ("seconds", "reason"),
    [("1e9", "the fit took .* s by the clock around it"), ("-1 0.1", "no number may be negative")],
)
def test_a_clock_that_cannot_be_right_is_refused(fitted, seconds, reason):
    result = fitted(f"(folder / 'seconds').write_text('{seconds}')")
    assert result.status == "invalid"
    assert re.search(reason, result.reason)


def test_what_a_program_searched_is_fitted_again_under_the_clock(fitted):
    def __init__(self, n_components=2, n_nonzero=1, penalty=None):
        self.n_components, self.n_nonzero, self.penalty = n_components, n_nonzero, penalty

    more = """
given = dict(word.split("=") for word in words)
if "penalty" not in given:
    (folder / "found").write_text("n_fits=7 penalty=0.5,0.25")
(folder / "version").write_text(given.get("penalty", ""))
"""
    result = fitted(more, __init__=__init__)
    assert result.facts.found == {"penalty": [0.5, 0.25]}
    assert result.facts.program == "0.5,0.25"
    assert result.timing.n_fits == (7.0,)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("(folder / 'seconds').write_text('fast')", "is to have wall and processor seconds, and has: fast"),
        ("(folder / 'found').write_text('penalty')", "is to have name=number,number ..., and has: penalty"),
        ("(folder / 'loadings').unlink()", "the file 'loadings' of .* cannot be read: .*No such file"),
        ("(folder / 'loadings').write_text('W')", "the file 'loadings' of .* cannot be read"),
        ("sys.exit(3)", "ended with exit code 3: it said nothing"),
    ],
)
def test_what_goes_wrong_is_said(fitted, more, reason):
    with pytest.raises(RuntimeError, match=reason):
        fitted(more)


def test_what_a_program_lacks_makes_it_unavailable(fitted):
    result = fitted("(folder / 'lacks').write_text('no package p; install it')\nsys.exit(1)")
    assert (result.status, result.reason) == ("unavailable", "no package p; install it")


def test_a_program_that_is_not_here(fitted):
    remedy = "install it"
    result = fitted(called=lambda self: ("no-such-program",), remedy=remedy)
    assert (result.status, result.reason) == ("unavailable", "there is no program 'no-such-program' here; install it")


def test_its_files_are_in_the_folder_of_the_task(tmp_path, monkeypatch):
    monkeypatch.setenv(TASK_FOLDER, str(tmp_path))
    named = type("Program", (Fake,), {"script": WRITES + "(folder / 'version').write_text(str(folder))"})().fit(X)
    assert named.program_.startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_worker_names_the_folder_of_its_task(tmp_path, monkeypatch):
    monkeypatch.setenv(TASK_FOLDER, "elsewhere")
    lost = ScoreTask(draw=tmp_path / "no", loadings={}, facts=Facts(), timing=Timing(), metrics=())
    do(Order(task=lost, folder=tmp_path, most_bytes=2**20), Threads(1))
    assert os.environ[TASK_FOLDER] == str(tmp_path)
