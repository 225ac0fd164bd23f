"""The two commits that are compared, each installed into a folder of its own, and their benchmarks run there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from spcabench.perf.callgrind import FOLDER
from spcabench.process import THREAD_VARIABLES
from spcabench.wording import Fault, InputError

PROGRAM = Path(__file__).with_name("program.py")
OWN_FOLDER = Path("/proc/self/cwd")
"""The folder that a process runs in, as Linux calls it: the same name in each process.

What lies in memory where depends on the names of files: Python keeps them, also in sets, whose order they decide.
"""
KEPT = ("instructions", "cpev", "nonzeros", "iterations")
"""What is compared, where `spcabench.perf.bench.measure` kept it; that of an older commit may keep less."""
PLUGINS = ("benchmark", "spcabench")
"""The plugins of pytest that benchmarks have: others would be imported under valgrind for nothing."""


@dataclass(frozen=True)
class Side:
    """What the benchmarks found on one side.

    Parameters
    ----------
    fits : mapping of str to mapping
        What `spcabench.perf.bench.measure` kept, by the name of the benchmark.
    reasons : mapping of str to str
        Why other benchmarks, or whole files, failed.
    measured : bool
        Whether anything was imported that the commit installs.
    output : str
        What pytest printed.
    """

    fits: Mapping[str, Mapping[str, Any]]
    reasons: Mapping[str, str]
    measured: bool
    output: str

    def fit(self, name: str) -> Mapping[str, Any] | str:
        """Return what a benchmark found, or why there is nothing, or not all that is compared."""
        if name not in self.fits:
            return self.reasons.get(name, self.reasons.get(name.partition("::")[0], "no such benchmark"))
        lacking = [kept for kept in KEPT if self.fits[name].get(kept) is None]
        return f"keeps no {', '.join(lacking)}" if lacking else self.fits[name]


def repository(start: Path) -> Path:
    """Return the top folder of the git repository around a folder.

    Raises
    ------
    InputError
        If there is none, or it has no pyproject.toml.
    """
    try:
        root = Path(_git(start, "rev-parse", "--show-toplevel"))
    except subprocess.CalledProcessError:
        raise InputError(Fault("no git repository; run spcabench-perf inside one", str(start))) from None
    if not (root / "pyproject.toml").exists():
        raise InputError(Fault("has no pyproject.toml, so that its commits cannot be installed", str(root)))
    return root


def asked(root: Path, words: Sequence[str]) -> list[str]:
    """Return the words for pytest, with whole paths; all files ``bench_*.py`` of the tests if none names a benchmark.

    Raises
    ------
    InputError
        If there are none.
    """
    files = {word: Path(word.partition("::")[0]).resolve() for word in words}
    whole = [str(files[word]) + "".join(word.partition("::")[1:]) if files[word].exists() else word for word in words]
    if any(file.exists() for file in files.values()) or "--spcabench-bench" in " ".join(words):
        return whole
    found = sorted(map(str, root.glob("tests/**/bench_*.py")))
    if not found:
        raise InputError(Fault("no bench_*.py in it; name a file, or --spcabench-bench NAME", str(root / "tests")))
    return [*whole, *found]


def commit_of(root: Path, name: str | None, scratch: Path) -> str:
    """Return the hash of a commit, or of a tree that holds the files as they are, if there is no name.

    Raises
    ------
    InputError
        If there is no such commit.
    """
    if name is None:
        index = {**os.environ, "GIT_INDEX_FILE": str(scratch / "index")}  # that of the user stays as it is
        _git(root, "read-tree", "HEAD", env=index)
        _git(root, "add", "--all", env=index)
        return _git(root, "write-tree", env=index)
    try:
        return _git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except subprocess.CalledProcessError:
        raise InputError(Fault(f"git knows no such commit; `git log` in {root} lists them", name)) from None


def installed(root: Path, commit: str, folder: Path) -> Path:
    """Install a commit, or a tree, into a new folder without a network, and return the folder.

    Its dependencies are those of this environment, in these versions, on both sides: what differs is the commit alone.

    Parameters
    ----------
    root : Path
        The repository.
    commit : str
        What is installed.
    folder : Path
        Where to.

    Raises
    ------
    InputError
        If it cannot be built.
    """
    tree = folder / "tree"
    tree.mkdir(parents=True)
    archive = folder / "tree.tar"
    _git(root, "archive", "-o", str(archive), commit)
    shutil.unpack_archive(archive, tree, filter="data")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(folder / "site")]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options, str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise InputError(Fault(f"cannot be built: {done.stderr.strip()}", commit))
    return folder


def _git(root: Path, *words: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(["git", *words], cwd=root, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def benched(side: Path, words: Sequence[str], counting: bool) -> Side:
    """Run benchmarks in a process that is alike on both sides, but for the commit.

    Parameters
    ----------
    side : Path
        Where the commit is installed.
    words : sequence of str
        What pytest is called with.
    counting : bool
        Whether it runs under callgrind, which counts the instructions of fits; otherwise kernels are compiled.
    """
    with tempfile.TemporaryDirectory(prefix="spcabench-") as folder:
        here = OWN_FOLDER if OWN_FOLDER.exists() else Path(folder)
        (Path(folder) / "side").symlink_to(side.resolve(), target_is_directory=True)
        (Path(folder) / "dumps").mkdir()
        valgrind = [str(shutil.which("valgrind")), "--tool=callgrind", "-q", "--instr-atstart=no"]
        valgrind.append(f"--callgrind-out-file={here}/dumps/dump")
        options = ["-c", os.devnull, "--rootdir=/", "--import-mode=importlib", "-p", "no:cacheprovider"]
        options += [word for plugin in PLUGINS for word in ("-p", plugin)]
        program = [sys.executable, "-s", "-P", str(PROGRAM), str(here / "side" / "site"), str(here / "found.json")]
        dumps = {FOLDER: str(here / "dumps")} if counting else {}
        done = subprocess.run(
            [*_fixed_addresses(), *(valgrind if counting else ()), *program, *options, "--benchmark-disable", *words],
            cwd=folder,
            env={**_environment(here / "side"), **dumps},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise InputError(f"the process of the benchmarks ended with exit code {done.returncode}: {done.stderr}")
        found = json.loads((Path(folder) / "found.json").read_text(encoding="utf-8"))
        return Side(**found, output=done.stdout + done.stderr)


def _environment(side: Path) -> dict[str, str]:
    """Return the variables of the processes of a side: few, and all fixed.

    Kernels and BLAS use the instructions that valgrind knows, so that it counts what is timed.
    """
    known = Path("/proc/cpuinfo")
    avx2 = known.exists() and " avx2 " in known.read_text(encoding="utf-8")
    haswell = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "", "OPENBLAS_CORETYPE": "Haswell"}
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "HOME": str(side),
        "PYTHONPATH": str(side / "site"),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "NUMBA_CACHE_DIR": str(side / "numba"),
        **dict.fromkeys(THREAD_VARIABLES, "1"),
        **(haswell if avx2 else {}),
    }


@cache
def _fixed_addresses() -> tuple[str, ...]:
    """Return the command that starts another one with the same addresses each time, if the system has it."""
    command = ("setarch", os.uname().machine, "-R")
    works = (
        shutil.which("setarch") and not subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    )
    return command if works else ()
