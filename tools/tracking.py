"""Print what comparisons of saved benchmarks say of the same code, and of planted slowdowns and worse fits.

::

    python tools/tracking.py [--same 20] [--planted 10] [--limit min:13%] [--only own|new]

It measures the solvers of this repository, and a method that `spcabench new` writes into another folder, installed in
editable mode; of that it prints each command with its seconds.  The machine is to be idle.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from tabulate import tabulate

ROOT = Path(__file__).parents[1]
LIMIT = "min:13%"
PLANTED = '''\
"""Makes the fits of a class slower by a share, or worse, as the environment says."""
import importlib, os, time
import numpy as np
module, _, name = os.environ["PLANTED"].partition(":")
planted = getattr(importlib.import_module(module), name)
fit, slower = planted.fit, float(os.environ["SLOWER"])
def changed(self, X, y=None):
    begin = time.process_time()
    fit(self, X)
    end = begin + (1 + slower) * (time.process_time() - begin)
    if "WORSE" in os.environ and hasattr(self, "objective_"):
        self.objective_ = 0.999 * np.asarray(self.objective_)
    elif "WORSE" in os.environ:
        row = self.components_[0]
        row[np.abs(row).argmax()] = 0.0
        row /= np.linalg.norm(row)
    while time.process_time() < end:
        pass
    return self
planted.fit = changed
'''
CHANGES: Mapping[str, Mapping[str, str]] = {
    "15 % slower": {"SLOWER": "0.15"},
    "30 % slower": {"SLOWER": "0.3"},
    "worse": {"SLOWER": "0", "WORSE": "1"},
}


@dataclass(frozen=True)
class Benchmarks:
    """Benchmarks that pytest runs, and the class in which slowdowns are planted.

    Parameters
    ----------
    folder : Path
        For what is saved.
    words : tuple of str
        What pytest is called with.
    planted : str
        ``"module:Class"``.
    python : str
        The interpreter.
    """

    folder: Path
    words: tuple[str, ...]
    planted: str
    python: str = sys.executable

    def pytest(self, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the benchmarks in a process of their own, with changes planted if the environment says so."""
        (self.folder / "planted_change.py").write_text(PLANTED, encoding="utf-8")
        plugin = ["-p", "planted_change"] if environment else []
        command = [self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, *self.words]
        path = os.pathsep.join(filter(None, [str(self.folder), os.environ.get("PYTHONPATH")]))
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        return subprocess.run(
            [*command, f"--benchmark-storage=file://{self.folder}/saved", *options],
            cwd=self.folder,
            env={**own, "PYTHONPATH": path, "PLANTED": self.planted, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def save(self) -> None:
        """Save a run that the others are compared with."""
        done = self.pytest("--benchmark-save=base")
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)

    def alarm(self, limit: str = LIMIT, **environment: str) -> bool:
        """Compare another run with the saved one, and return whether pytest-benchmark calls it a regression."""
        found = f"--benchmark-json={self.folder / 'found.json'}"
        done = self.pytest("--benchmark-compare=0001", f"--benchmark-compare-fail={limit}", found, **environment)
        regressed = "Performance has regressed" in done.stdout + done.stderr
        if bool(done.returncode) != regressed:
            raise RuntimeError(done.stdout + done.stderr)
        return regressed

    def ratios(self, statistic: str) -> Iterator[float]:
        """Yield the times of the last comparison over those that were saved, for each benchmark."""
        (saved,) = (self.folder / "saved").glob("*/0001_base.json")
        files = (saved, self.folder / "found.json")
        old, new = (json.loads(file.read_text(encoding="utf-8"))["benchmarks"] for file in files)
        before = {one["fullname"]: one["stats"][statistic] for one in old}
        for one in new:
            yield one["stats"][statistic] / before[one["fullname"]]


def compared(what: str, whole: Benchmarks, part: Benchmarks, asked: argparse.Namespace) -> list[list[object]]:
    """Compare the same code so many times, and each planted change; return rows of a table."""
    whole.save()
    part.save()
    alarms, ratios = 0, {"min": [0.0], "median": [0.0]}
    for _ in range(asked.same):
        alarms += whole.alarm(asked.limit)
        for name, kept in ratios.items():
            kept.extend(whole.ratios(name))
    largest = ", ".join(f"{name} {max(kept):.3f}, 99 % {np.quantile(kept, 0.99):.3f}" for name, kept in ratios.items())
    rows: list[list[object]] = [[what, "the same code", f"{alarms} of {asked.same}", largest]]
    for name, change in CHANGES.items():
        caught = sum(part.alarm(asked.limit, **change) for _ in range(asked.planted))
        rows.append([what, name, f"{caught} of {asked.planted}", ""])
    return rows


def own(place: Path) -> tuple[Benchmarks, Benchmarks]:
    """Return the benchmarks of this repository, and those of one of its solvers."""
    places = [place / "all", place / "one"]
    for folder in places:
        folder.mkdir()
    file, planted = str(ROOT / "tests" / "perf" / "bench_solvers.py"), "spcabench_methods:TPower"
    return Benchmarks(places[0], (file,), planted), Benchmarks(places[1], (file, "-k", "tpower"), planted)


def new(place: Path) -> Benchmarks:
    """Write a method of one's own, install it in editable mode and benchmark it; print commands and seconds."""
    home = place / "venv"
    venv.create(home, with_pip=False)
    (packages,) = home.glob("lib/python*/site-packages")
    inherited = [folder for folder in sys.path if folder.endswith("-packages")]
    lines = "".join(f"import site; site.addsitedir({folder!r})\n" for folder in inherited)
    (packages / "inherited.pth").write_text(lines, encoding="utf-8")
    python = str(home / "bin" / "python")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "-q")
    steps = {
        "spcabench new method my_spca": [python, "-m", "spcabench", "new", "method", "my_spca"],
        "pip install -e my_spca": [
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            *options,
            "-e",
            "my_spca",
        ],
    }
    for text, command in steps.items():
        _timed(text, partial(subprocess.run, command, cwd=place, check=True, capture_output=True))
    made = Benchmarks(place, ("--spcabench-bench", "my_spca"), "spcabench_my_spca:MySpca", python)
    asked = "pytest --spcabench-bench my_spca"
    _timed(f"{asked} --benchmark-autosave", partial(made.pytest, "--benchmark-autosave"))
    compare = ("--benchmark-compare", f"--benchmark-compare-fail={LIMIT}")
    _timed(f"{asked} {' '.join(compare)}", partial(made.pytest, *compare))
    for file in (place / "saved").rglob("*.json"):
        file.unlink()
    return made


def _timed(text: str, do: Callable[[], object]) -> None:
    begin = time.monotonic()
    do()
    print(f"{time.monotonic() - begin:6.1f} s  {text}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--same", type=int, default=20)
    parser.add_argument("--planted", type=int, default=10)
    parser.add_argument("--limit", default=LIMIT)
    parser.add_argument("--only", choices=["own", "new"])
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="spcabench-") as folder:
        if asked.only != "own":
            made = new(Path(folder))
            rows += compared("a method of one's own", made, made, asked)
        if asked.only != "new":
            rows += compared("the solvers here", *own(Path(folder)), asked)
    print(tabulate(rows, ("benchmarks", "change", f"alarms at {asked.limit}", "largest ratio of times"), "github"))


if __name__ == "__main__":
    main()
