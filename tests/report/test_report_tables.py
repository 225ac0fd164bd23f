import math

import pytest
from shown import best_of, cells, values

from spcabench.report.build import document, outcome
from spcabench.report.tables import main, timing, unfinished


@pytest.fixture
def results(make):
    cell = make.cell
    return make(
        [
            cell("pca", 0, cpev=0.9, **{"err@1": 3.0, "err@10": 2.0}),
            cell("pca", 1, cpev=0.8, **{"err@1": 3.0, "err@10": 2.0}),
            cell("a", 0, n_nonzero=4, cpev=0.5, fit_time=1.0, contended=True, **{"err@10": 1.0}),
            cell("a", 1, n_nonzero=4, cpev=0.7, fit_time=3.0, status="not_converged", reason="slow"),
            cell("b", 0, n_nonzero=4, cpev=0.65, **{"err@10": 1.5}),
            cell("b", 1, n_nonzero=4, cpev=math.nan, status="error", reason="boom\nbang"),
            cell("c", 0, n_nonzero=4, status="timeout", reason="600 s"),
            cell("c", 1, n_nonzero=4, status="pending", key=""),
        ]
    )


def row(frame, method):
    return frame[frame["method"] == method].iloc[0]


def test_means_and_deviations_over_the_seeds(results):
    found = values(main(results))
    assert row(found, "a")["cpev"] == pytest.approx(0.6)
    assert row(found, "a")["cpev_sd"] == pytest.approx(0.2 / math.sqrt(2))
    assert row(found, "b")["cpev"] == 0.65
    assert math.isnan(row(found, "b")["cpev_sd"])
    assert (row(found, "b")["seeds"], row(found, "b")["planned"]) == (1, 2)
    assert row(cells(main(results)), "a")["cpev ↑"] == "0.6000 ± 0.1414"
    assert row(cells(main(results)), "a")["seeds"] == "2 (1 not converged)"
    assert row(cells(main(results)), "b")["seeds"] == "1 of 2"


def test_a_method_that_never_finished_shows_its_status(results):
    texts = row(cells(main(results)), "c")
    assert texts["cpev ↑"] == "timeout, pending"
    assert texts["err@10 ↓"] == "—"


def test_a_series_shows_its_last_value_and_the_csv_all(results):
    table = main(results)
    assert "err@10 ↓" in cells(table)
    assert "err@1 ↓" not in cells(table)
    assert "err@1" in values(table)


def test_the_suite_chooses_the_columns(make):
    chosen = make([make.cell(cpev=0.5, mean_nnz=4.0, **{"err@2": 1.0})], report={"columns": ["err", "fit_time"]})
    assert list(cells(main(chosen)).columns[4:-1]) == ["err@2 ↓", "fit_time ↓"]
    assert cells(main(chosen))["fit_time ↓"][0] == "500 ms"


def test_cells_that_did_not_finish_or_not_converge_have_their_reasons(results):
    table = unfinished(results)
    found = list(values(table)[["method", "seed", "status", "reason", "record"]].itertuples(index=False, name=None))
    assert found == [
        ("a", 1, "not_converged", "slow", "a-1"),
        ("b", 1, "error", "boom\nbang", "b-1"),
        ("c", 0, "timeout", "600 s", "c-0"),
    ]


def test_what_was_not_run_yet_fills_no_table(make):
    pending = [make.cell("b", seed, status="pending", key="") for seed in range(2)]
    results = make([make.cell("a", cpev=0.5), make.cell("a", 1, status="pending", key=""), *pending])
    assert values(main(results))["method"].tolist() == ["a"]
    assert cells(main(results))["seeds"].tolist() == ["1 of 2"]
    assert unfinished(results) is None
    assert outcome(results) == "4 cells: 3 pending, 1 ok."


def test_a_metric_that_could_not_be_computed_is_named_with_the_reason(make):
    reason = "verdict: TypeError: it returned 'good', where a number or a mapping to numbers is wanted"
    results = make([make.cell("a", seed, cpev=0.5, metric_errors=reason if seed else "") for seed in range(3)])
    assert f"Not computed in 2 cells: {reason}." in str(document(results).sections[0].blocks)
    assert "Not computed" not in str(document(make([make.cell("a", cpev=0.5)])).sections)


def test_timing_tells_what_is_contended(results):
    table = timing(results)
    assert row(values(table), "a")["fit_time"] == 2.0
    assert row(cells(table), "a")["fit, wall"] == "2 s"
    headings = list(cells(table).columns)
    assert headings.index("fit, CPU") + 1 == headings.index("fit, wall"), "CPU time comes first"
    assert cells(table)["contended"].tolist() == ["no", "yes", "no"]
    assert "c" not in values(table)["method"].tolist()
    assert "Contended" in table.caption


def test_outcome_counts_every_cell(results):
    assert outcome(results) == "8 cells: 4 ok, 1 error, 1 not converged, 1 pending, 1 timeout."


def test_the_order_is_that_of_the_suite(make):
    table = values(main(make([make.cell(name, n_nonzero=k, cpev=0.1) for k in (9, 10) for name in "za"])))
    found = list(zip(table["n_nonzero"], table["method"], strict=True))
    assert found == [("9", "z"), ("9", "a"), ("10", "z"), ("10", "a")]


def test_a_long_table_is_cut_for_readers_and_whole_in_csv(results, monkeypatch):
    whole = {make: make(results) for make in (main, timing, unfinished)}
    monkeypatch.setattr("spcabench.report.document.MOST_ROWS", 1)
    for make, name in ((main, "main"), (timing, "timing"), (unfinished, "unfinished")):
        table = make(results)
        n_rows = len(whole[make].rows)
        assert values(table).equals(values(whole[make]))
        assert cells(table).equals(cells(whole[make]).head(1))
        assert table.words.endswith(f" The first 1 of {n_rows} rows; all are in tables/{name}.csv.")
        assert all(place < 2 for place, _ in best_of(table))


def test_notes_of_the_suite_stand_beside_the_methods(make):
    noted = make([make.cell("a", cpev=0.5, note="the same objective"), make.cell("b", cpev=0.4)])
    assert cells(main(noted))["note"].tolist() == ["the same objective", ""]
    assert "note" not in cells(main(make([make.cell("b", cpev=0.4)])))


def test_times_by_a_clock_of_a_program_are_named(make):
    timed = make([make.cell("a", cpev=0.5, own_clock="R 4.2"), make.cell("b", cpev=0.4)])
    assert "leave out starting them and passing data: a (R 4.2)." in " ".join(timing(timed).caption.split())
    assert "own clocks" not in timing(make([make.cell("b", cpev=0.4)])).caption
