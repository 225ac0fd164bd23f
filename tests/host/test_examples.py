"""The examples in docstrings, of the host and of the plugins that come with it."""

import doctest
from importlib import import_module

import pytest
from page_blocks import ROOT

FILES = [
    file.relative_to(ROOT / folder).with_suffix("")
    for folder, pattern in ((".", "spcabench/**/*.py"), ("plugins", "spcabench_*/**/*.py"))
    for file in sorted((ROOT / folder).glob(pattern))
    if "\n    >>> " in file.read_text(encoding="utf-8")
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("file", FILES, ids=str)
def test_examples_show_what_comes_of_them(file):
    found = doctest.testmod(import_module(".".join(file.parts).removesuffix(".__init__")))
    assert found.attempted > found.failed == 0
