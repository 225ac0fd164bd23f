"""The gate on small repositories of their own: commits, environments, counting, and the command whole."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from spcabench.perf import callgrind, program
from spcabench.perf.sides import asked, commit_of, repository
from spcabench.wording import InputError

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "toy-solver"
version = "1.0"
[project.entry-points.spcabench]
toy = "toy_solver"
[tool.pytest.ini_options]
addopts = "--no-such-option"
"""
SOLVER = """
import numpy as np
import spcabench
class Toy:
    def __init__(self, n_components=1):
        self.n_components = n_components
    def fit(self, X):
        for _ in range({steps}):
            sum(range(100))
        self.components_ = np.eye(self.n_components, X.shape[1])
@spcabench.hookimpl
def spcabench_methods():
    return [spcabench.MethodSpec(name="toy", estimator="toy_solver:Toy", knob=spcabench.DENSE)]
"""
BENCH = """
from toy_solver import Toy
from spcabench.perf.bench import measure, one_fit_a_round, samples
@one_fit_a_round
def test_fit(benchmark):
    measure(benchmark, Toy(), samples("100 x 60"))
"""


def git(root, *words):
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=root, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


@pytest.fixture
def toy(tmp_path):
    """Return a repository whose second commit is slower by a tenth."""
    root = tmp_path / "toy"
    (root / "tests").mkdir(parents=True)
    git(root, "init", "-q")
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "tests" / "bench_toy.py").write_text(BENCH)
    for steps in (1000, 1100):
        (root / "toy_solver.py").write_text(SOLVER.format(steps=steps))
        git(root, "add", "--all")
        git(root, "commit", "-q", "-m", f"toy: take {steps} steps")
    return root


def gate(root, *words):
    command = [sys.executable, "-m", "spcabench.cli.perf", "compare", *words]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", timeout=600, check=False)


def test_the_files_as_they_are_leave_the_index_alone(toy, tmp_path):
    (toy / "more.py").write_text("new = 1\n")
    before = git(toy, "status", "--porcelain")
    assert git(toy, "show", f"{commit_of(toy, None, tmp_path)}:more.py") == "new = 1"
    assert git(toy, "status", "--porcelain") == before


def test_what_is_not_there_is_named(toy, tmp_path):
    with pytest.raises(InputError, match="nowhere: git knows no such commit"):
        commit_of(toy, "nowhere", tmp_path)
    with pytest.raises(InputError, match="no git repository"):
        repository(Path("/"))
    (toy / "pyproject.toml").unlink()
    with pytest.raises(InputError, match=r"has no pyproject\.toml"):
        repository(toy / "tests")


def test_the_files_of_benchmarks_are_found_unless_some_are_named(toy, monkeypatch):
    monkeypatch.chdir(toy)
    file = str(toy / "tests" / "bench_toy.py")
    assert asked(toy, ["-k", "fit"]) == ["-k", "fit", file]
    assert asked(toy, ["tests/bench_toy.py::test_fit"]) == [f"{file}::test_fit"]
    assert asked(toy, ["--spcabench-bench", "toy"]) == ["--spcabench-bench", "toy"]
    Path(file).unlink()
    with pytest.raises(InputError, match=r"no bench_\*\.py"):
        asked(toy, [])


class Counter:
    """Counts calls in place of callgrind."""

    def __init__(self, dumps):
        self.calls = 0

    def count(self, call):
        self.calls += 1
        call()
        return 6 // self.calls


def test_a_child_counts_and_its_failure_is_an_error(monkeypatch, tmp_path):
    assert callgrind.instructions(lambda: 1 / 0) is None, "nothing is to be counted"
    monkeypatch.setenv(callgrind.FOLDER, str(tmp_path))
    monkeypatch.setattr(callgrind, "Callgrind", Counter)
    assert callgrind.instructions(lambda: None) == 6 - 3
    with pytest.raises(RuntimeError, match="the child that counts failed"):
        callgrind.instructions(lambda: 1 / 0)


def test_what_takes_no_seed_draws_the_same_each_time(monkeypatch):
    monkeypatch.setattr(np.random.bit_generator, "randbits", np.random.bit_generator.randbits)
    program.fix_entropy()
    first, second = (np.random.RandomState().get_state()[1] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_code_that_is_not_of_the_commit_is_told(tmp_path, monkeypatch):
    (tmp_path / "toy_module.py").touch()
    assert not program.imports_from(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    __import__("toy_module")
    assert program.imports_from(tmp_path)
    (tmp_path / "json").mkdir()
    assert not program.imports_from(tmp_path), "json is imported from elsewhere"


def changes(ended):
    """Return the changes of instructions in a table, in percent."""
    return [float(number) for number in re.findall(r"\| ([+-][\d.]+) % ", ended.stdout)]


@pytest.mark.weekly
def test_a_tenth_more_is_a_tenth_by_instructions(toy):
    same, slower = gate(toy, "HEAD..HEAD"), gate(toy, "HEAD~1")
    assert same.returncode == 0, same.stdout + same.stderr
    assert slower.returncode == 1, slower.stdout + slower.stderr
    assert changes(same) == [pytest.approx(0.0, abs=0.1)]
    assert changes(slower) == [pytest.approx(10.0, abs=0.5)]
    assert "1 of 1 benchmarks are worse: bench_toy.py::test_fit" in slower.stdout


@pytest.mark.weekly
def test_a_registered_method_needs_no_file(toy):
    (toy / "toy_solver.py").write_text(SOLVER.format(steps=1200))
    slower = gate(toy, "HEAD", "--spcabench-bench", "toy")
    assert slower.returncode == 1, slower.stdout + slower.stderr
    assert changes(slower) == [pytest.approx(9.0, abs=0.5)] * 2


@pytest.mark.weekly
def test_a_solver_that_breaks_is_named_and_what_cannot_be_compared_is_no_success(toy):
    (toy / "toy_solver.py").write_text("class Toy:\n    def fit(self, X):\n        raise ValueError('no such luck')\n")
    ended = gate(toy, "HEAD")
    assert ended.returncode == 1
    assert "no longer fits (head: ValueError: no such luck)" in ended.stdout
    (toy / "tests" / "bench_toy.py").write_text(BENCH.replace("from toy_solver", "from lost"))
    ended = gate(toy, "HEAD")
    assert ended.returncode == 2
    assert "No module named 'lost'" in ended.stderr
    (toy / "tests" / "bench_toy.py").write_text(
        BENCH.replace("from toy_solver import", "from spcabench_methods import PCA as")
    )
    ended = gate(toy, "HEAD")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].endswith(
        "the benchmarks import other code than what the commit installs; name ones that import it"
    )
