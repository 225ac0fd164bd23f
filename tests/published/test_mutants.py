"""Each mutant has its place in the code, and its tests."""

import pytest
from mutants import mutants


@pytest.mark.nightly  # in the fast set it would notice every mutant
def test_what_mutants_break_is_there():
    found = mutants()
    assert len({mutant.name for mutant in found}) == len(found) >= 40
