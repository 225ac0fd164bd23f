import math

import pytest
from shown import cells as texts_of
from shown import values

from spcabench.report.published import matches
from spcabench.report.tables import order as agreement
from spcabench.report.tables import published as beside


def block(rows, **more):
    rows = [{"method": name, "metrics": {metric: value}} for name, metric, value in rows]
    return {"source": "Paper, Table 1", "rows": rows} | more


@pytest.fixture
def cells(make):
    cell = make.cell
    return [
        cell("pca", 0, **{"err@10": 100.0}),
        cell("pca", 1, **{"err@10": 104.0}),
        cell("a", 0, n_nonzero=4, **{"err@10": 90.0}),
        cell("a", 1, n_nonzero=4, **{"err@10": 94.0}),
        cell("b", 0, n_nonzero=4, **{"err@10": 93.0}),
        cell("b", 1, n_nonzero=4, **{"err@10": 93.0}),
        cell("c", 0, n_nonzero=4, status="timeout"),
    ]


def test_published_beside_measured(make, cells):
    rows = [("a", "err@10", 80.0), ("c", "err@10", 70.0), ("b", "err@10", 0.0)]
    found = values(beside(make(cells, published=[block(rows)])))
    first = found.iloc[0]
    assert (first["method"], first["metric"], first["n_nonzero"]) == ("a", "err@10", "4")
    assert (first["published"], first["measured"], first["seeds"]) == (80.0, 92.0, 2)
    assert first["sd"] == pytest.approx(math.sqrt(8))
    assert first["difference"] == 12.0
    assert first["difference_percent"] == pytest.approx(15.0)
    assert found.iloc[1]["seeds"] == 0
    assert math.isnan(found.iloc[1]["measured"])
    assert math.isnan(found.iloc[2]["difference_percent"])


def test_differences_are_signed(make, cells):
    rows = [("a", "err@10", 80.0), ("b", "err@10", 186.0)]
    texts = texts_of(beside(make(cells, published=[block(rows)])))
    assert texts["difference (%)"].tolist() == ["+15.00", "-50.00"]


def test_pairs_that_change_places_are_listed(make, cells):
    rows = [("b", "err@10", 80.0), ("a", "err@10", 85.0), ("pca", "err@10", 99.0), ("c", "err@10", 1.0)]
    order = values(agreement(make(cells, published=[block(rows)]))).iloc[0]
    assert order["published"] == "b, a, pca"
    assert order["measured"] == "a, b, pca"
    assert order["agree"] == "2 of 3 pairs"
    assert order["disagree"] == "b and a (within the spread)"


def test_a_clear_disagreement_is_not_excused(make, cells):
    rows = [("pca", "err@10", 80.0), ("b", "err@10", 85.0)]
    order = values(agreement(make(cells, published=[block(rows)]))).iloc[0]
    assert order["disagree"] == "pca and b"


def test_higher_is_better_turns_the_order(make):
    cells = [make.cell(name, cpev=value) for name, value in (("a", 0.9), ("b", 0.7))]
    rows = [("a", "cpev", 0.8), ("b", "cpev", 0.6)]
    order = values(agreement(make(cells, published=[block(rows)]))).iloc[0]
    assert (order["published"], order["agree"]) == ("a, b", "1 of 1 pairs")


def test_equal_published_numbers_claim_no_order(make):
    cells = [make.cell(name, cpev=value) for name, value in (("a", 0.9), ("b", 0.7))]
    rows = [("a", "cpev", 0.8), ("b", "cpev", 0.8)]
    assert values(agreement(make(cells, published=[block(rows)])))["agree"][0] == "0 of 0 pairs"


def test_a_block_is_about_its_data_set_even_through_a_stand_in(make):
    cell = make.cell
    cells = [
        cell("a", dataset="mnist [stand-in: digits]", suite_dataset="mnist", stand_in=True, cpev=0.5),
        cell("a", dataset="other", cpev=0.6),
    ]
    table = beside(make(cells, published=[block([("a", "cpev", 0.7)], dataset="mnist")]))
    assert values(table)["dataset"].tolist() == ["mnist [stand-in: digits]"]


