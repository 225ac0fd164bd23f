"""Damaged folders of runs: every verb reads them or refuses them in a sentence, and nothing outside is touched.

The nightly test goes on for a quarter of a minute; ``FUZZ=2000 pytest -n 0 -s -m nightly
tests/run/test_fuzz_folders.py`` damages two thousand.  FUZZ_SEED starts where a folder failed.
"""

import csv
import shutil
import time

import pytest
from click.testing import CliRunner
from damage import damage
from fuzzing import MOST_CPU, seeds
from odd_suite import ODD

from spcabench.cli import spcabench
from spcabench.plugins import load_registry
from spcabench.wording import InputError

CELLS = {
    "methods": ["axes", "raises"],
    "seeds": 2,
    "metrics": ["cpev", "mean_nnz"],
}


def call(*words):
    """Run a verb; return its exit code and what it said, having raised whatever no user should see."""
    before = time.process_time()
    ended = CliRunner().invoke(spcabench, ["--plugin", str(ODD), *map(str, words)], standalone_mode=False)
    spent = time.process_time() - before
    assert spent < MOST_CPU, f"{spent:.1f} s: {words}"
    if ended.exception is not None and not isinstance(ended.exception, InputError):
        raise ended.exception
    return (2, str(ended.exception)) if ended.exception else (ended.return_value or 0, ended.output)


@pytest.fixture
def fuzzed(ran, suite_file, place, monkeypatch):
    """Damage a copy of one run, read it and resume it; beside it are files that nothing may touch."""
    registry = load_registry([ODD])
    monkeypatch.setattr("spcabench.plugins.load_registry", lambda files: registry)  # once for all folders
    ran({"isolation": False}, folder="base", **CELLS)
    (place / "outside").mkdir()
    for name in ("outside/theirs", "secret"):
        (place / name).write_text("theirs")
    suite, run = suite_file(**CELLS), place / "run"

    def statuses():
        code, said = call("export", "run", "-o", place / "all.csv")
        assert code in (0, 2), said
        rows = [] if code else list(csv.DictReader((place / "all.csv").open()))
        return {(row["method"], row["seed"]): row["status"] for row in rows}

    def check(seed):
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(place / "base", run)
        done = damage(run, seed)
        for words in (["status", "run"], ["report", "run"]):
            code, said = call(*words)
            assert code == 0 or "run" in said, (done, said)
        before = statuses()
        assert len(before) in (0, 4)
        code, said = call("run", suite, "-o", "run", "--no-isolation")
        if code == 1:
            assert sorted(statuses().values()) == ["error", "error", "ok", "ok"], done
        else:
            assert code == 2, "two cells raise"
            assert "run" in said, (done, said)
        assert [(place / name).read_text() for name in ("secret", "outside/theirs")] == ["theirs"] * 2
        assert len(list((place / "outside").iterdir())) == 1

    return check


@pytest.mark.nightly
def test_damaged_folders_are_read(fuzzed):
    for seed in seeds():
        fuzzed(seed)


def test_a_few_damaged_folders_are_read(fuzzed):
    for seed in range(6):
        fuzzed(seed)
