"""The processes that fit: one of a side, alike but for the commit, which answers requests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

from spcabench.perf.sides import Side
from spcabench.wording import InputError

PROGRAM = Path(__file__).with_name("worker.py")
ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)

OWN_FOLDER = Path("/proc/self/cwd")
"""The folder that a process runs in, as Linux calls it."""

Counting = Literal["perf", "callgrind", "none"]
"""What counts instructions: the processor through the kernel, valgrind's callgrind, or nothing."""


class Broken(InputError):
    """A process answered with an error, or ended."""


class Process:
    """A process that answers requests."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child

    def ask(self, do: str, **words: Any) -> Any:
        """Return the answer to a request.

        Raises
        ------
        Broken
            If it is an error, or the process has ended.
        """
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            self._child.stdin.write(json.dumps({"do": do, **words}) + "\n")
            self._child.stdin.flush()
            line = self._child.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Broken(f"the process that fits ended with exit code {self._child.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Broken(answer["error"])
        return answer["reply"]


@contextmanager
def process(side: Side, cases: Path, counting: Counting = "none") -> Iterator[Process]:
    """Start a process of a side; it ends with the block.

    Parameters
    ----------
    side : Side
        Whose environment.
    cases : Path
        The file with the cases.
    counting : {"perf", "callgrind", "none"}
        What counts its instructions.
    """
    with tempfile.TemporaryDirectory(prefix="spcabench-") as folder:
        here = named_alike(Path(folder))
        (Path(folder) / "side").symlink_to(side.folder.resolve(), target_is_directory=True)
        (Path(folder) / "dumps").mkdir()
        counted = counting == "callgrind"
        command = [*fixed_addresses(), *(_callgrind(here / "dumps") if counted else ())]
        python = here / "side" / "env" / "bin" / "python"
        program = [python, "-s", PROGRAM, cases.resolve(), here / "dumps" if counted else counting]
        with subprocess.Popen(
            [*command, *map(str, program)],
            cwd=folder,
            env=environment(here / "side"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as child:
            try:
                yield Process(child)
            finally:
                child.kill()


def named_alike(folder: Path) -> Path:
    """Return what a process that runs in a folder may call it: on Linux, the same name in each process.

    What lies in memory where depends on the names of files: Python keeps them, also in sets, whose order they decide.
    """
    return OWN_FOLDER if OWN_FOLDER.exists() else folder


def environment(side: Path) -> dict[str, str]:
    """Return the variables of the processes of a side in a folder: few, and all fixed."""
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "HOME": str(side),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(side / "numba"),
        **dict.fromkeys(ONE_THREAD, "1"),
        **instruction_set(),
    }


@cache
def instruction_set() -> dict[str, str]:
    """Return what makes kernels and BLAS use the instructions that valgrind knows, so that it counts what is timed."""
    known = Path("/proc/cpuinfo")
    if known.exists() and " avx2 " in known.read_text(encoding="utf-8"):
        return {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "", "OPENBLAS_CORETYPE": "Haswell"}
    return {}


@cache
def fixed_addresses() -> tuple[str, ...]:
    """Return the command that starts another one with the same addresses each time, if the system has it."""
    command = ("setarch", os.uname().machine, "-R")
    return command if shutil.which("setarch") and _works(*command, "true") else ()


def _callgrind(folder: Path) -> list[str]:
    return [
        shutil.which("valgrind") or "valgrind",
        "--tool=callgrind",
        "-q",
        "--instr-atstart=no",
        f"--callgrind-out-file={folder}/dump",
    ]


def counting_here(side: Side, cases: Path) -> Counting:
    """Return what can count instructions on this machine; the processor's own counter is faster."""
    for counting in ("perf", "callgrind"):
        if counting == "callgrind" and not (shutil.which("valgrind") and os.uname().machine == "x86_64"):
            continue
        with process(side, cases, counting) as one:
            try:
                one.ask("counts")
            except Broken:
                continue
            return counting
    return "none"


def _works(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
