"""The public names of the package: the stub lists the estimators, and the registry knows the same."""

from __future__ import annotations

import inspect
import subprocess
import sys

import spcabench_methods
from contract import registered

UNREGISTERED = {"GroupTPower", "MomentSPCA", "SparsePCASelector"}
"""The first is `TPower` where no groups are given; the others fit a method of others."""


def test_the_estimators_listed_are_those_registered():
    classes = [name for name in spcabench_methods.__all__ if inspect.isclass(getattr(spcabench_methods, name))]
    assert classes == sorted({*UNREGISTERED, *(configuration.kind for configuration in registered().values())})


def test_a_public_name_is_where_the_stub_says():
    for name in spcabench_methods.__all__:
        public = getattr(spcabench_methods, name)
        assert public.__name__ == name
        assert public.__module__ == spcabench_methods._HOMES[name]


def test_nothing_else_is_public():
    code = "import spcabench_methods as m; print(dir(m) == m.__all__, [n for n in vars(m) if n[0] != '_'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "['annotations']"]
