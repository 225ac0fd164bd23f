"""What all tests share: a thread a process, the command line, and which tests begin."""

from __future__ import annotations

import sys

import pytest
import scipy.linalg  # noqa: F401  a limit holds for the libraries that are loaded
from threadpoolctl import threadpool_limits

LONGEST = ("run", "published", "host")
"""Folders whose tests take longest, and wait for processes while others may compute."""


def pytest_collection_modifyitems(items):
    """Begin with the folders of the longest tests, so that no process of pytest-xdist waits for another at the end."""
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Limit BLAS to one thread, as the workers of a run do: each process of pytest-xdist has one core."""
    with threadpool_limits(1, user_api="blas"):
        yield


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(monkeypatch, capfd):
    """Run the command line in this process; return its exit code, stdout and stderr."""
    from spcabench import cli

    def run(*args):
        monkeypatch.setattr(sys, "argv", ["spcabench", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capfd.readouterr()
        return ended.value.code, out, err

    return run
