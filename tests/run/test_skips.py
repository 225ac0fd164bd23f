"""Each reason for which a cell is not fitted at all, and what is known of a draw."""

from dataclasses import replace

import pytest
from odd_suite import ODD
from tasks import draw_record

from spcabench.plugins import load_registry
from spcabench.run.cells import why_not
from spcabench.run.messages import Result
from spcabench.suite.load import load_suite

RECORD = draw_record(label="spiked [stand-in: toy]", stand_in="toy")
NEEDS, DRAWN = "needs_labels requires labels, which ", "spiked [stand-in: toy]"


@pytest.mark.parametrize(
    ("method", "changes", "draw", "status", "reason"),
    [
        ("axes", {}, RECORD, None, ""),
        ("axes", {"n_components": 8}, replace(RECORD, notes="no labels were read"), None, ""),
        ("axes", {"n_components": 9}, RECORD, "skipped", f"9 components are wanted of {DRAWN}, which has 8 features"),
        ("axes", {}, Result(status="error", reason="no data"), "error", "no data"),
        ("needs_labels", {}, None, "skipped", f"{NEEDS}spiked does not have"),
        ("needs_labels", {"skip": ""}, RECORD, "skipped", f"{NEEDS}{DRAWN} does not have"),
        ("needs_labels", {"skip": ""}, replace(RECORD, notes="none"), "skipped", f"{NEEDS}{DRAWN} does not have: none"),
    ],
)
def test_why_a_cell_is_not_fitted(method, changes, draw, status, reason, suite_file):
    cell = load_suite(str(suite_file(methods=[method])), load_registry([ODD])).plan.cells[0]
    failure = why_not(replace(cell, **changes), draw)
    assert (failure and failure.status) == status
    assert failure is None or failure.reason == reason