def test_every_level_is_compared_with_the_dense_methods(make):
    cell = make.cell
    cells = [cell("pca", cpev=0.9)] + [cell("a", n_nonzero=k, cpev=0.5) for k in (2, 4)]
    table = agreement(make(cells, published=[block([("pca", "cpev", 0.8), ("a", "cpev", 0.6)])]))
    assert values(table)["n_nonzero"].tolist() == ["2", "4"]


def test_a_difference_of_two_methods_is_taken_seed_by_seed_and_ranks_nobody(make, cells):
    gaps = [{"method": "b", "minus": "a", "metrics": {"err@10": 1.5}}]
    results = make(cells, published=[{"source": "Paper, section 3", "rows": gaps}])
    found = values(beside(results)).iloc[0]
    assert (found["method"], found["measured"], found["seeds"]) == ("b minus a", 1.0, 2)
    assert found["sd"] == pytest.approx(math.sqrt(8))
    assert agreement(results) is None


def test_a_difference_is_one_number_over_the_levels(make):
    cells = [make.cell(name, n_nonzero=k, cpev=k * share) for k in (2, 4) for name, share in (("a", 0.1), ("b", 0.2))]
    gaps = [{"method": "b", "minus": "a", "metrics": {"cpev": 0.3}}]
    found = values(beside(make(cells, published=[{"source": "Paper", "over": "mean", "rows": gaps}])))
    assert found["measured"].tolist() == pytest.approx([0.3])


def test_nothing_published_makes_no_table(make, cells):
    assert beside(make(cells)) is None
    assert agreement(make(cells)) is None


def test_a_number_matches_within_the_tolerance_or_the_spread(make, cells):
    rows = [
        ("a", "err@10", 92.5),
        ("a", "err@10", 87.0),
        ("a", "err@10", 80.0),
        ("b", "err@10", 92.0),
        ("c", "err@10", 1.0),
    ]
    results = make(cells, published=[block(rows, tolerance=0.01)])
    verdicts = values(beside(results))["verdict"].tolist()
    assert verdicts == ["matches", "within the spread", "differs", "differs", "not measured"]
    assert matches(results) == "Of 5 published numbers: 1 matches, 1 within the spread, 2 differs, 1 not measured."
    wide = make(cells, published=[block(rows, tolerance=0.2)])
    assert values(beside(wide))["verdict"].tolist()[:4] == ["matches"] * 4


def test_a_row_may_belong_to_one_level_and_give_its_reason(make, cells):
    more = make.cell("a", 0, n_nonzero=8, **{"err@10": 70.0})
    row = {"method": "a", "metrics": {"err@10": 70.0}, "n_nonzero": 8, "reason": "another start"}
    found = values(beside(make([*cells, more], published=[{"source": "Paper", "rows": [row]}])))
    assert found["n_nonzero"].tolist() == ["8"]
    assert found["reason"].tolist() == ["another start"]


def test_numbers_may_belong_to_the_mean_over_the_data_sets(make):
    wide, narrow = ({"dataset": name, "n_nonzero": level} for name, level in (("wide", 8), ("narrow", 4)))
    cells = [
        make.cell("a", 0, n_iter=10.0, **wide),
        make.cell("a", 1, n_iter=20.0, **wide),
        make.cell("a", 0, n_iter=5.0, **narrow),
        make.cell("b", 0, n_iter=5.0, **narrow),
        make.cell("b", 0, status="timeout", **wide),
    ]
    rows = [("a", "n_iter", 8.0), ("b", "n_iter", 5.0)]
    found = values(beside(make(cells, published=[block(rows, over="mean")])))
    assert found["dataset"].tolist() == ["mean over 2", "mean over 1 of 2"]
    assert found["n_nonzero"].tolist() == ["", ""]
    assert found["measured"][0] == 10.0
    assert math.isnan(found["sd"][0])
    assert found["measured"][1] == 5.0, "what did not finish is left out, and the label says so"
    assert found["verdict"].tolist() == ["differs", "matches"]
