"""Try promises in workers like those of a run: what hangs, crashes or prints costs its promise alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

from spcabench.check.subjects import Finding, Subject
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import CallTask
from spcabench.suite.models import Limits

LIMITS = Limits(time=12.0, memory=2.0)
"""What the trial of one promise may use."""
FIRST, PATIENCE = "shape", 20.0
"""The promise that fits first; those after it may take so many times as long, beyond the limit."""


def tried(subject: Subject, promise: str) -> dict[str, Any]:
    """Try a promise in this process, and return the finding as plain data."""
    return asdict(subject.tried(promise))


@contextmanager
def workers(files: Sequence[Path], subjects: Sequence[Subject]) -> Iterator[Callable[[Subject, str], Finding]]:
    """Start what tries the promises of subjects, each in a process of its own, and return it; it ends with the block.

    Parameters
    ----------
    files : sequence of Path
        Single-file plugins.
    subjects : sequence of Subject
        Their modules are imported once.
    """
    modules = dict.fromkeys([__name__, *(subject.spec.target.partition(":")[0] for subject in subjects)])
    with tempfile.TemporaryDirectory(prefix="spcabench-check-") as scratch:
        executor = LocalWorkers(Path(scratch), threads=1, preload=[*modules], plugins=files)

        slow: dict[str, float] = {}

        def find(subject: Subject, promise: str) -> Finding:
            task = CallTask(function=f"{__name__}:tried", params={"subject": subject, "promise": promise})
            seconds = ceil(LIMITS.time + PATIENCE * slow.get(subject.spec.name, 0.0))
            begin = monotonic()
            executor.submit(promise, task, LIMITS.model_copy(update={"time": seconds}))
            while not (outcomes := executor.wait()):
                pass
            (outcome,) = outcomes
            if promise == FIRST:
                slow[subject.spec.name] = monotonic() - begin
            output = outcome.output
            outcome.discard()
            if not outcome.result.finished:
                return Finding(promise, "broken", outcome.result.reason, output=output)
            return Finding(**outcome.result.value)

        try:
            yield find
        finally:
            executor.close()
