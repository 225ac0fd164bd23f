"""Like with like: who is compared with whom, and what bold means."""

import math

import pytest
from shown import best_of, cells, rows_of

from spcabench.report.figures import FIGURES
from spcabench.report.model import Results
from spcabench.report.ranking import wins
from spcabench.report.tables import main, timing


def cell(make, method, nnz, missed=0, **changes):
    """Return a cell with two components; a target of 4 unless another is given."""
    return make.cell(method, **{"n_components": 2, "n_nonzero": 4, "nnz": nnz, "missed_components": missed, **changes})


def joint(make, method, nnz, **changes):
    return cell(make, method, nnz, **{"knob": "penalty", **changes})


def marked(table):
    """Return method and heading of what is bold."""
    methods = cells(table)["method"]
    return {(methods[row], heading) for row, heading in best_of(table)}


def sparsity(results: Results):
    return dict(cells(main(results))[["method", "nonzeros"]].itertuples(index=False, name=None))


def wins_of(results: Results):
    return [win for column in results.ranked for win in wins(results, column)]


def test_totals_are_compared_among_themselves(make):
    each = [cell(make, name, (4, 4), cpev=cpev) for name, cpev in (("exact", 0.40), ("b", 0.39))]
    totals = (("c", (6, 2), 0.43), ("d", (5, 3), 0.42), ("even", (4, 4), 0.41))
    results = make([*each, *(joint(make, name, nnz, cpev=cpev) for name, nnz, cpev in totals)])
    assert sparsity(results)["c"] == "4 (in total: [6, 2])"
    assert marked(main(results)) == {("even", "cpev ↑"), ("c", "cpev ↑")}
    assert {win.track.sparsity: win.methods for win in wins_of(results)} == {
        "4 nonzeros": ("even",),
        "8 nonzeros in total": ("c",),
    }


@pytest.mark.parametrize(("nnz", "said"), [((6, 2), "got [6, 2]"), ((6, 6), "got 6"), ((3, 3), "got 3")])
def test_who_missed_the_target_is_shown_and_not_ranked(make, nnz, said):
    reached = [cell(make, name, (4, 4), cpev=cpev) for name, cpev in (("a", 0.7), ("b", 0.6))]
    results = make([cell(make, "loose", nnz, missed=2, cpev=0.9), *reached])
    assert marked(main(results)) == {("a", "cpev ↑")}
    assert sparsity(results)["loose"] == f"4 ({said})"
    assert cells(main(results))["cpev ↑"][0] == "0.9000"


def test_levels_with_a_number_for_each_component_are_a_comparison_of_their_own(make):
    results = make(
        [
            joint(make, "a", (4, 4), n_nonzero=(5, 3), cpev=0.9),
            cell(make, "b", (5, 3), n_nonzero=(5, 3), cpev=0.8),
            cell(make, "c", (5, 3), n_nonzero=(5, 3), cpev=0.7),
            cell(make, "d", (4, 4), cpev=0.6),
        ]
    )
    assert marked(main(results)) == {("b", "cpev ↑")}
    assert sparsity(results)["a"] == "[5, 3] (in total: 4)"


def test_dense_methods_are_a_reference(make):
    free = {"n_nonzero": None, "missed_components": math.nan, "knob": "cardinality"}
    results = make(
        [
            cell(make, "pca", (13, 13), cpev=0.9, **{**free, "knob": "none"}),
            cell(make, "sparse", (3, 2), cpev=0.5, **free),
            cell(make, "alike", (3, 2), cpev=0.4, **free),
            cell(make, "denser", (9, 2), cpev=0.6, **free),
        ]
    )
    assert marked(main(results)) == {("sparse", "cpev ↑")}
    assert sparsity(results) == {"pca": "dense", "sparse": "got [3, 2]", "alike": "got [3, 2]", "denser": "got [9, 2]"}
    assert [win.track.sparsity for win in wins_of(results)] == ["no target, [3, 2] nonzeros reached"]


def seeds(make, method, values, **changes):
    """Return a cell for each value; nan is a failure."""
    return [
        cell(make, method, (4, 4), seed=seed, cpev=value, status="error" if math.isnan(value) else "ok", **changes)
        for seed, value in enumerate(values)
    ]


