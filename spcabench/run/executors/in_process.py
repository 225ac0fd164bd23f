"""Do tasks in this very process: no isolation and no limits, for debugging and for the cheapest of fits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spcabench.plugins import import_file
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import Task
from spcabench.run.worker.clock import unheard
from spcabench.run.worker.task import Threads, perform
from spcabench.store.files import new_folder
from spcabench.suite.models import Limits


class InProcess:
    """An executor without workers.

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
