"""Damaged folders of a run: read without a traceback, in little time, and no number comes from a damaged file."""

import json
import math
import shutil
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ODD
from damage import damage

from spcabench.cli import spcabench
from spcabench.errors import InputError
from spcabench.plugins import load_registry

sys.path.append(str(Path(__file__).parents[1]))
from fuzzing import MOST_CPU, seeds

CELLS = {"methods": ["axes", "raises"], "seeds": 2, "metrics": ["cpev", "mean_nnz"]}
EVERY = 10
"""Of so many folders one is resumed and cleaned too, which takes longer."""


def shown(frame):
    """Return the numbers of each cell."""
    values = zip(frame.status, frame.cpev if "cpev" in frame else [math.nan] * len(frame), strict=True)
    return dict(zip(zip(frame.method, frame.seed, strict=True), values, strict=True))


def call(*words):
    """Run a verb; return its exit code, having raised whatever no user should see."""
    ended = CliRunner().invoke(spcabench, ["--plugin", str(ODD), *map(str, words)], standalone_mode=False)
    if ended.exception is not None and not isinstance(ended.exception, InputError):
        raise ended.exception
    return 2 if ended.exception else 0


@pytest.fixture
def whole(ran, place, monkeypatch):
    """Return what a run shows; it is in ``base``, with files beside it that nothing may touch."""
    registry = load_registry([ODD])
    monkeypatch.setattr("spcabench.plugins.load_registry", lambda files: registry)  # once for all folders
    frame, _, _ = ran({"isolation": False}, folder="base", **CELLS)
    (place / "outside").mkdir()
    (place / "outside" / "theirs.json").write_text("theirs")
    (place / "secret").write_text("theirs")
    return shown(frame)


def untouched(place):
    return [(place / name).read_text() for name in ("secret", "outside/theirs.json")] == ["theirs"] * 2


def check(seed, whole, ran, place):
    """Damage a copy of the run and read it."""
    shutil.rmtree(place / "run", ignore_errors=True)
    shutil.copytree(place / "base", place / "run")
    done = damage(place / "run", seed)
    before = time.process_time()
    if call("export", "run", "-o", place / "all.json") == 0 and not any("wrong_values" in what for what in done):
        for row in json.loads((place / "all.json").read_text()):
            status, value = whole[row["method"], row["seed"]]
            assert row["status"] in ("pending", status), (row, done)
            assert row.get("cpev") in (None, value), (row, done)
    call("status", "run")
    call("clean", "run")
    spent = time.process_time() - before
    assert spent < MOST_CPU, f"{spent:.1f} s: {done}"
    if seed % EVERY == 0:
        call("clean", "run", "--yes")
        lock = place / "run" / ".lock"
        if not lock.is_symlink() and not any(
            (place / "run" / k).is_symlink() for k in ("records", "loadings", "draws")
        ):
            heal(whole, ran, place, done)
    assert untouched(place), done


def heal(whole, ran, place, done):
    """Resume a damaged run; it is then as it was, and nothing in it is damaged."""
    for file in (place / "run").rglob("*"):
        if file.is_dir() and file.suffix:  # nothing is removed that holds more than a file
            file.rmdir()
    frame, _, _ = ran({"isolation": False}, folder="run", **CELLS)
    if not any("wrong_values" in what for what in done):
        assert shown(frame).keys() == whole.keys()
        for cell, (status, value) in shown(frame).items():
            assert (status, value) == whole[cell] or (math.isnan(value) and math.isnan(whole[cell][1])), (cell, done)
    assert call("status", "run") == 0


@pytest.mark.nightly
def test_damaged_folders_are_read(whole, ran, place):
    for seed in seeds():
        try:
            check(seed, whole, ran, place)
        except BaseException:
            print(f"the folder that failed: FUZZ=1 FUZZ_SEED={seed}")
            raise


@pytest.mark.parametrize("seed", range(12))
def test_a_dozen_damaged_folders_are_read(whole, ran, place, seed):
    check(seed, whole, ran, place)
