"""The claims of the speed benchmarks: what is lost fails, and reports/speed.md has the exceptions that are declared."""

import re
import sys
import warnings
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "perf"))
from claims import CLAIMS, WORSE, Claim, Known
from clocks import one_quiet_thread  # noqa: F401  (a fixture)
from table import exceptions

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


def rows(claim):
    """Return the rows of a claim on the page: the name, the ratio as printed and the mark of each."""
    section = next(part for part in PAGE.split("\n## ") if part.lower().startswith(claim.text.lower() + "\n"))
    lines = [re.split(r"\s*\|\s*", line.strip("| \n") + " ") for line in section.splitlines() if line.startswith("|")]
    names = [name.strip() for name in lines[0]]
    for cells in lines[2:]:
        *values, mark = (cell.strip() for cell in cells)
        row = dict(zip(names, values, strict=False))
        yield claim.row.format(**row), row[claim.number], mark


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_the_page_has_the_exceptions_that_are_declared_and_no_other(claim):
    found = {name: (float(ratio), mark) for name, ratio, mark in rows(claim)}
    assert {mark for _, mark in found.values()} <= {"holds", "does not hold"}
    assert {name for name, (_, mark) in found.items() if mark == "does not hold"} <= claim.exceptions.keys()
    assert {name: found[name][0] for name in claim.exceptions} == {
        name: known.ratio for name, known in claim.exceptions.items()
    }
    assert exceptions(claim) in PAGE
