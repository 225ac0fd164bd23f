"""Every method declares what ends its iterations."""

from __future__ import annotations

import pytest

from spcabench.plugins import load_registry

METHODS = load_registry().methods.specs


@pytest.mark.parametrize("name", METHODS)
def test_a_method_declares_what_ends_its_iterations(name):
    spec = METHODS[name]
    assert spec.iterations == ("max_iter" if "max_iter" in spec.parameters else "")
    assert spec.tolerance == ("tol" if "tol" in spec.parameters else "")
