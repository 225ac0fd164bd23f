"""The fork server as a process of the host's: what is sent to it and heard from it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from select import select

from spcabench.run.messages import Ended, Fork, Kill, Started, packed, unpacked

PROGRAM = "spcabench.run.worker.fork_server"


class ServerLost(Exception):
    """The server ended."""


class Server:
    """A fork server.

    Parameters
    ----------
    threads : int
        BLAS threads of each worker.
    imported : sequence of str
        Modules and files that it is to import.
    environment : mapping of str to str
        Of the server and its workers.
    """

    def __init__(self, threads: int, imported: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", PROGRAM, str(threads), *imported],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._unread = b""

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def ask(self, request: Fork | Kill) -> None:
        """Send a request; that the server is gone, `events` says."""
        with contextlib.suppress(BrokenPipeError):
            self._input.write(packed(request))
            self._input.flush()

    def events(self, timeout: float) -> list[Started | Ended]:
        """Return what it says within `timeout` seconds.

        Raises
        ------
        ServerLost
            If it is gone.
        """
        if not select([self._output], [], [], timeout)[0]:
            return []
        received = os.read(self._output.fileno(), 1 << 16)
        if not received:
            raise ServerLost
        *lines, self._unread = (self._unread + received).split(b"\n")
        return [unpacked(line) for line in lines]

    def close(self, wait: float) -> None:
        """End it, with all that it and its workers started; it has `wait` seconds to do so itself."""
        try:
            self._input.close()
            self._process.wait(timeout=wait)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._output.close()
