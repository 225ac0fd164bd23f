"""What does tasks: the contract that local workers, this very process and a cluster all keep."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class Outcome:
    """How a task ended.

    Parameters
    ----------
    name : object
        What the task was submitted as.
    result : dict
        What the worker left, or ``status`` and ``reason`` if it could not.
    folder : Path
        The worker's files, here; removed with `discard`.
    output : str
        The end of what it printed.
    """

    name: Any
    result: dict[str, Any]
    folder: Path
    output: str = ""

    def discard(self) -> None:
        """Remove the worker's files."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Executor(Protocol):
    """Does tasks (see `spcabench.run.task.do`), several at a time, and tells how each ended."""

    @property
    def capacity(self) -> int:
        """How many tasks may be under way at once."""

    @property
    def contended(self) -> bool:
        """Whether tasks may share cores with one another, so that times are not to be trusted."""

    @property
    def in_flight(self) -> list[Any]:
        """The names of the tasks under way."""

    def submit(self, name: Any, task: Mapping[str, Any], time_limit: float, memory_limit: float) -> None:
        """Start a task.

        Parameters
        ----------
        name : object
            Comes back with the outcome.
        task : mapping
            What to do; its folder, threads and plugins are filled in by the executor.
        time_limit : float
            Wall seconds of the fit (of the whole task where there is none).
        memory_limit : float
            GiB of resident memory of the worker and all it started.
        """

    def wait(self) -> list[Outcome]:
        """Return the tasks that ended within a moment."""

    def close(self) -> None:
        """End all that is under way."""
