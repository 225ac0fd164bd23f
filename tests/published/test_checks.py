"""Every check of the specification: reports/checks.md lists them all, and what it says is true now."""

import re
from pathlib import Path

import checks as command
import pytest
from published_checks import all_checks

PAGE = Path(__file__).parents[2] / "reports" / "checks.md"
CHECKS = all_checks()


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows():
    head, _, *body = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    names = cells(head)
    return [dict(zip(names, cells(line), strict=True)) for line in body]


def name(check):
    return f"{check.section} {check.method}: {check.what}"


def test_the_page_lists_exactly_these_checks():
    stated = [(row["section"], row["method"], row["check"], row["source"], row["expected"]) for row in rows()]
    assert stated == [(check.section, check.method, check.what, check.source, str(check.expected)) for check in CHECKS]


PAIRS = list(zip(CHECKS, rows(), strict=False))


@pytest.mark.parametrize(("check", "row"), PAIRS, ids=[name(check) for check, _ in PAIRS])
def test_what_the_page_says_is_true(check, row):
    assert check.verdict == row["verdict"], check.reached
    assert check.expected.agrees(row["reached"], check.reached), (row["reached"], check.reached)
    assert row["reason"] == check.reason
    assert bool(check.reason) == (check.verdict == "not reached"), (
        "a reason is for what is not reached, and needed there"
    )


def test_the_page_counts_its_verdicts():
    verdicts = [row["verdict"] for row in rows()]
    missed = verdicts.count("not reached")
    summary = f"{len(verdicts)} checks: {len(verdicts) - missed} reached, {missed} not reached."
    assert summary in PAGE.read_text(encoding="utf-8")


def test_the_command_gives_the_page():
    few = CHECKS[:40]
    assert command.page(few).splitlines()[0] == PAGE.read_text(encoding="utf-8").splitlines()[0]
    assert all(
        cells(line)[1] == check.method for line, check in zip(command.page(few).splitlines()[-40:], few, strict=True)
    )
