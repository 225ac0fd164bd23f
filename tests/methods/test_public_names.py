"""The public names of the package: the stub lists the estimators, and the registry knows the same."""

from __future__ import annotations

import inspect
import subprocess
import sys

import spcabench_methods
from registry import registered


def test_the_estimators_listed_are_those_registered():
    assert spcabench_methods.__all__ == sorted({type(estimator).__name__ for estimator in registered().values()})


def test_an_estimator_is_where_the_stub_says():
    for name in spcabench_methods.__all__:
        estimator = getattr(spcabench_methods, name)
        assert inspect.isclass(estimator)
        assert estimator.__name__ == name
        assert estimator.__module__ == spcabench_methods._HOMES[name]


def test_nothing_else_is_public():
    code = "import spcabench_methods as m; print(dir(m) == m.__all__, [n for n in vars(m) if n[0] != '_'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "['annotations']"]
