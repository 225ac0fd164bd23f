"""Verdicts and the table, from numbers made up."""

import math

import pytest

from spcabench.perf import bench
from spcabench.perf.rows import Row, rows_of, table
from spcabench.perf.sides import Side

MOST = 0.05


def fit(instructions=1000, cpev=0.5, nonzeros=4, **others):
    kept = {"better": "higher", "cpev": cpev, "nonzeros": nonzeros, "iterations": 3, "instructions": instructions}
    return kept | others


@pytest.mark.parametrize(
    ("head", "verdict"),
    [
        (fit(), "as before"),
        (fit(1049), "as before"),
        (fit(1051), "worse: instructions"),
        (fit(900), "faster"),
        (fit(800, cpev=0.49), "worse: cpev is 0.49 and was 0.5"),
        (fit(cpev=0.51), "as before"),
        (fit(objective=1.0), "worse: objective is 1 and was 2"),
        ("ValueError: no", "worse: no longer fits (head: ValueError: no)"),
    ],
)
def test_verdicts(head, verdict):
    row = Row("a", fit(objective=2.0), {"objective": 2.0, **head} if isinstance(head, dict) else head)
    assert row.cells(MOST)[-1].startswith(verdict)
    assert bool(row.alarms(MOST)) == verdict.startswith("worse")


@pytest.mark.parametrize(
    ("head", "verdict", "worse"),
    [(fit(), "new", []), ("ImportError: none", "worse: fits on neither side", ["fits on neither side"])],
)
def test_what_base_cannot_fit_is_new_or_an_alarm(head, verdict, worse):
    row = Row("a", "AttributeError: none", head)
    assert row.cells(MOST)[-1].startswith(f"{verdict} (base: AttributeError: none")
    assert row.alarms(MOST) == worse


def test_a_file_that_fails_on_one_side_is_the_reason_of_its_benchmarks():
    good, broken = {"f.py::a": fit(), "g.py::b": fit()}, {"f.py": "ImportError: none"}
    one, other = Side(good, {}, True, ""), Side({"g.py::b": fit()}, broken, True, "")
    assert rows_of(one, other) == [Row("g.py::b", fit(), fit()), Row("f.py::a", fit(), "ImportError: none")]
    assert rows_of(other, one) == [Row("f.py::a", "ImportError: none", fit()), Row("g.py::b", fit(), fit())]
    assert rows_of(other, other)[1] == Row("f.py", "ImportError: none", "ImportError: none")


def test_a_benchmark_of_an_older_commit_that_keeps_less_is_new():
    rows = rows_of(Side({"a": {"better": "higher", "cpev": 0.5}}, {}, True, ""), Side({"a": fit()}, {}, True, ""))
    assert "none of 1 benchmarks is worse" in table(rows, MOST)
    assert rows[0].cells(MOST)[-1] == "new (base: keeps no instructions, nonzeros, iterations)"


def test_the_table_has_ratios_and_what_changed():
    text = table([Row("a", fit(), fit(1100, nonzeros=5))], MOST)
    for words in ("1,100", "+10.00 %", "0.500000", "4 -> 5"):
        assert words in text
    assert text.endswith("1 of 1 benchmarks are worse: a")
    assert table([Row("a", fit(), fit())], MOST).endswith("none of 1 benchmarks is worse")


@pytest.mark.parametrize(("patience", "left"), [(60.0, [9.0]), (0.0, [1.5, 1.1, 9.0])])
def test_a_round_waits_for_a_core_of_its_own(patience, left, monkeypatch):
    times = iter([2.0, 1.5, 1.1, 9.0])
    monkeypatch.setattr(bench, "_probe", lambda: next(times))
    monkeypatch.setattr(bench, "PATIENCE", patience)
    monkeypatch.setattr(bench.OwnCore, "alone", 1.0)
    bench.OwnCore().wait()
    assert list(times) == left


def test_one_fast_moment_does_not_count_as_a_core_of_ones_own(monkeypatch):
    times = iter([0.5, *[1.0] * 99])
    monkeypatch.setattr(bench, "_probe", lambda: next(times, 1.0))
    monkeypatch.setattr(bench, "FIRST", 0.1)
    monkeypatch.setattr(bench.OwnCore, "alone", math.inf)
    bench.OwnCore().wait()
    assert bench.OwnCore.alone == 1.0
