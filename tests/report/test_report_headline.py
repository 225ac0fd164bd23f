"""What a run comes to, in a sentence."""

import pytest

from spcabench.report.document import document
from spcabench.report.headline import leads
from spcabench.report.render.headline import sentence
from spcabench.report.render.markdown import page


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
    assert page(document(results)).splitlines()[2].startswith("**a_1 has the highest cpev of 2 methods")
