"""A run, and the submission of a method, made once; each test has a copy."""

import shutil
import sys

import pytest
import yaml
from submitted import ADDED, NAME, PLUGIN, SUITE, Place, run


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("original"))
    place.plugin.write_text(PLUGIN)
    suite = place.path / "tiny.yaml"
    suite.write_text(yaml.safe_dump(SUITE))
    run(suite, place.run.path)
    run(suite, place.apart.path, [place.plugin], settings=ADDED, only=[f"method={NAME}"])
    place.submit("submission")
    yield place
    sys.modules.pop(NAME, None)


@pytest.fixture
def place(original, tmp_path):
    """Return a copy of the run, the submission, the run apart and the plugin."""
    shutil.copytree(original.path, tmp_path, dirs_exist_ok=True)
    return Place(tmp_path)
