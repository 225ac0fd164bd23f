"""The contract of what does tasks: local workers, this very process and a Dask cluster all keep it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from spcabench.run.messages import Result, Task
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
