"""A method with one fault: `check` finds the one promise that it breaks, and its cell of a run has the cause."""

import pytest
from faults import said_of  # the program of tools/ that prints the table of these faults
from faulty_plugin import FAULTS


@pytest.mark.weekly
@pytest.mark.parametrize("name", FAULTS)
def test_one_fault_has_one_cause(name):
    fault, said = FAULTS[name], said_of(name)
    assert said.broken == ([fault.promise] if fault.promise else [])
    assert fault.said in said.check
    assert said.status == fault.status
    assert fault.reason in said.run
    assert said.run or fault.status == "ok"
