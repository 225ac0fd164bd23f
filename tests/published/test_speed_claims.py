"""The claims of the speed benchmarks: what is lost fails, and reports/speed.csv has the declared exceptions."""

import warnings

import pytest
import speed  # its import makes those of tests/perf possible
from claims import CLAIMS, WORSE, Beside, Claim, Known
from snapshots import read

HELD = read(speed.CSV)

FASTER = Claim("faster", 1.0, "higher", "{size}", {"small": Known(0.9, "small data")})
LINEAR = Claim("linear", 1.15, "lower", "{size}", {"small": Known(1.3, "small data")})


def test_a_ratio_as_claimed_passes_and_a_worse_one_fails():
    FASTER.conclude("large", 1.0)
    LINEAR.conclude("large", 1.15)
    with pytest.raises(AssertionError, match=r"lost: faster: large: the ratio is 0\.99"):
        FASTER.conclude("large", 0.99)
    with pytest.raises(AssertionError, match=r"lost: linear: large: the ratio is 1\.16"):
        LINEAR.conclude("large", 1.16)


@pytest.mark.parametrize(
    ("claim", "now", "worse"), [(FASTER, 0.8, 0.9 / WORSE - 0.01), (LINEAR, 1.4, 1.3 * WORSE + 0.01)]
)
def test_a_known_exception_is_expected_to_fail_but_not_to_get_worse(claim, now, worse):
    with pytest.raises(pytest.xfail.Exception, match="small data"):
        claim.conclude("small", now)
    with pytest.raises(AssertionError, match="worse than the known"):
        claim.conclude("small", worse)


def test_an_exception_that_holds_is_reported():
    with warnings.catch_warnings(record=True) as seen:
        FASTER.conclude("small", 1.1)
    assert [str(warning.message) for warning in seen] == ["a known exception holds now: faster: small: 1.10"]


BESIDE = Claim("beside", 1.0, "higher", "{size}", beside=Beside(("n", "their n"), ("cpev", "their cpev")))


@pytest.mark.parametrize(
    ("n", "cpev", "ratio", "mark"),
    [
        (8, 0.7, 2.0, "faster at equal count and no lower CPEV"),
        (8, 0.6, 2.0, "faster at equal count and lower CPEV"),
        (8, 0.8, 0.5, "slower at equal count and no lower CPEV"),
        (8, 0.6, 0.5, "slower at equal count and lower CPEV"),
        (8, 0.7, 1.0, "as fast at equal count and no lower CPEV"),
        (7, 0.8, 2.0, "not comparable: counts differ"),
    ],
)
def test_a_row_is_classed_by_what_it_measured(n, cpev, ratio, mark):
    row = {"n": n, "their n": 8, "cpev": cpev, "their cpev": 0.7}
    assert BESIDE.mark(row, ratio) == mark


NUMBER = {text.partition(": ")[2]: text.partition(": ")[0] for text in HELD.notes[1:]}
"""The number of each claim in the snapshot, by its text; claims that no benchmark holds any more are of its day."""


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_the_snapshot_has_the_marks_that_its_rows_have_and_the_declared_exceptions_alone(claim):
    rows = [row for row in HELD.rows if row["claim"] == NUMBER[claim.text]]
    ratios = {claim.row.format(**row): float(row[claim.number]) for row in rows}
    if claim.beside:
        assert [row["mark"] for row in rows] == [claim.mark(row, float(row[claim.number])) for row in rows]
    else:
        assert {row["mark"] for row in rows} <= {"holds", "does not hold"}
    lost = {claim.row.format(**row) for row in rows if row["mark"] == "does not hold"}
    assert lost <= claim.exceptions.keys()
    assert {name: ratios[name] for name in claim.exceptions} == {
        name: known.ratio for name, known in claim.exceptions.items()
    }
    assert {claim.row.format(**row): row["reason"] for row in rows if row["reason"]} == {
        name: known.reason for name, known in claim.exceptions.items()
    }


def test_rows_of_saved_benchmarks_have_their_marks_and_reasons():
    shown = {"size": "small", "ratio": 0.9, "": "does not hold"}
    saved = {"benchmarks": [{"extra_info": {"claim": "faster", "row": shown}}, {"extra_info": {}}]}
    row = {"claim": 3, "mark": "does not hold", "reason": "small data", "size": "small", "ratio": 0.9}
    assert list(speed.rows(3, FASTER, saved)) == [row]
