"""The gate on a small repository of its own: commits, environments, processes, and the command whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from spcabench.perf import worker
from spcabench.perf.sides import commit_of, repository, unpacked
from spcabench.wording import InputError

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "toy-solver"
version = "1.0"
"""
SOLVER = """
import numpy as np
class Toy:
    def fit(self, X):
        for _ in range({steps}):
            sum(range(100))
        self.components_, self.n_iter_ = np.eye(1, X.shape[1]), 1
"""
CASES = """
import numpy as np
from toy_solver import Toy
class Case:
    solver, size, quick = "toy", "5 x 3", True
    def prepare(self):
        return Toy(), np.random.default_rng(0).standard_normal((5, 3))
CASES = {"toy, 5 x 3": Case()}
"""


def git(root, *words):
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=root, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


@pytest.fixture
def toy(tmp_path):
    """Return a repository whose second commit is slower by a tenth, and its file of cases."""
    root = tmp_path / "toy"
    root.mkdir()
    git(root, "init", "-q")
    (root / "pyproject.toml").write_text(PROJECT)
    for steps in (1000, 1100):
        (root / "toy_solver.py").write_text(SOLVER.format(steps=steps))
        git(root, "add", "--all")
        git(root, "commit", "-q", "-m", f"toy: take {steps} steps")
    (tmp_path / "cases.py").write_text(CASES)
    return root


def gate(root, *words):
    command = [sys.executable, "-m", "spcabench.cli.perf", "compare", "--cases", "../cases.py", *words]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", timeout=300, check=False)


def test_the_files_as_they_are_leave_the_index_alone(toy, tmp_path):
    (toy / "more.py").write_text("new = 1\n")
    before = git(toy, "status", "--porcelain")
    tree = unpacked(toy, commit_of(toy, None, tmp_path), tmp_path / "tree")
    assert (tree / "more.py").read_text() == "new = 1\n"
    assert git(toy, "status", "--porcelain") == before


def test_a_commit_that_is_not_there_is_named(toy, tmp_path):
    with pytest.raises(InputError, match="nowhere: git knows no such commit"):
        commit_of(toy, "nowhere", tmp_path)
    with pytest.raises(InputError, match="no git repository"):
        repository(Path("/"))


class Planted:
    """A case whose fit fails when it is counted."""

    def prepare(self):
        return self, None

    def fit(self, X):
        pass


class Counter:
    """Counts calls in place of callgrind."""

    def __init__(self, dumps):
        pass

    def count(self, call):
        call()
        return 6


def test_a_child_counts_and_its_failure_is_an_error(monkeypatch, tmp_path):
    fits = worker.Fits({"a": Planted()}, tmp_path)
    monkeypatch.setattr(worker, "Callgrind", Counter)
    assert fits.count("a", 3) == 0
    monkeypatch.setattr(worker, "Callgrind", lambda dumps: 1 / 0)
    with pytest.raises(RuntimeError, match="the child that counts failed"):
        fits.count("a", 3)


def test_what_takes_no_seed_draws_the_same_each_time(monkeypatch):
    monkeypatch.setattr(np.random.bit_generator, "randbits", np.random.bit_generator.randbits)
    worker.fix_entropy()
    first, second = (np.random.RandomState().get_state()[1] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def changes(ended):
    """Return the changes of instructions in a table, in percent."""
    return [float(number) for number in re.findall(r"\| ([+-][\d.]+) % ", ended.stdout)]


@pytest.mark.weekly
def test_a_tenth_more_is_a_tenth_by_instructions(toy):
    same, slower = gate(toy, "HEAD", "HEAD", "--no-time"), gate(toy, "HEAD~1", "--no-time")
    if "nothing here counts instructions" in same.stderr:
        pytest.skip("needs valgrind")
    assert same.returncode == 0, same.stdout + same.stderr
    assert slower.returncode == 1, slower.stdout + slower.stderr
    assert changes(same) == [pytest.approx(0.0, abs=0.1)]
    assert changes(slower) == [pytest.approx(10.0, abs=0.5)]
    assert "1 of 1 cases are worse: toy, 5 x 3" in slower.stdout


@pytest.mark.weekly
def test_thrice_the_work_is_seen_by_time(toy):
    (toy / "toy_solver.py").write_text(SOLVER.format(steps=3000))
    ended = gate(toy, "HEAD~1", "--no-counts")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "worse: time" in ended.stdout


@pytest.mark.weekly
def test_a_solver_that_breaks_is_named(toy):
    (toy / "toy_solver.py").write_text("class Toy:\n    def fit(self, X):\n        raise ValueError('no such luck')\n")
    ended = gate(toy, "HEAD", "--no-counts", "--no-time")
    assert ended.returncode == 1
    assert "no longer fits (head: ValueError: no such luck)" in ended.stdout
    assert gate(toy, "HEAD", "--only", "toys").stderr.splitlines()[-1].startswith("error: --only: no case of a solver")
