"""The files that CONTRIBUTING.md names are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.findall(
    r"`((?:spcabench|plugins|tests|reports|suites|\.ci)/[\w./]+)`",
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
)


@pytest.mark.parametrize("name", sorted(set(NAMED)))
def test_what_is_named_exists(name):
    assert list(ROOT.glob(re.sub("NAME|FAMILY", "*", name)))
