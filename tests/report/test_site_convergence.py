"""How the fits of a method converged, on its page: from iterations, seconds and statuses, or from traces."""

import math

from boards import DATASETS, board_cell, board_run

from spcabench.report.parts import Note, Table
from spcabench.site import convergence
from spcabench.site.plots import Curves
from spcabench.traces import Trace


def ended(make, **changes):
    cells = [
        board_cell(make, method, 0.5, dataset, cpu_time=0.01 * (1 + place), **{"iterations": (3 + place, 9)} | changes)
        for place, dataset in enumerate(DATASETS)
        for method in ("dense", "low", "mid")
    ]
    return board_run(make, cells)


def of(results, kind, panel=("low",)):
    return [part for part in convergence.parts("mid", convergence.endings([results]), panel) if isinstance(part, kind)]


def test_fits_that_converge_are_counted_among_all_with_their_iterations_and_seconds(make):
    results = ended(make)
    mine = results.frame["method"] == "mid"
    results.frame.loc[mine & (results.frame["dataset"] == "b"), "status"] = "not_converged"
    lost = mine & (results.frame["dataset"] == "c")
    results.frame.loc[lost, ["status", "cpu_time"]] = ["timeout", math.nan]
    (table,) = of(results, Table)
    assert [[entry.value for entry in row.entries] for row in table.rows] == [
        ["a", 1, 0, 6.0, 9, 0.01],
        ["b", 0, 0, 6.5, 9, 0.02],
        ["c", 0, 1, None, None, table.rows[2].entries[5].value],
    ]
    (figure,) = of(results, Curves)
    assert {curve.method: round(3 * curve.points[-1][1]) for curve in figure.curves} == {"low": 3, "mid": 1}
    assert {curve.method for curve in figure.curves if curve.colour} == {"mid"}
    assert "kept no traces" in of(results, Note)[0].text


def test_traces_show_how_near_the_limit_a_method_is_and_when(make):
    trace = Trace(iterations=(1, 2, 3), cpu_time=(0.1, 0.2, 0.3), objective=(0.9, 0.9999, 1.0))
    _, near = of(ended(make, trace=trace), Curves)
    at = {curve.method: next(x for x, share in curve.points if share == 1.0) for curve in near.curves}
    assert at["within 0.001"] < at["within 1e-06"]
    assert of(ended(make, trace=trace), Note) == []


def test_a_method_without_iterations_says_so(make):
    (note,) = convergence.parts("mid", convergence.endings([ended(make, iterations=())]), ())
    assert "reports no iterations" in note.text
