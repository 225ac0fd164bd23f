"""Connect to the Dask cluster that the user named."""

from __future__ import annotations

import logging
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spcabench import wording
from spcabench.wording import Fault, InputError

PATIENCE = 10.0
"""Seconds that the scheduler may take to answer when it is first called."""
ANSWER = 60.0
"""Seconds that it may take later, while it has work to do."""
_ADDRESS = re.compile(r"([a-z]+://)?[^\s/]+:\d+")


def connect(where: str) -> tuple[Any, Any]:
    """Return the cluster, if the user's file made it, and a client.

    Raises
    ------
    InputError
        If Dask is not installed, no scheduler answers, or the file defines no cluster.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(f"--cluster takes Dask: pip install 'spcabench[dask]' ({error})") from error
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report what goes wrong, once
    cluster = _from_file(where)
    if cluster is None and not _ADDRESS.fullmatch(where):
        valid = "tcp://HOST:PORT of a scheduler, or FILE.py, which defines a cluster"
        raise InputError(Fault(f"no address; valid is {valid}", f"--cluster {where}"))

    class Patient(Client):
        """A client that does not wait for ever for an answer, and leaves nothing open if there is none."""

        def start(self, **options: Any) -> None:
            try:
                super().start(callback_timeout=PATIENCE + 1, **options)  # type: ignore[no-untyped-call]
            except BaseException:
                self.close()  # type: ignore[no-untyped-call]
                raise

        def sync(self, func: Any, *args: Any, callback_timeout: float | None = None, **options: Any) -> Any:
            limit = callback_timeout or ANSWER
            return super().sync(func, *args, callback_timeout=limit, **options)  # type: ignore[no-untyped-call]

    try:
        return cluster, Patient(cluster or where, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:  # of any kind: what is there may not speak as Dask does
        raise InputError(Fault(f"no Dask scheduler answers: {wording.of_error(error)}", where)) from error


def _from_file(where: str) -> Any:
    """Run the user's file and return the cluster that it defines; None if an address is meant."""
    if not where.endswith(".py"):
        return None
    if not Path(where).is_file():
        raise InputError(Fault("no such file", where))
    try:
        defined = runpy.run_path(where)
    except Exception as error:
        raise InputError(Fault(wording.of_error(error), where)) from error
    if "cluster" not in defined:
        raise InputError(Fault("defines no 'cluster'", where))
    return defined["cluster"]


def carrier() -> Callable[..., Any]:
    """Return a function that travels by value, being local, so that a scheduler without this package can pass it on."""

    def carry(what: str, order: bytes) -> Any:
        import pickle

        from spcabench.run.executors import dask_worker

        return getattr(dask_worker, what)(*pickle.loads(order))

    return carry
