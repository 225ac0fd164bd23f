"""What the registration pages of the families name, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import pytest
import spcabench_methods
from contract import registered
from spcabench_methods import RSVD, SimpleThresholding

from spcabench.check.methods import constructor


@pytest.mark.parametrize("name", registered())
def test_pages_name_what_exists(name):
    spec, kind = registered()[name].spec, type(registered()[name].estimator)
    constructor(spec)
    assert kind(**spec.params).get_params().keys() == {*spec.parameters, *spec.params}
    assert spec.knob.kind == "none" or spec.knob.parameter in spec.parameters
    assert spec.title
    assert spec.reference


def test_pages_are_light():
    code = (
        "import sys, spcabench_methods, spcabench_methods.classic, spcabench_methods.power;"
        "print([m for m in ('sklearn', 'numba', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names():
    assert set(spcabench_methods.__all__) <= set(dir(spcabench_methods))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        spcabench_methods.Nothing  # noqa: B018


@pytest.mark.parametrize("method", [RSVD(n_nonzero=3, lam=0.1), SimpleThresholding(n_nonzero=3, threshold=0.1)])
def test_two_ways_to_set_sparsity(method):
    with pytest.raises(ValueError, match="both given"):
        method.fit([[1.0, 2.0, 0.0], [0.5, 1.0, 1.0]])
