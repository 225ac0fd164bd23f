"""The fork server as a process of the host's: what is sent to it and heard from it, and whether it answers."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from select import select

from spcabench.run.executors.group import Group
from spcabench.run.messages import EVENTS, REQUESTS, Ended, Entered, Fork, Kill, Ping, Pong, Started

PROGRAM = "spcabench.run.worker.fork_server"
PING_EVERY = 2.0
"""Seconds between two questions whether it is there."""
PATIENCE = 30.0
"""Seconds after which a server that says nothing is ended and replaced."""
START = 900.0
"""Seconds that it may take to start, with all that it imports and compiles."""


class ServerLost(Exception):
    """The server ended, or does not answer; the message says which."""


class Server:
    """A fork server.

    Parameters
    ----------
    imported : sequence of str
        Modules and files that it is to import.
    environment : mapping of str to str
        Of the server and its workers.
    """

    def __init__(self, imported: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", PROGRAM, *imported],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)  # one that is stopped reads nothing, and we would wait for it
        self._group = Group.of(self._process.pid)
        self._unsent = self._unread = b""
        self._heard = self._asked = time.monotonic()
        self._patience = START

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def ask(self, request: Fork | Kill | Ping) -> None:
        """Send a request, as far as there is room for it now; the rest goes when there is."""
        self._unsent += REQUESTS.dumps(request) + b"\n"
        self._send()

    def _send(self) -> None:
        with contextlib.suppress(BlockingIOError, BrokenPipeError):  # that it is gone, `events` sees
            while self._unsent:
                sent = os.write(self._input.fileno(), self._unsent)
                self._unsent = self._unsent[sent:]

    def events(self, timeout: float) -> list[Started | Entered | Ended]:
        """Return what it says within `timeout` seconds.

        Raises
        ------
        ServerLost
            If it is gone, says what is no event, or has said nothing for long.
        """
        self._send()
        now = time.monotonic()
        if now - self._asked > PING_EVERY:
            self._asked = now
            self.ask(Ping())
        ready, _, _ = select([self._output], [], [], timeout)
        if not ready:
            if time.monotonic() - self._heard > self._patience:
                raise ServerLost(f"did not answer for {self._patience:g} s")
            return []
        received = os.read(self._output.fileno(), 1 << 16)
        if not received:
            raise ServerLost("ended")
        *lines, self._unread = (self._unread + received).split(b"\n")
        try:
            events = [EVENTS.loads(line) for line in lines]
        except ValueError:
            raise ServerLost("was disturbed") from None
        self._heard, self._patience = time.monotonic(), PATIENCE
        return [event for event in events if not isinstance(event, Pong)]

    def close(self, wait: float) -> None:
        """End it, with all that it and its workers started; it has `wait` seconds to do so itself."""
        try:
            self._input.close()
            self._process.wait(timeout=wait)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._output.close()
        if self._group is not None:
            self._group.end()
