"""reports/published.csv has the published numbers of the suites with their verdicts; the README agrees."""

import re
from pathlib import Path

import pytest
from published import NUMBERS
from snapshots import read

from spcabench.analysis.verdicts import VERDICTS
from spcabench.plugins import load_registry
from spcabench.report.published import CAN_FAIL, COMPUTED
from spcabench.suite.load import load_suite

ROOT = Path(__file__).parents[2]
ROWS = read(NUMBERS).rows
SUITES = sorted(file.stem for file in (ROOT / "suites").glob("*.yaml"))


@pytest.mark.parametrize("suite", SUITES)
def test_each_number_of_a_suite_is_there_and_a_miss_has_its_reason(suite):
    blocks = load_suite(suite, load_registry()).suite.published
    found = [row for row in ROWS if row["suite"] == suite]
    assert {row["table"] for row in found} == {str(place) for place in range(1, len(blocks) + 1)}
    for place, block in enumerate(blocks, 1):
        here = {}
        for row in found:
            if row["table"] == str(place):
                here.setdefault((row["method"], row["metric"]), []).append(row)
        for entry in block.rows:
            name = entry.method + (f" minus {entry.minus}" if entry.minus else "")
            for metric, number in entry.metrics.items():
                shown = [
                    row for row in here[name, metric] if float(row["published"]) == pytest.approx(number, rel=1e-3)
                ]
                assert shown, f"{name}, {metric}: {number}"
                reasons = {row["reason"] for row in shown if row["reason"]}
                assert reasons <= {" ".join(other.reason.split()) for other in block.rows}


def test_each_verdict_is_known_and_a_miss_alone_has_a_reason():
    assert {row["verdict"] for row in ROWS} <= {*VERDICTS, ""}
    assert all(bool(row["verdict"]) == (row["kind"] in CAN_FAIL) for row in ROWS)
    assert all(COMPUTED.search(row["reason"]) for row in ROWS if row["verdict"] == "explained")
    assert [row for row in ROWS if row["reason"] and row["verdict"] == "reproduced"] == []


def test_the_readme_shows_numbers_of_the_snapshot():
    errors = [row for row in ROWS if row["suite"] == "mnist_outlier" and row["metric"] == "err@100"]
    known = sorted(tuple(float(row[name]) for name in ("published", "measured", "sd")) for row in errors)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\|.*\| ([\d.]+) \| ([\d.]+) ± ([\d.]+) \|$", readme, re.MULTILINE)
    for shown, exact in zip(sorted(tuple(map(float, cells)) for cells in table), known, strict=True):
        assert shown == pytest.approx(exact, abs=0.051)
