"""The claims of the speed benchmarks: what is lost fails, and reports/speed.csv has what they say."""

from types import SimpleNamespace

import pytest
import speed  # its import makes those of tests/perf possible
from claims import CLAIMS, Beside, Claim, conclude
from snapshots import read

HELD = read(speed.CSV)

FASTER = Claim("faster", 1.0, "higher", "{size}")
LINEAR = Claim("linear", 1.15, "lower", "{size}")


@pytest.mark.parametrize(("claim", "good", "bad"), [(FASTER, 1.0, 0.99), (LINEAR, 1.15, 1.16)])
def test_a_ratio_as_claimed_passes_and_a_worse_one_fails(claim, good, bad):
    kept = SimpleNamespace(extra_info={})
    conclude(kept, claim, good, size="large")
    assert kept.extra_info["row"] == {"size": "large", "ratio": good, "": "holds"}
    with pytest.raises(
        AssertionError, match=rf"lost: {claim.text}: large: the ratio is {bad}, the bound {claim.bound}"
    ):
        conclude(kept, claim, bad, size="large")
    assert kept.extra_info["row"][""] == "does not hold"


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
def test_the_snapshot_has_the_marks_that_its_rows_have(claim):
    rows = [row for row in HELD.rows if row["claim"] == NUMBER[claim.text]]
    assert rows
    assert [row["mark"] for row in rows] == [claim.mark(row, float(row[claim.number])) for row in rows]
    assert {row["mark"] for row in rows} & {"does not hold"} == set()


def test_rows_of_saved_benchmarks_have_their_marks():
    shown = {"size": "small", "ratio": 0.9, "": "does not hold"}
    saved = {"benchmarks": [{"extra_info": {"claim": "faster", "row": shown}}, {"extra_info": {}}]}
    assert list(speed.rows(3, FASTER, saved)) == [{"claim": 3, "mark": "does not hold", "size": "small", "ratio": 0.9}]
