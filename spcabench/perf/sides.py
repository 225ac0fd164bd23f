"""The two commits that are compared, each installed into a folder of its own, and the processes that fit there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from spcabench.process import THREAD_VARIABLES
from spcabench.wording import Fault, InputError

PROGRAM = Path(__file__).with_name("worker.py")
OWN_FOLDER = Path("/proc/self/cwd")
"""The folder that a process runs in, as Linux calls it: the same name in each process.

What lies in memory where depends on the names of files: Python keeps them, also in sets, whose order they decide.
"""


def repository(start: Path) -> Path:
    """Return the top folder of the git repository around a folder.

    Raises
    ------
    InputError
        If there is none.
    """
    try:
        return Path(_git(start, "rev-parse", "--show-toplevel"))
    except subprocess.CalledProcessError:
        raise InputError(Fault("no git repository; run spcabench-perf inside one", str(start))) from None


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


def unpacked(root: Path, commit: str, folder: Path) -> Path:
    """Write the files of a commit into a folder, and return it."""
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".tar")
    _git(root, "archive", "-o", str(archive), commit)
    shutil.unpack_archive(archive, folder, filter="data")
    archive.unlink()
    return folder


def installed(root: Path, commit: str, folder: Path) -> Path:
    """Install a commit, or a tree, into a new folder without a network, and return the folder.

    Its dependencies are those of this environment, in these versions, on both sides: what differs is the commit alone.

    Raises
    ------
    InputError
        If it cannot be built.
    """
    tree = unpacked(root, commit, folder / "tree")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(folder / "site")]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options, str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise InputError(Fault(f"cannot be built: {done.stderr.strip()}", commit))
    return folder


def _git(root: Path, *words: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(["git", *words], cwd=root, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class Broken(InputError):
    """A process answered with an error, or ended."""


Ask = Callable[..., Any]
"""Ask a process to do something by name, with keywords; return its answer, or raise `Broken`."""


@contextmanager
def process(side: Path, cases: Path, counting: bool = False) -> Iterator[Ask]:
    """Start a process of a side, alike but for the commit; it ends with the block.

    Parameters
    ----------
    side : Path
        Where the commit is installed.
    cases : Path
        The file with the cases.
    counting : bool
        Whether it runs under callgrind, which counts its instructions.
    """
    with tempfile.TemporaryDirectory(prefix="spcabench-") as folder:
        here = OWN_FOLDER if OWN_FOLDER.exists() else Path(folder)
        (Path(folder) / "side").symlink_to(side.resolve(), target_is_directory=True)
        (Path(folder) / "dumps").mkdir()
        valgrind = [str(shutil.which("valgrind")), "--tool=callgrind", "-q", "--instr-atstart=no"]
        valgrind.append(f"--callgrind-out-file={here}/dumps/dump")
        program = [sys.executable, "-s", str(PROGRAM), str(cases.resolve()), str(here / "dumps")]
        with subprocess.Popen(
            [*_fixed_addresses(), *(valgrind if counting else ()), *program],
            cwd=folder,
            env=_environment(here / "side"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as child:
            try:
                yield partial(_answer, child)
            finally:
                child.kill()


def _answer(child: subprocess.Popen[str], do: str, **words: Any) -> Any:
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        print(json.dumps({"do": do, **words}), file=child.stdin, flush=True)
        line = child.stdout.readline()
    except BrokenPipeError:
        line = ""
    if not line:
        raise Broken(f"the process that fits ended with exit code {child.wait()}")
    answer = json.loads(line)
    if "error" in answer:
        raise Broken(answer["error"])
    return answer["reply"]


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


def counts_here() -> bool:
    """Return whether instructions can be counted on this machine."""
    return shutil.which("valgrind") is not None and os.uname().machine == "x86_64"
