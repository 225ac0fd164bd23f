"""The contract of what does tasks: local workers and a Dask cluster keep it, and as the simplest this very process."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from spcabench.plugins import import_file
from spcabench.run.messages import Result, Task
from spcabench.run.worker.clock import unheard
from spcabench.run.worker.task import Threads, perform
from spcabench.store.files import new_folder
from spcabench.suite.models import Limits


@dataclass(frozen=True)
class Outcome:
    """How a task ended.

    Parameters
    ----------
    name : str
        The name under which the task was submitted.
    result : Result
        What the worker left, or what is known of it if it could not.
    folder : Path
        The worker's files, here; removed with `discard`.
    output : str
        The end of what it printed.
    """

    name: str
    result: Result
    folder: Path
    output: str = ""

    def discard(self) -> None:
        """Remove the worker's files."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Executor(Protocol):
    """Does tasks, several at a time, and reports how each ended.

    A new one is a file in this folder, and a line in `spcabench.run.executors.choose`, beside it.
    """

    @property
    def capacity(self) -> int:
        """How many tasks may be under way at once."""

    @property
    def contended(self) -> bool:
        """Whether tasks may share cores with one another, so that times are not to be trusted."""

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Start a task.

        Parameters
        ----------
        name : str
            Comes back with the outcome; no other task under way has it.
        task : Task
            What to do; `spcabench.run.worker.task.perform` does it.
        limits : Limits
            What it may use.
        """

    def wait(self) -> list[Outcome]:
        """Return the tasks that ended within a moment."""

    def close(self) -> None:
        """End all that is under way."""


class InProcess:
    """An executor without workers: no isolation and no limits, for debugging and for the cheapest of fits.

    Parameters
    ----------
    scratch : Path
        A folder for files.
    threads : int
        BLAS threads.
    plugins : sequence of Path
        Single-file plugins.
    """

    capacity = 1
    contended = False

    def __init__(self, scratch: Path, threads: int, plugins: Sequence[Path] = ()) -> None:
        self._scratch = scratch
        self._outcomes: list[Outcome] = []
        self._threads = Threads(threads)
        for file in plugins:
            import_file(file)

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Do a task now; the limits are not held."""
        folder = new_folder(self._scratch)
        *_, result = perform(task, folder, self._threads, unheard)
        self._outcomes.append(Outcome(name, result, folder))

    def wait(self) -> list[Outcome]:
        """Return what was done."""
        done, self._outcomes = self._outcomes, []
        return done

    def close(self) -> None:
        """Do nothing; nothing is under way."""
