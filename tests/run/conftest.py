import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from odd_suite import ODD, SUITE

from spcabench.plugins import load_registry
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store import frame
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite


@pytest.fixture
def suite_file(place):
    """Write a suite; give its file."""

    def write(**changes):
        file = place / "odd.yaml"
        file.write_text(yaml.safe_dump({**SUITE, **changes}))
        return file

    return write


@pytest.fixture
def ran(suite_file):
    """Run a suite in this process; give its frame, folder and events."""

    def go(options=None, settings=(), folder="out", plugins=(), **changes):
        files = [ODD, *plugins]
        registry = load_registry(files)
        loaded = load_suite(str(suite_file(**changes)), registry, settings)
        events = []
        output = RunFolder(Path(folder))
        chosen = Options(**{"plugins": files, **(options or {})})
        run(loaded.suite, loaded.plan, registry, output, chosen, events.append)
        return frame.results_frame(output, loaded.plan), output, events

    return go


@pytest.fixture
def here(ran):
    """Run a suite with its fits in this process, for what the host decides whoever fits: a server takes a second."""
    return lambda options=None, **suite: ran({"isolation": False, **(options or {})}, **suite)


@pytest.fixture
def verb(command):
    """Call a verb in this process, with the odd methods; return its exit code, stdout and stderr."""
    return lambda *words: command("--plugin", ODD, *words)


@pytest.fixture
def plugin(place):
    """Write a plugin: some code, and a hook that returns a specification; return its file."""

    def write(name, code, spec):
        file = place / f"{name}.py"
        hook = f"spcabench_{spec.partition('Spec')[0].lower()}s"
        file.write_text(f"from spcabench import *\n{code}\n@hookimpl\ndef {hook}():\n    return [{spec}]\n")
        return file

    return write


@pytest.fixture
def cli(place):
    """Start the real program."""

    def start(*words, **environment):
        return subprocess.Popen(
            [sys.executable, "-m", "spcabench", "--plugin", str(ODD), *map(str, words)],
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in the background
        )

    return start
