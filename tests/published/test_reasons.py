"""Reasons that name a computation: it exists, the page has it, and it computes what the page shows."""

import re

import pytest
import reasons as command
from checks import CSV
from published_reasons import all_reasons

ROOT = CSV.parents[1]
REASONS = all_reasons()
PAGE = command.PAGE.read_text(encoding="utf-8")


def cited():
    texts = [
        CSV.read_text(encoding="utf-8"),
        *(path.read_text(encoding="utf-8") for path in ROOT.glob("suites/*.yaml")),
    ]
    return {name for text in texts for name in re.findall(r"reasons\.py\s+(\w+)", text)}


def test_cited_reasons_exist():
    assert cited() <= REASONS.keys()


def test_the_page_has_each_reason_once():
    assert re.findall(r"^## (\w+)$", PAGE, re.MULTILINE) == list(REASONS)


def test_an_unknown_name_is_refused():
    with pytest.raises(SystemExit, match="no reason is named nothing; valid are cop_iterations, "):
        command.main(["nothing"])


SLOWEST = ("order_of_seconds",)
"""Reasons of a minute."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.weekly if name in SLOWEST else pytest.mark.nightly) for name in REASONS],
)
def test_a_reason_computes_what_the_page_shows(name):
    assert command.section(REASONS[name]) in PAGE, f"remake the page: {command.COMMAND}"
