"""The checks of the specification reach what reports/checks.csv says that they reach."""

import os
from dataclasses import replace
from pathlib import Path

import checks as command
import pytest
from checks import COMMAND
from published_checks import all_checks
from published_checks.snapshot import Row, changed, computed, unexplained

CHECKS = all_checks()
HELD = command.held()
LONG = {
    *("0.2", "0.7", "4", "7", "14", "16", "17", "21.3", "21.6", "22.1", "22.7", "23.3", "23.6", "exact 4"),
    *("N2.1", "N4", "N5.1", "N5.2", "N6", "N9", "N10", "colon", "footnote", "start"),
}
"""Sections that take seconds."""
LONGEST = {"30", "N2.2", "N8"}
"""Sections that take half of the time of all."""
TIMED = "linear"
"""The section that measures seconds: the command alone makes it anew, on an idle machine."""

NEEDS_COLON = pytest.mark.skipif(
    not Path(os.environ.get("SPCABENCH_DATA", ""), "colon").is_dir(), reason="SPCABENCH_DATA has no colon"
)

REMADE = f"remake the snapshot: {COMMAND}"


SECTIONS = {check.section: [] for check in CHECKS if check.section != TIMED}
"""The checks of each section, which share fits, and what the snapshot holds of them."""
for each, row in zip(CHECKS, HELD, strict=False):
    if each.section != TIMED:
        SECTIONS[each.section].append((each, row))


def marks(section):
    if section == "colon":
        return pytest.mark.nightly, NEEDS_COLON
    if section in LONGEST:
        return pytest.mark.weekly
    return pytest.mark.nightly if section in LONG else ()


def test_the_snapshot_lists_exactly_these_checks():
    now = [(c.section, c.method, c.what, c.source, str(c.expected), c.reason) for c in CHECKS]
    held = [(r.section, r.method, r.check, r.source, r.expected, r.reason) for r in HELD]
    assert held == now, REMADE


def test_no_two_checks_are_the_same():
    assert len({(row.name, row.expected) for row in HELD}) == len(HELD)


def test_a_miss_has_a_reason_and_a_match_has_none():
    assert not [fault for row in HELD if (fault := unexplained(row))]


@pytest.mark.parametrize("section", [pytest.param(section, marks=marks(section)) for section in SECTIONS])
def test_what_the_snapshot_says_is_true(section):
    faults = []
    for check, held in SECTIONS[section]:
        now = computed(check)
        if change := changed(held, now):
            faults.append(f"{change}; to accept it, state a reason or drop one, then {REMADE}")
        elif not check.expected.agrees(held.reached, check.reached):
            faults.append(f"{held.name}: held {held.reached}, now {now.reached}")
    assert not faults, "\n".join(faults)


# The snapshot itself

ROW = Row("0.6", "exact", "pitprops", "a paper", "1 ± 0.1", "1.00", "reached", "")
MISS = replace(ROW, reached="2.00", verdict="not reached")


def test_a_lost_match_and_a_new_one_are_described():
    assert changed(ROW, ROW) == changed(MISS, MISS) == ""
    assert changed(ROW, MISS).startswith("a match is lost: 0.6 exact: pitprops (a paper): expected 1 ± 0.1")
    assert changed(MISS, ROW).startswith("a match is new: ")


def test_a_miss_without_a_reason_and_a_reason_without_a_miss_are_described():
    assert unexplained(ROW) == unexplained(replace(MISS, reason="another start")) == ""
    assert unexplained(MISS).startswith("no reason for a miss")
    assert unexplained(replace(ROW, reason="another start")).startswith("a reason without a miss")


@pytest.mark.parametrize("now", [[MISS], [replace(ROW, reason="another start")]], ids=["a miss", "a reason"])
def test_the_command_writes_nothing_that_is_not_explained(now, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "all_checks", lambda: now)
    monkeypatch.setattr(command, "computed", lambda row: row)
    with pytest.raises(SystemExit, match="nothing is written"):
        command.main(tmp_path / "checks.csv")
    assert not list(tmp_path.iterdir())
