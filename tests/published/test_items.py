"""suites/items.csv lists what the three papers say; each item has a verdict and what holds it."""

import pytest
from items import CHECK, LIST, REASON, RUN, remade, together
from snapshots import read

from spcabench.analysis.verdicts import VERDICTS

ITEMS = read(LIST).rows


def test_the_list_is_what_today_s_snapshots_say():
    """An item whose suite, claim, table, check or computation is gone raises a `LookupError` here."""
    assert remade(ITEMS) == list(ITEMS), "remake the list: python tools/items.py"


def test_no_item_is_partial_or_there_twice_and_what_is_not_so_says_what_was_tried():
    assert {item["verdict"] for item in ITEMS} == set(VERDICTS)
    assert all(item["paper"] and item["place"] and item["item"] for item in ITEMS)
    assert len({(item["paper"], item["place"], item["item"], item["held_by"]) for item in ITEMS}) == len(ITEMS)
    assert [item for item in ITEMS if item["verdict"] in ("explained", "open") and not item["tried"]] == []


@pytest.mark.parametrize(("paper", "number"), [("COP-PCA", 86), ("SPCArt", 99), ("RSPCA", 121)])
def test_each_paper_has_its_items(paper, number):
    """An item that is lost, or one that comes, changes a number here."""
    assert sum(item["paper"] == paper for item in ITEMS) == number


def test_six_in_seven_items_are_held_by_a_command_and_the_others_say_what_is_lost():
    beginnings = (RUN, CHECK, REASON)
    assert sum(item["held_by"].startswith(beginnings) for item in ITEMS) >= 0.85 * len(ITEMS)
    alone = [item for item in ITEMS if not item["held_by"]]
    assert len(alone) == 13
    assert {item["verdict"] for item in alone} == {"open"}
    assert all(item["tried"].startswith("lost: ") for item in alone)


def test_an_item_of_several_numbers_is_as_good_as_its_worst():
    assert together(["reproduced", "explained"]) == "explained"
    assert together(["open", "explained"]) == "open"
    assert together(["open", "refuted"]) == "refuted"
    assert together([]) == "open"
