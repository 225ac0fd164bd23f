"""Damaged folders of a run: read without a traceback, in little time, and no number comes from a damaged file.

A damaged file counts as none, so that a report of the folder is that of the folder without the file.
"""

import json
import os
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from damage import damage, files_of
from odd_suite import ODD

from spcabench.cli import spcabench
from spcabench.plugins import load_registry
from spcabench.store.folder import RunFolder
from spcabench.store.whole_files import MOST_NAMED
from spcabench.wording import InputError

sys.path.append(str(Path(__file__).parents[1]))
from fuzzing import MOST_CPU, seeds

CELLS = {
    "methods": ["axes", "raises"],
    "seeds": 2,
    "metrics": ["cpev", "mean_nnz"],
    "report": {"figures": ["scaling"]},
}
"""With a figure that these data do not have: to draw takes longer than all else, and what figures read is compared."""


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
def fuzzer(ran, suite_file, place, monkeypatch):
    """Return what damages copies of one run, beside which are files that nothing may touch."""
    registry = load_registry([ODD])
    monkeypatch.setattr("spcabench.plugins.load_registry", lambda files: registry)  # once for all folders
    ran({"isolation": False}, folder="base", **CELLS)
    (place / "outside").mkdir()
    (place / "outside" / "theirs.json").write_text("theirs")
    (place / "secret").write_text("theirs")
    return Fuzzer(place, suite_file(**CELLS))


class Fuzzer:
    """Copies of one run, each damaged, read, and resumed."""

    def __init__(self, place, suite):
        self.run = place / "run"
        self._place = place
        self._suite = suite
        self._reports = {}
        self._fresh()
        self._whole = self._cells()
        self._arrays = self._shown_arrays()
        assert len(self._whole) == 4
        assert len(self._arrays) == 6, "loadings of the first method, and samples of both draws"

    def check(self, seed):
        """Damage a copy of the run, read it, resume it, and read it again."""
        self._fresh()
        done = damage(self.run, seed)
        lost = self._lost()
        forged = any("wrong_values" in what for what in done)  # sealed as by a run, and beyond what a checksum sees
        self._see(lost, forged)
        self._resume(lost, forged)
        if not forged and "suite.yaml" not in lost:
            assert self._read == self._without(lost), "a damaged file changed the report"
        assert [(self._place / name).read_text() for name in ("secret", "outside/theirs.json")] == ["theirs"] * 2

    def _fresh(self, lost=()):
        shutil.rmtree(self.run, ignore_errors=True)
        shutil.copytree(self._place / "base", self.run)
        for name in lost:
            (self.run / name).unlink(missing_ok=True)

    def _lost(self):
        """Return the files of the run that are no longer what they were, in the order of their names."""
        base = self._place / "base"
        names = [str(file.relative_to(base)) for file in files_of(base)]
        return tuple(name for name in names if not _same(self.run, base, name))

    def _cells(self):
        code, _ = call("export", "run", "-o", self._place / "all.json")
        rows = [] if code else json.loads((self._place / "all.json").read_text())
        return {(row["method"], row["seed"]): (row["status"], row.get("cpev")) for row in rows}

    def _shown_arrays(self):
        """Return what figures draw, by the name of its file and its own."""
        folder = RunFolder(self.run)
        found = {key: folder.loadings(key) for key in folder.index.values()}
        found |= {file.stem: folder.samples(file.stem) for file in self.run.glob("draws/*.npz")}
        return {(key, name): array for key, arrays in found.items() for name, array in (arrays or {}).items()}

    def _see(self, lost, forged):
        """Read the folder by each verb that reads; nothing that is shown differs from what the run had."""
        for cell, (status, value) in self._cells().items():
            assert forged or (status, value) == self._whole[cell] or (status, value) == ("pending", None), cell
        for name, array in self._shown_arrays().items():
            assert np.array_equal(array, self._arrays[name]), name
        code, said = call("status", "run")
        named = [line for line in said.splitlines() if line.startswith("damaged: ")]
        assert len(set(named)) == len(named) <= MOST_NAMED + 1
        if code == 0 and len(named) < MOST_NAMED and not forged:
            unnamed = [name for name in lost if _counts(name, lost) and str(Path("run", name)) not in said]
            assert not [name for name in unnamed if os.path.lexists(self.run / name)], "not named"
        call("status", "run", "--clean")
        self._read = self._report()

    def _report(self):
        """Make the report; return its exit code and what it wrote."""
        shutil.rmtree(self.run / "tables", ignore_errors=True)
        code, _ = call("report", "run")
        files = [*self.run.glob("report.*"), *self.run.glob("tables/*")] if code == 0 else []
        return code, {file.name: file.read_bytes() for file in files}

    def _without(self, lost):
        """Return the report of the run without some files."""
        if lost not in self._reports:
            self._fresh(lost)
            self._reports[lost] = self._report()
        return self._reports[lost]

    def _resume(self, lost, forged):
        """Resume the run; it is then as it was, or is refused where a link or a folder is in the way."""
        code, said = call("run", self._suite, "-o", "run", "--no-isolation")
        if code == 2:
            in_the_way = [file for file in self.run.rglob("*") if _in_the_way(file)]
            assert any(file.name in said for file in in_the_way), said
            return
        assert code == 1, "two cells raise"
        assert call("status", "run")[0] == 0
        if not forged:
            assert self._cells() == self._whole


def _in_the_way(file):
    return file.is_symlink() or (file.is_dir() and file.suffix != "")


def _counts(name, lost):
    """Return whether a file is looked for, though others are lost; the index of what was read may be."""
    if name.endswith(".index"):
        return False
    kind, _, key = name.removesuffix(".npz").rpartition("/")
    record = f"{'records' if kind == 'loadings' else kind}/{key}.json"
    return name == "index.json" or not {"index.json", record}.intersection(lost) - {name}


def _same(folder, base, name):
    file = folder / name
    return not any(part.is_symlink() for part in (file, file.parent)) and (
        file.is_file() and file.read_bytes() == (base / name).read_bytes()
    )


@pytest.mark.nightly
def test_damaged_folders_are_read(fuzzer):
    for seed in seeds():
        try:
            fuzzer.check(seed)
        except BaseException:
            print(f"the folder that failed: FUZZ=1 FUZZ_SEED={seed}")
            raise


@pytest.mark.parametrize("seed", range(12))
def test_a_dozen_damaged_folders_are_read(fuzzer, seed):
    fuzzer.check(seed)
