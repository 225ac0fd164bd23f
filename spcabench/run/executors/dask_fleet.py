"""The Dask workers as their scheduler knows them, and how long a cell has been with one that does nothing.

A Dask worker that is stopped keeps its connection, so that its scheduler takes it for one that is at work.  Only time
tells: no cell comes from it, and the scheduler hears nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spcabench.run.executors.contract import Limits
from spcabench.run.executors.phases import budgets
from spcabench.run.messages import FitTask, ScoreTask

LOOK_EVERY = 2.0
"""Seconds between two looks at which Dask workers there are."""
MOST_BETWEEN = 10.0
"""Seconds that count between two looks at most: a host that was stopped itself learns nothing of others."""
SILENT = 30.0
"""Seconds after which a Dask worker that its scheduler has not heard of gets no more cells."""
GRACE = 600.0
"""Seconds that a Dask worker has for a cell beyond its limits: to start its server, and to fetch the data."""


@dataclass
class Sent:
    """A cell that was sent.

    Parameters
    ----------
    name : str
        The name of its task.
    task : FitTask or ScoreTask
        What is to be done.
    limits : Limits
        What it may use.
    since : float
        Since when it is with its holder, on the fleet's clock.
    holder : str
        The address of the Dask worker that has it; empty while none does.
    again : bool
        Whether it was with another before, which did not end it.
    """

    name: str
    task: FitTask | ScoreTask
    limits: Limits
    since: float
    holder: str = ""
    again: bool = False

    @property
    def seconds(self) -> float:
        """The seconds that a Dask worker has for it: its limits, and the grace."""
        return sum(budgets(self.task, self.limits).values()) + GRACE


class Fleet:
    """What a scheduler says of its Dask workers, and which of them did something.

    Parameters
    ----------
    client : distributed.Client
        Asks the scheduler.

    Attributes
    ----------
    now : float
        The seconds of its clock, which goes on from look to look.
    threads : mapping of str to int
        The threads of each Dask worker, by its address.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._holders: Mapping[str, str] = {}
        self._heard: dict[str, tuple[float, float]] = {}
        self._delivered: dict[str, float] = {}
        self._looked: float | None = None
        self.now = 0.0
        self.threads: Mapping[str, int] = {}

    @property
    def heard(self) -> list[str]:
        """The addresses of the Dask workers of which the scheduler has heard lately."""
        return [address for address in self.threads if self.now - self._heard[address][1] <= SILENT]

    def look(self) -> None:
        """Ask the scheduler, if it is time."""
        if self._looked is not None:
            passed = time.monotonic() - self._looked
            if passed < LOOK_EVERY:
                return
            self.now += min(passed, MOST_BETWEEN)
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        self.threads = {address: worker["nthreads"] for address, worker in workers.items()}
        self._heard = {address: self._last_heard(address, worker["last_seen"]) for address, worker in workers.items()}
        held = self._client.processing()
        self._holders = {key: address for address, keys in held.items() for key in keys}
        self._looked = time.monotonic()

    def _last_heard(self, address: str, seen: float) -> tuple[float, float]:
        """Return the time on the scheduler's clock at which it last heard of a worker, and that on ours."""
        before = self._heard.get(address)
        return before if before is not None and before[0] == seen else (seen, self.now)

    def delivered(self, address: str) -> None:
        """Note that a Dask worker has done something, and that something was done."""
        self._delivered[address] = self._delivered[""] = self.now

    def is_late(self, key: str, sent: Sent) -> bool:
        """Return whether whoever has a cell has had its time, and has done nothing else in that time.

        A cell may wait for others with its Dask worker, or for a Dask worker to be free; the time that counts is that
        in which none of these ends.  While there is no Dask worker, none counts.
        """
        holder = self._holders.get(key, "")
        if holder != sent.holder or not self.threads:
            sent.holder, sent.since = holder, self.now
        return self.now - max(sent.since, self._delivered.get(holder, 0.0)) > sent.seconds
