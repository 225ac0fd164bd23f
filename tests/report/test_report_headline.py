"""What a run comes to, in a sentence."""

import math
from types import SimpleNamespace

import pytest

from spcabench.analysis.intervals import Interval
from spcabench.analysis.paired import Difference
from spcabench.report.contents import document
from spcabench.report.eligibility import Track
from spcabench.report.groups import Spread
from spcabench.report.ranking import Lead, Win, leads, sentence, wins
from spcabench.report.render.markdown import markdown_page
from spcabench.store.frame import Level
from spcabench.suite.columns import Column


@pytest.fixture
def said(make):
    def say(values, **changes):
        cells = [
            make.cell(name, seed, n_nonzero=4, cpev=value, **changes)
            for name, draws in values.items()
            for seed, value in enumerate(draws)
        ]
        return sentence(leads(make(cells)))

    return say


def test_the_leader_and_its_margin(said):
    assert said({"a": [0.5, 0.52, 0.54], "b": [0.4, 0.43, 0.43], "c": [0.1, 0.1, 0.1]}) == (
        "a has the highest cpev of 3 methods on toy with 4 nonzeros: 0.5200; b is next, 0.1000 behind (95 % interval "
        "0.07516 to 0.1248, 3 draws)."
    )


def test_one_draw_has_no_interval(said):
    assert said({"a": [0.5], "b": [0.4]}) == (
        "a has the highest cpev of 2 methods on toy with 4 nonzeros: 0.5000; b is next, 0.1000 behind (1 draw, no "
        "interval)."
    )


def test_those_that_are_not_ruled_out_are_named(said):
    ties = {name: [0.5, 0.6] for name in "abcde"}
    assert said({"a": [0.5, 0.6], "b": [0.5, 0.6]}).endswith(": 0.5500; b is not ruled out as the best.")
    assert said(ties).endswith(": 0.5500; 4 others are not ruled out as the best.")


def test_a_run_without_rivals_says_nothing(said):
    assert said({"a": [0.5, 0.6]}) == ""


def test_several_comparisons_are_counted(make):
    cells = [
        make.cell(name, n_nonzero=k, cpev=value + k / 100)
        for k in (2, 3, 4)
        for name, value in zip("abcde", (0.5, 0.5, 0.5 if k == 2 else 0.1, 0.1, 0.5 if k == 3 else 0.1), strict=True)
    ]
    assert sentence(leads(make(cells))) == (
        "By cpev, a is best, or not ruled out as the best, in 3 of 3 comparisons at equal sparsity; b in 3, c in 1, 1 "
        "other method in at most 1."
    )


def test_the_page_opens_with_it(make):
    results = make([make.cell(name, n_nonzero=4, cpev=value) for name, value in (("a_1", 0.5), ("b", 0.4))])
    assert markdown_page(document(results)).splitlines()[2].startswith("**a_1 has the highest cpev of 2 methods")


def test_nothing_leads_where_a_rival_still_lacks_cells(make):
    def cells(**last):
        return [
            *(make.cell("a", seed, n_nonzero=4, cpev=value) for seed, value in enumerate((0.5, 0.9))),
            make.cell("b", 0, n_nonzero=4, cpev=0.6),
            make.cell("b", 1, n_nonzero=4, **last),
        ]

    for status in ("pending", "interrupted"):
        results = make(cells(cpev=math.nan, status=status))
        assert leads(results) == ()
        assert "Nothing is bold where cells of a comparison are still to come." in markdown_page(document(results))
        assert not list(wins(results, results.ranked[0]))
    assert leads(make(cells(cpev=math.nan, status="timeout")))[0].win.methods[0] == "a", "a failure is an answer"
    assert leads(make(cells(cpev=0.7)))


def test_what_is_not_distinguished_has_the_draws_that_would_decide():
    leader = SimpleNamespace(method="a", spread=lambda column: Spread(0.5, 0.1, 8))
    win = Win(Column("cpev", unit="", better="higher"), Track("toy", 2, Level(4), "each"), (leader,))
    apart = Difference("not distinguished", 0.001, Interval(-0.01, 0.012), 8, (0, 0), 46)
    assert sentence([Lead(win, 2, "b", apart)]).endswith(
        "(95 % interval -0.01000 to 0.01200, 8 draws; 46 would decide)."
    )
