"""The fork server as seen by its host: one that does not answer is lost, and nothing of it stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import psutil
import pytest

from spcabench.run.executors import group, server
from spcabench.run.executors.group import Group
from spcabench.run.executors.server import Server, ServerLost
from spcabench.run.messages import Ping
from spcabench.run.worker.warned import MOST, listening

DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
    time.sleep(600)
time.sleep(600)
"""


@pytest.fixture
def started(monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 1.0)
    monkeypatch.setattr(server, "PING_EVERY", 0.1)
    one = Server([], os.environ)
    while one._patience != server.PATIENCE:  # until it has said its first word
        one.events(0.1)
    yield one
    one.close(wait=0.0)


def until_lost(started):
    begun = time.monotonic()
    while time.monotonic() < begun + 20.0:
        started.events(0.1)


def test_a_server_that_is_stopped_is_lost_and_never_waited_for(started):
    os.kill(started.pid, signal.SIGSTOP)
    for _ in range(5000):  # more than a pipe holds
        started.ask(Ping())
    with pytest.raises(ServerLost, match="did not answer for 1 s"):
        until_lost(started)
    started.close(wait=0.1)
    assert not psutil.pid_exists(started.pid)


def test_a_server_that_ended_is_lost(started):
    os.kill(started.pid, signal.SIGKILL)
    with pytest.raises(ServerLost, match="ended"):
        until_lost(started)


def test_what_is_no_event_loses_the_server(started):
    ours = os.readlink(f"/proc/self/fd/{started._output.fileno()}")
    (theirs,) = (file for file in Path(f"/proc/{started.pid}/fd").iterdir() if os.readlink(file) == ours)
    theirs.write_bytes(b"[1]\n")
    with pytest.raises(ServerLost, match="was disturbed"):
        until_lost(started)


@pytest.mark.skipif(group._own() is None, reason="no cgroup can be made here")
def test_a_cgroup_ends_what_is_in_it_and_is_gone():
    process = subprocess.Popen([sys.executable, "-c", "input()\n" + DAEMON], stdin=-1, stdout=-1, text=True)
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = [group._own() / f"{group.PREFIX}{pid}" for pid in (process.pid, ended.pid)]
    for folder in left:
        folder.mkdir()
    made = Group.of(process.pid)
    assert [folder.exists() for folder in left] == [True, False], "a killed host leaves its cgroup to the next"
    process.stdin.write("\n")
    process.stdin.flush()
    daemon = int(process.stdout.readline())
    made.end()
    process.wait(10)
    assert not made.folder.exists()
    assert not psutil.pid_exists(daemon) or psutil.Process(daemon).status() == psutil.STATUS_ZOMBIE
    process.stdin.close()
    process.stdout.close()


def test_warnings_are_counted_and_the_first_kept():
    with listening() as warned:
        for number in range(1000):
            warnings.warn(f"number {number}", RuntimeWarning, stacklevel=1)
            warnings.warn("always the same", RuntimeWarning, stacklevel=1)
    assert len(warned.texts) == MOST + 1
    assert warned.texts[-1] == f"{1000 - MOST + 1} more warnings"
    assert "RuntimeWarning: always the same" in warned.texts
    assert not warned.unconverged
