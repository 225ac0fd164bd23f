"""The claims of the speed benchmarks: what is lost fails, and reports/speed.md has the exceptions that are declared."""

import sys
import warnings
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "perf"))
from claims import CLAIMS, WORSE, Beside, Claim, Known
from clocks import one_quiet_thread  # noqa: F401  (a fixture)
from table import exceptions, headline

PAGE = (Path(__file__).parents[2] / "reports" / "speed.md").read_text(encoding="utf-8")

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
    with warnings.catch_warnings(record=True) as seen:  # with the filters of the benchmarks
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
    assert headline(BESIDE, [mark, mark]).endswith(f"\n- 2 {mark}")


def rows(claim):
    """Return the rows of a claim on the page as mappings; the mark is the cell without a name."""
    section = next(part for part in PAGE.split("\n## ") if part.lower().startswith(claim.text.lower() + "\n"))
    lines = [[cell.strip() for cell in line[1:-1].split("|")] for line in section.splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_the_page_has_the_marks_that_its_rows_have_and_counts_them(claim):
    marks = [row[""] for row in rows(claim)]
    if claim.beside:
        assert marks == [claim.mark(row, float(row[claim.number])) for row in rows(claim)]
    assert set(marks) <= {"holds", "does not hold"} or claim.beside
    assert f"\n\n{headline(claim, marks)}\n\n" in PAGE


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_the_page_has_the_exceptions_that_are_declared_and_no_other(claim):
    ratios = {claim.row.format(**row): float(row[claim.number]) for row in rows(claim)}
    lost = {claim.row.format(**row) for row in rows(claim) if row[""] == "does not hold"}
    assert lost <= claim.exceptions.keys()
    assert {name: ratios[name] for name in claim.exceptions} == {
        name: known.ratio for name, known in claim.exceptions.items()
    }
    assert exceptions(claim) in PAGE
