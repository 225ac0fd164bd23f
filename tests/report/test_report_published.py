import math

import pytest
from shown import cells as texts_of
from shown import values

from spcabench.report.papers import published as beside
from spcabench.report.published import judged_of, matches


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
    assert found.iloc[1]["seeds"] == 0
    assert math.isnan(found.iloc[1]["measured"])


def test_a_block_is_about_its_data_set_even_through_a_stand_in(make):
    cell = make.cell
    cells = [
        cell("a", dataset="mnist [stand-in: digits]", suite_dataset="mnist", stand_in=True, cpev=0.5),
        cell("a", dataset="other", cpev=0.6),
    ]
    table = beside(make(cells, published=[block([("a", "cpev", 0.7)], dataset="mnist")]))
    assert values(table)["dataset"].tolist() == ["mnist [stand-in: digits]"]


def test_a_difference_of_two_methods_is_taken_seed_by_seed(make, cells):
    gaps = [{"method": "b", "minus": "a", "metrics": {"err@10": 1.5}}]
    results = make(cells, published=[{"source": "Paper, section 3", "rows": gaps}])
    found = values(beside(results)).iloc[0]
    assert (found["method"], found["measured"], found["seeds"]) == ("b minus a", 1.0, 2)
    assert found["sd"] == pytest.approx(math.sqrt(8))


def test_a_difference_is_one_number_over_the_levels(make):
    cells = [make.cell(name, n_nonzero=k, cpev=k * share) for k in (2, 4) for name, share in (("a", 0.1), ("b", 0.2))]
    gaps = [{"method": "b", "minus": "a", "metrics": {"cpev": 0.3}}]
    found = values(beside(make(cells, published=[{"source": "Paper", "over": "mean", "rows": gaps}])))
    assert found["measured"].tolist() == pytest.approx([0.3])


def test_verdicts_are_counted_by_what_can_fail(make):
    cell = make.cell
    cells = [cell("pca", seed, cpev=0.9, mean_nnz=13.0, fit_time=0.1) for seed in range(2)]
    for seed in range(2):
        cells.append(cell("a", seed, n_nonzero=4, cpev=0.5 + seed / 100, mean_nnz=4.0, fit_time=0.1))
        cells.append(cell("b", seed, n_nonzero=4, cpev=0.5, mean_nnz=4.0, missed_components=1.0))
        cells.append(cell("c", seed, n_nonzero=4, status="timeout"))
    numbers = {"cpev": 0.5, "mean_nnz": 4, "fit_time": 7.0}
    rows = [{"method": name, "metrics": numbers} for name in ("pca", "a")]
    rows += [{"method": name, "metrics": {"cpev": 0.5}} for name in ("b", "c")]
    rows += [{"method": "a", "metrics": {"cpev": 0.1}, "kind": "beside"}]
    found = judged_of(make(cells, published=[{"source": "Paper", "rows": rows}]))
    assert [one.kind for one in found] == [
        *("dense reference", "by construction", "time"),
        *("measured", "by construction", "time"),
        *("measured", "measured", "beside"),
    ]
    assert [one.verdict for one in found] == ["open", "", "", "open", "", "", "open", "open", ""]
    whys = ["too few draws: 2"] * 2 + ["the target was missed in 2 of 2 draws", "nothing was measured"]
    assert [one.why for one in found if one.verdict] == whys
    assert matches(found) == "Of 4 published numbers that can fail: 4 open.  5 more cannot fail."


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [("", "refuted"), ("another start", "refuted"), ("another start (reasons.py their_start)", "explained")],
)
def test_a_miss_is_explained_by_a_computation_alone(make, reason, verdict):
    row = {"method": "a", "metrics": {"cpev": 0.8}, "reason": reason}
    (one,) = judged_of(make([make.cell("a", random_data=False, cpev=0.5)], published=[{"source": "P", "rows": [row]}]))
    assert (one.verdict, one.why) == (verdict, "no test: one deterministic value, off by -38 %")


def test_a_tolerance_tells_apart_what_the_paper_tells_apart(make):
    """Four numbers within 0.00007 were 'matched' by a tolerance of 0.0005."""
    cells = [make.cell(name, n_nonzero=4, random_data=False, cpev=0.8306) for name in "ab"]
    rows = [("a", "cpev", 0.8303), ("b", "cpev", 0.8304)]
    found = judged_of(make(cells, published=[block(rows, tolerance=0.001)]))
    assert [one.verdict for one in found] == ["refuted", "refuted"]
    found = judged_of(make(cells[:1], published=[block(rows[:1], tolerance=0.001)]))
    assert [one.verdict for one in found] == ["reproduced"]


def test_a_seed_that_missed_its_target_is_left_out_and_counted(make):
    cells = [make.cell("a", seed, n_nonzero=4, cpev=0.5 + seed, missed_components=float(seed > 1)) for seed in range(4)]
    table = beside(make(cells, published=[block([("a", "cpev", 0.8)])], seeds=4))
    assert values(table)["measured"][0] == 1.0
    assert texts_of(table)["seeds"][0] == "2 of 4 (2 missed the target)"


def test_a_block_or_a_row_says_what_a_number_can_show(make, cells):
    rows = [
        {"method": "pca", "metrics": {"err@10": 1.0}, "kind": "measured"},
        {"method": "a", "metrics": {"err@10": 1.0}},
    ]
    table = beside(make(cells, published=[{"source": "Paper", "rows": rows, "kind": "beside"}]))
    assert values(table)["kind"].tolist() == ["measured", "beside"]


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
    assert found["measured"][0] == 7.5, "of the seed that both data sets have"
    assert found["measured"][1] == 5.0, "what did not finish is left out, and the label says so"
    assert found["verdict"].tolist() == ["open", "open"]
