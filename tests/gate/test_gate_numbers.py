"""Intervals, verdicts, steps, the saved history and its page, from numbers made up."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from spcabench.perf.history import Point, points, save
from spcabench.perf.measured import Case, Compared, Interval, Limits, Measured, Quality
from spcabench.perf.page import page
from spcabench.perf.steps import steps
from spcabench.perf.table import summary, table
from spcabench.wording import InputError

CASE = Case("some, 3 x 2", "family", "some", "3 x 2", True)
LIMITS = Limits()
COMMIT = {"id": "0123456789abcdef", "time": "2020-01-02T00:00:00+00:00", "dirty": False}


def side(instructions=1000.0, seconds=(1.0, 1.0), variance=0.5, nonzeros=4):
    return Measured(Quality(variance, nonzeros, 3), tuple(seconds), instructions)


def test_the_interval_of_few_ratios_is_their_range():
    assert Interval.of([1.2, 1.0, 1.1]) == Interval(1.1, 1.0, 1.2)


def test_the_interval_covers_the_median_as_often_as_it_says():
    rng = np.random.default_rng(0)
    found = [Interval.of(np.exp(rng.standard_normal(24))) for _ in range(2000)]
    assert 0.985 < np.mean([one.low <= 1.0 <= one.high for one in found]) < 1.0


@pytest.mark.parametrize(
    ("head", "verdict"),
    [
        (side(), "as before"),
        (side(instructions=1049.0), "as before"),
        (side(instructions=1051.0), "worse: instructions"),
        (side(instructions=900.0), "faster"),
        (side(seconds=(1.2, 1.3)), "worse: time"),
        (side(seconds=(1.0, 1.3)), "as before"),
        (side(instructions=None, seconds=(0.5, 0.6)), "faster"),
        (side(instructions=800.0, variance=0.49), "worse: variance"),
        (side(variance=0.51), "as before"),
        ("ValueError: no", "worse: no longer fits"),
    ],
)
def test_verdicts(head, verdict):
    row = Compared(CASE, side(), head)
    assert row.verdict(LIMITS) == verdict
    assert bool(row.alarms(LIMITS)) == verdict.startswith("worse")
    assert verdict in table([row], LIMITS)


def test_a_new_solver_is_no_alarm():
    row = Compared(CASE, "AttributeError: none", side())
    assert (row.verdict(LIMITS), row.alarms(LIMITS)) == ("new", [])
    assert summary([row], LIMITS) == "none of 1 cases is worse"


def test_the_table_has_ratios_and_what_changed():
    row = Compared(CASE, side(), side(instructions=1100.0, seconds=(1.0, 1.1), nonzeros=5))
    text = table([row], LIMITS)
    for words in ("+10.00 %", "1.050 [1.000, 1.100]", "0.500000", "4 -> 5"):
        assert words in text
    assert summary([row], LIMITS) == "1 of 1 cases are worse: some, 3 x 2"


def test_steps_are_found_where_the_level_changes():
    rng = np.random.default_rng(0)
    levels = np.repeat([1.0, 1.3, 0.9], 12) * np.exp(0.02 * rng.standard_normal(36))
    found = steps(levels, 0.05)
    assert [step.index for step in found] == [12, 24]
    np.testing.assert_allclose([step.ratio for step in found], [1.3, 0.9 / 1.3], rtol=0.03)


def test_the_newest_point_is_a_step_at_once():
    assert [step.index for step in steps([1.0, 1.0001, 0.9999, 1.0, 1.1], 0.01)] == [4]


def test_noise_has_no_steps():
    rng = np.random.default_rng(0)
    assert sum(len(steps(np.exp(0.05 * rng.standard_normal(20)), 0.01)) for _ in range(50)) <= 2


def test_the_history_is_kept_as_pytest_benchmark_does(tmp_path):
    pytest.importorskip("pytest_benchmark")
    rows = [Compared(CASE, side(), side(seconds=(1.0, 2.0))), Compared(CASE, side(), "ValueError: no")]
    file = save(rows, "callgrind", COMMIT, tmp_path)
    assert (file.name[:18], save(rows, "callgrind", COMMIT, tmp_path).name[:5]) == ("0001_0123456789ab_", "0002_")
    (kept,) = json.loads(file.read_text())["benchmarks"]
    assert (kept["group"], kept["stats"]["min"], kept["stats"]["rounds"]) == ("family, 3 x 2", 1.0, 2)
    read = points([file])
    assert {point.measure: point.value for point in read} == {"seconds": 1.0, "instructions": 1000.0}
    assert "numpy" in read[0].machine


def test_another_file_is_named(tmp_path):
    (tmp_path / "other.json").write_text('{"a": 1}')
    with pytest.raises(InputError, match=r"other\.json: not a file of pytest-benchmark"):
        points([tmp_path / "other.json"])


def test_the_page_draws_each_series_and_lists_its_steps():
    values = [1.0, 1.0, 1.0, 1.2, 1.2]
    history = [
        Point("a <b>", "g", "instructions", "cpu", f"2020-01-0{i + 1}", f"c{i}" * 6, value, 0.5)
        for i, value in enumerate(values)
    ]
    noise = [replace(point, name="steady", value=1 + 0.001 * i) for i, point in enumerate(history)]
    text = page([*history, *noise])
    assert text.count("<svg") == 2, "pictures that wrap on a narrow screen"
    assert "width=device-width" in text
    assert "a &lt;b&gt;" in text
    assert "<td>c3c3c3c3c3c3</td>" in text
    assert "<td>+20.0 %</td>" in text
    assert ">c3c3c3c3 +20.0 %</text>" in text, "above the picture, not across its line"
    ticks = [float(tick) for tick in re.findall(r">([\d.]+)</text>", text.split("<svg")[2])]
    assert max(ticks) - min(ticks) > 0.04, "noise looks small"
    assert "from 2020-01-01 to 2020-01-05" in text
    assert "No step was detected." in page(history[:3])
