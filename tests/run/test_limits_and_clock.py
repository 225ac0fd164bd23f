"""What a limit lets through and what not, what the clock counts, and what loadings are taken for."""

from pathlib import Path

import numpy as np
import pytest

PLUGIN = Path(__file__).parent / "measured_methods.py"


@pytest.fixture
def fitted(ran):
    """Fit with some parameters; return the record and the loadings."""

    def fit(**params):
        frame, folder, _ = ran({"isolation": False}, methods=[{"name": "measured", "params": params}], plugins=[PLUGIN])
        return folder.record(frame.key[0]), folder.loadings(frame.key[0])

    return fit


def test_the_limits_of_time_and_memory_are_those_of_the_suite(ran):
    cells = {(0.4, 0): "ok", (6.0, 0): "timeout", (1.0, 64): "ok", (1.0, 700): "out_of_memory"}
    methods = [
        {"name": "measured", "label": str(held), "params": dict(zip(("seconds", "mebibytes"), held, strict=True))}
        for held in cells
    ]
    frame, _, _ = ran(methods=methods, plugins=[PLUGIN], limits={"time": 4.0, "memory": 0.6})
    assert frame.set_index("method").status.to_dict() == {str(held): status for held, status in cells.items()}


def test_the_search_is_no_part_of_the_time_of_the_fit(fitted):
    record, _ = fitted(search_seconds=0.5)
    assert record.timing.fit_time[0] < 0.25
    assert record.timing.search_time[0] >= 0.5
    assert record.timing.n_fits == (7.0,)


def test_fit_and_search_together_can_be_ranked(ran):
    methods = [{"name": "measured", "params": {"search_seconds": 0.1}}]
    options = {"isolation": False}
    frame, folder, _ = ran(options, methods=methods, plugins=[PLUGIN], metrics=["total_time"], repeats=3)
    timing = folder.record(frame.key[0]).timing
    assert frame.total_time[0] == frame.fit_time[0] + timing.search_time[0] > 0.1
    assert frame.fit_time[0] in timing.fit_time


@pytest.mark.parametrize(
    ("norm", "status"), [(1.0, "ok"), (1.00005, "ok"), (0.0, "ok"), (1.001, "invalid"), (0.95, "invalid")]
)
def test_rows_are_unit_rows_but_for_rounding(fitted, norm, status):
    assert fitted(norm=norm)[0].status == status


def test_the_largest_entry_is_made_positive(fitted):
    record, loadings = fitted(norm=-1.0)
    assert record.status == "ok"
    np.testing.assert_array_equal(loadings["components"], np.eye(2, 8))
