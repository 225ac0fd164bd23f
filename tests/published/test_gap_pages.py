"""reports/gaps.md and reports/newer.md: each method has its row, and the optima are those that are proved."""

import re

import pytest
from gaps import PAGE
from newer import BESIDE, NEWER, PUBLISHED
from newer import PAGE as TIMES
from published_checks.optima import OPTIMA, proved

from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite


def rows(text):
    """Return the rows of a Markdown table by their first cell."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    return {first: rest for first, *rest in cells}


@pytest.mark.parametrize("data", OPTIMA)
def test_each_method_has_its_gaps_to_the_proved_optima(data):
    (part,) = (part for part in PAGE.read_text(encoding="utf-8").split("\n## ") if part.startswith(f"{data}\n"))
    shown = rows(part)
    assert shown["optimum"][:13] == [f"{proved(data, k).objective_[0]:.5g}" for k in range(1, 14)]
    assert shown["exact"] == ["0"] * 13 + ["13", "13"]
    plan = load_suite("proven_gaps", load_registry()).plan
    methods = {cell.method.label for cell in plan.cells if cell.method.spec.knob.kind != "none"}
    assert methods <= shown.keys()
    for name in methods:
        *entries, found, _ = shown[name]
        assert int(found) == sum(entry == "0" for entry in entries)
        assert all(re.fullmatch(r"-|\(?\d+(\.\d\d)?\)?", entry) for entry in entries)


def test_proven_gaps_has_the_methods_of_the_leaderboard():
    names = (
        {entry.name for entry in load_suite(name, load_registry()).suite.methods}
        for name in ("proven_gaps", "leaderboard")
    )
    assert len(set(map(frozenset, names))) == 1


def test_each_newer_method_has_its_time():
    shown = rows(TIMES.read_text(encoding="utf-8"))
    assert {BESIDE, PUBLISHED, *NEWER} <= shown.keys()
    assert shown[BESIDE][1] == "1.00"
