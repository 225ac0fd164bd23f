"""Each reason for which a cell is not fitted at all, and what is known of a draw."""

from __future__ import annotations

from dataclasses import replace

import pytest
from odd_suite import ODD

from spcabench.plugins import load_registry
from spcabench.run.cells import why_not
from spcabench.run.messages import Result
from spcabench.store.draw import DrawRecord
from spcabench.suite.load import load_suite

RECORD = DrawRecord(
    id="draw",
    fingerprint="f00d",
    facts=("samples",),
    n_samples=50,
    n_features=8,
    image_shape=None,
    feature_names=(),
    files=(),
    notes="",
    label="spiked [stand-in: toy]",
    stand_in="toy",
    stamp={},
)


@pytest.fixture
def cell(suite_file):
    """Return the cell of a method."""

    def of(method):
        return load_suite(str(suite_file(methods=[method])), load_registry([ODD])).plan.cells[0]

    return of


def test_a_cell_that_can_be_fitted_is_not_skipped(cell):
    assert why_not(cell("axes"), RECORD) is None
    assert why_not(replace(cell("axes"), n_components=8), RECORD) is None


def test_what_the_plan_knows_is_the_reason(cell):
    planned = cell("needs_labels")
    failure = why_not(planned, None)
    assert (failure.status, failure.reason) == ("skipped", "needs_labels requires labels, which spiked does not have")


def test_data_that_could_not_be_drawn_is_an_error(cell):
    failure = why_not(cell("axes"), Result(status="error", reason="data set spiked: ValueError: no"))
    assert (failure.status, failure.reason) == ("error", "data set spiked: ValueError: no")


def test_data_that_lacks_what_its_specification_promised_is_skipped(cell):
    failure = why_not(replace(cell("needs_labels"), skip=""), RECORD)
    reason = "needs_labels requires labels, which spiked [stand-in: toy] does not have"
    assert (failure.status, failure.reason) == ("skipped", reason)


def test_the_reason_ends_with_what_the_data_set_notes(cell):
    failure = why_not(replace(cell("needs_labels"), skip=""), replace(RECORD, notes="no labels were read"))
    assert failure.reason.endswith(", which spiked [stand-in: toy] does not have: no labels were read")
    assert why_not(cell("axes"), replace(RECORD, notes="no labels were read")) is None


def test_more_components_than_features_are_skipped(cell):
    failure = why_not(replace(cell("axes"), n_components=9), RECORD)
    assert (failure.status, failure.reason) == (
        "skipped",
        "9 components are wanted of spiked [stand-in: toy], which has 8 features",
    )
