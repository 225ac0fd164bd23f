"""How the tests of the host call it: suites as data, the command line in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import yaml

from spcabench.suite.load import load_suite
from spcabench.wording import InputError

SOUND = {
    "name": "sound",
    "datasets": ["pitprops"],
    "methods": ["pca", "tpower"],
    "n_components": 2,
    "n_nonzero": [3],
    "metrics": ["cpev"],
    "report": {"figures": ["scaling"]},
}
"""With a figure that these data do not have: to draw takes longer than all else."""


@pytest.fixture(scope="session")
def registry(plugins_here):
    return plugins_here


@pytest.fixture(scope="session")
def sound():
    """Return a suite without fault, as data."""
    return SOUND


@pytest.fixture
def suite_file(place):
    """Write a suite, the sound one with changes or a text; return its file."""

    def write(text=None, **changes):
        file = place / "suite.yaml"
        file.write_text(text if text is not None else yaml.safe_dump({**SOUND, **changes}, sort_keys=False))
        return file

    return write


@pytest.fixture
def load(suite_file, registry):
    """Load the sound suite with changes, or a text."""

    def loaded(text=None, settings=(), **changes):
        return load_suite(str(suite_file(text, **changes)), registry, settings)

    return loaded


@pytest.fixture
def faults(load):
    """Load a suite that is at fault; return its faults as 'line: message', the file as the empty word."""

    def found(text=None, settings=(), **changes):
        with pytest.raises(InputError) as error:
            load(text, settings, **changes)
        places = [f.line if f.where.endswith("suite.yaml") else f.where for f in error.value.faults]
        return [f"{place}: {f.message}" for place, f in zip(places, error.value.faults, strict=True)]

    return found


@pytest.fixture
def process(place):
    """Run the command line, or Python with ``python=True``, as a process of its own."""

    def run(*args, python=False, **environment):
        program = [sys.executable] if python else [sys.executable, "-m", "spcabench"]
        return subprocess.run(
            [*program, *map(str, args)],
            capture_output=True,
            text=True,
            check=False,
            cwd=place,
            env={**os.environ, **environment},
            timeout=120,
        )

    return run


@pytest.fixture
def plugin_file(place, monkeypatch):
    """Write a single-file plugin; its name is free again afterwards, and its folder not searched."""
    written = []
    monkeypatch.setattr(sys, "path", sys.path[:])

    def write(name, text):
        file = place / f"{name}.py"
        file.write_text(text)
        written.append(name)
        return file

    yield write
    for name in written:
        sys.modules.pop(name, None)
