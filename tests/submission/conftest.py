"""A run, and the submission of a method, made once; each test has a copy."""

import shutil
import sys

import pytest
from submitted import NAME, SUITE, Place, made


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    yield made(tmp_path_factory.mktemp("original"), SUITE)
    sys.modules.pop(NAME, None)


@pytest.fixture
def place(original, tmp_path):
    """Return a copy of the run, the submission, the run apart and the plugin."""
    shutil.copytree(original.path, tmp_path, dirs_exist_ok=True)
    return Place(tmp_path)
