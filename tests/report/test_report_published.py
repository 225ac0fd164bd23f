import math

import pytest
from shown import cells as texts_of
from shown import values

from spcabench.report.orders import orders_of_run as agreement
from spcabench.report.published import by_chance, judged_of, matches
from spcabench.report.published_tables import published as beside


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


FOUR = [("a", "err@10", 80.0), ("b", "err@10", 85.0), ("c", "err@10", 90.0), ("d", "err@10", 95.0)]


def order_of(results):
    """Return the only order of a run."""
    return values(agreement(results)).iloc[0]


def four(make, *numbers, n=3):
    """Return cells of four methods, whose draws differ by the method alone."""
    values = zip("abcd", numbers, strict=True)
    return [make.cell(name, s, n_nonzero=4, **{"err@10": value + s}) for name, value in values for s in range(n)]


def test_pairs_that_surely_change_places_are_listed(make):
    cells = four(make, 80.0, 90.0, 85.0, 95.0)
    order = order_of(make(cells, published=[block(FOUR)]))
    assert order["published"] == "a, b, c, d"
    assert order["measured"] == "a, c, b, d"
    assert (order["pairs"], order["decided"]) == (6, 6)
    assert order["reversed"] == "b and c"
    assert order["tau"] == pytest.approx(4 / 6)
    assert order["verdict"] == "not the order"


def test_what_our_draws_do_not_tell_apart_is_not_reversed(make):
    cells = four(make, 80.0, 85.5, 85.0, 95.0)
    for cell in cells:
        cell["err@10"] += 2.0 * (cell["seed"] - 1) * (cell["method"] == "b")
    order = order_of(make(cells, published=[block(FOUR)]))
    assert order["measured"] == "a, c, b, d"
    assert (order["decided"], order["reversed"], order["verdict"]) == (5, "", "same order")


def test_one_draw_of_random_data_decides_no_order(make):
    order = order_of(make(four(make, 95.0, 90.0, 85.0, 80.0, n=1), published=[block(FOUR)]))
    assert (order["decided"], order["verdict"]) == (0, "undecided")
    fixed = [cell | {"random_data": False} for cell in four(make, 95.0, 90.0, 85.0, 80.0, n=1)]
    order = order_of(make(fixed, published=[block(FOUR)]))
    assert (order["decided"], order["tau"]) == (6, -1)


def timed(make, *seconds, repeats=5, **changes):
    """Return cells of four methods with these CPU seconds."""
    return [
        make.cell(name, n_nonzero=4, cpu_times=(cpu,) * repeats, wall_times=(cpu,) * repeats, fit_time=cpu, **changes)
        for name, cpu in zip("abcd", seconds, strict=True)
    ]


TIMES = [("a", "fit_time", 1.0), ("b", "fit_time", 20.0), ("c", "fit_time", 300.0), ("d", "fit_time", 4000.0)]


def test_of_times_the_order_counts_and_not_the_seconds(make):
    results = make(timed(make, 0.1, 0.2, 0.3, 0.4), published=[block(TIMES)])
    assert set(values(beside(results))["verdict"]) == {"order only"}
    assert set(values(beside(results))["kind"]) == {"time"}
    order = order_of(results)
    assert (order["tau"], order["verdict"], order["reversed"]) == (1, "same order", "")
    order = order_of(make(timed(make, 0.1, 0.4, 0.3, 0.2), published=[block(TIMES)]))
    assert order["reversed"] == "b and c; b and d; c and d"


@pytest.mark.parametrize(("repeats", "wall_per_cpu", "decided"), [(5, 1.0, 6), (4, 1.0, 0), (5, 2.0, 0)])
def test_times_that_may_not_be_compared_decide_nothing(make, repeats, wall_per_cpu, decided):
    cells = timed(make, 0.1, 0.2, 0.3, 0.4, repeats=repeats)
    for cell in cells:
        cell["wall_times"] = tuple(wall_per_cpu * time for time in cell["cpu_times"])
    order = order_of(make(cells, published=[block(TIMES)]))
    assert order["decided"] == decided


def test_times_within_ten_percent_are_not_decided(make):
    order = order_of(make(timed(make, 0.1, 0.109, 0.3, 0.4), published=[block(TIMES)]))
    assert order["decided"] == 5


def test_times_of_several_draws_are_compared_draw_by_draw(make):
    def cells(*factors):
        return [
            cell | {"seed": seed}
            for seed, factor in enumerate(factors)
            for cell in timed(make, 0.1 * factor, 0.2, 0.3, 0.4, repeats=1)
        ]

    surely = order_of(make(cells(1.0, 1.01, 0.99), published=[block(TIMES)]))
    hardly = order_of(make(cells(1.0, 3.0, 0.9), published=[block(TIMES)]))
    assert (surely["decided"], hardly["decided"]) == (6, 3)
    one_contended = [
        cell | {"wall_times": (cell["wall_times"][0] * (2.0 if cell["seed"] == 1 else 1.0),)}
        for cell in cells(1.0, 3.0, 1.01, 0.99)
    ]
    assert order_of(make(one_contended, published=[block(TIMES)]))["decided"] == 6


def test_higher_is_better_turns_the_order(make):
    cells = [make.cell(name, cpev=value, random_data=False) for name, value in (("a", 0.9), ("b", 0.7))]
    rows = [("a", "cpev", 0.8), ("b", "cpev", 0.6)]
    order = order_of(make(cells, published=[block(rows)]))
    assert (order["published"], order["verdict"], order["reversed"]) == ("a, b", "too few items", "")


def test_equal_published_numbers_and_counts_of_nonzeros_rank_nobody(make):
    cells = [make.cell(name, cpev=value, mean_nnz=value) for name, value in (("a", 0.9), ("b", 0.7))]
    assert agreement(make(cells, published=[block([("a", "cpev", 0.8), ("b", "cpev", 0.8)])])) is None
    assert agreement(make(cells, published=[block([("a", "mean_nnz", 0.8), ("b", "mean_nnz", 0.9)])])) is None


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
    rows += [{"method": "a", "metrics": {"cpev": 0.1}, "kind": "not published"}]
    found = judged_of(make(cells, published=[{"source": "Paper", "rows": rows}]))
    kinds = [one.kind for one in found]
    assert kinds == [
        *("dense reference", "by construction", "time"),
        *("measured", "by construction", "time"),
        *("measured", "measured", "not published"),
    ]
    assert [one.verdict for one in found] == [
        *("too few draws to say", "too few draws to say", "order only"),
        *("too few draws to say", "matches", "order only"),
        *("target missed", "not measured", "departs"),
    ]
    assert matches(found) == (
        "Of 3 published numbers that can fail: 1 too few draws to say, 1 target missed, 1 not measured.  6 more cannot "
        "fail."
    )
    assert by_chance([]) == by_chance([("departs", math.nan)]) == ""
    assert by_chance([("consistent", 0.3), ("unusual", 0.05), ("departs", math.nan)]).startswith(
        "Of 2 measured numbers with draws enough, 5 % would lie outside of 95 % of our draws by chance: 0.1 expected, "
        "1 found.  1 depart, "
    )


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
    table = beside(make(cells, published=[{"source": "Paper", "rows": rows, "kind": "other data"}]))
    assert values(table)["kind"].tolist() == ["measured", "other data"]


def test_a_number_of_which_the_run_has_nothing_is_not_lost(make, cells):
    found = values(beside(make(cells, published=[block([("gone", "err@10", 1.0)])])))
    assert (found["verdict"][0], found["seeds"][0]) == ("not measured", 0)


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
    assert found["verdict"].tolist() == ["too few draws to say", "too few draws to say"]
