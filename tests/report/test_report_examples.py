"""The examples in docstrings of the report and of the analysis."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import spcabench.analysis
import spcabench.report

PACKAGES = (spcabench.analysis, spcabench.report)
MODULES = [module.name for of in PACKAGES for module in walk_packages(of.__path__, f"{of.__name__}.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_show_what_comes_of_them(name):
    assert doctest.testmod(import_module(name)).failed == 0