def test_a_seed_that_missed_counts_as_the_worst(make):
    results = make(
        [cell(make, "loose", (9, 9), seed=seed, missed=2 if seed else 0, cpev=0.9) for seed in range(5)]
        + seeds(make, "steady", [0.5] * 5)
    )
    assert marked(main(results)) == {("steady", "cpev ↑")}
    assert sparsity(results)["loose"] == "4 (got 9 in 4 of 5 seeds)"


def test_a_seed_that_missed_and_one_that_has_only_the_total_are_both_said(make):
    results = make([joint(make, "a", (3, 3), missed=2, cpev=0.5), joint(make, "a", (5, 3), seed=1, cpev=0.5)])
    assert sparsity(results)["a"] == "4 (got 3 in 1 of 2 seeds; in total: [5, 3])"


def test_what_the_seeds_do_not_rule_out_is_bold(make):
    values = {"a": [0.50, 0.52, 0.51, 0.49, 0.53, 0.50], "b": [0.51, 0.51, 0.50, 0.50, 0.52, 0.51], "c": [0.3] * 6}
    results = make([row for name, of in values.items() for row in seeds(make, name, of)])
    assert marked(main(results)) == {("a", "cpev ↑"), ("b", "cpev ↑")}
    assert [win.methods for win in wins_of(results)] == [("a", "b")]


def test_differences_below_the_tolerance_are_ties(make):
    results = make([cell(make, name, (4, 4), nor=nor) for name, nor in (("a", 2.4e-17), ("b", 8.9e-17), ("c", 1e-9))])
    assert marked(main(results)) == {("a", "nor ↓"), ("b", "nor ↓")}


def test_times_and_nonzeros_are_not_ranked(make):
    known = (("a", 1.0), ("b", 1.5))
    rows = [cell(make, name, (4, 4), cpev=0.5, fit_time=number, mean_nnz=number) for name, number in known]
    results = make(rows, report={"columns": ["fit_time", "mean_nnz", "cpev"]})
    assert {heading for _, heading in marked(main(results))} == {"cpev ↑"}
    assert {win.column.name for win in wins_of(results)} == {"cpev"}
    assert [column.name for column in results.drawn] == ["fit_time", "cpev"]
    assert not best_of(timing(results))


def test_figures_emphasise_only_who_reached_the_target_in_each_component(make):
    make.draw(n_features=13)
    cells = [
        cell(make, "a", (4, 4), cpev=0.4, fitted_nonzeros=4.0),
        cell(make, "b", (4, 4), cpev=0.3, fitted_nonzeros=4.0),
        cell(make, "loose", (3, 3), missed=2, cpev=0.5, fitted_nonzeros=3.0),
        joint(make, "total", (6, 2), cpev=0.45, fitted_nonzeros=4.0),
        cell(make, "broken", (), status="timeout", cpev=math.nan),
    ]
    results = make(cells)
    front = FIGURES["pareto"].draw(results).to_dict()
    steps = front["vconcat"][0]["layer"][0]["data"]["name"]
    assert front["datasets"][steps] == [{"x": 4.0, "y": 0.4}]
    rows = rows_of(FIGURES["metric_bars"].draw(results))
    faint = {row["method"] for row in rows if not row.get("front", True)}
    assert faint == {"loose", "total"}


def test_a_curve_over_targets_leaves_out_those_that_were_missed(make):
    make.draw(n_features=13)
    levels = [cell(make, "a", (k, k), n_nonzero=k, cpev=k / 10) for k in (2, 4, 6)]
    levels += [cell(make, "loose", (7, 7), n_nonzero=k, missed=2 * (k != 4), cpev=0.9) for k in (2, 4, 6)]
    levels += [joint(make, "total", (k + 1, k - 1), n_nonzero=k, cpev=0.8) for k in (2, 4, 6)]
    rows = rows_of(FIGURES["cpev_curve"].draw(make(levels)))
    assert {row["x"] for row in rows if row.get("method") == "loose" and "low" in row} == {4.0}
    assert {row["label"] for row in rows if row.get("method") == "total" and "label" in row} == {"total (in total)"}
    assert {row["y"] for row in rows if row.get("method") == "total" and "low" in row} == {0.8}, "it is not compared"
    assert any(row["y"] == pytest.approx(125.0) for row in rows if row.get("method") == "loose" and "low" in row)
