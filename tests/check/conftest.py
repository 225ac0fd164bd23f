"""The command line and plugin files, as the tests of the host have them."""

import sys

import pytest

from spcabench import cli


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(monkeypatch, capfd):
    """Run the command line in this process; return its exit code, stdout and stderr."""

    def run(*args):
        monkeypatch.setattr(sys, "argv", ["spcabench", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capfd.readouterr()
        return ended.value.code, out, err

    return run
