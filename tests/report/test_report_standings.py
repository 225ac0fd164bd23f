"""Where methods stand over all data sets."""

from dataclasses import replace

import pytest
from shown import cells

from spcabench.report.contents import document
from spcabench.report.ranking import sentence
from spcabench.report.standings import of_track, standings, standings_table, track_table

METHODS = {"a": 0.6, "b": 0.5, "c": 0.4}


@pytest.fixture
def board(make):
    """Make results of three methods on data sets, changed by (method, data set) or (method, data set, target)."""

    def go(datasets="xyz", targets=(2, 4), changed=(), methods=METHODS, **suite):
        changed = dict(changed)
        cells = []
        for dataset in datasets:
            for k in targets:
                for name, value in methods.items():
                    about = {"cpev": value + k / 100}
                    about |= changed.get((name, dataset), {}) | changed.get((name, dataset, k), {})
                    cells.append(make.cell(name, n_nonzero=k, dataset=dataset, suite_dataset=dataset, **about))
        return make(cells, **{"datasets": list(datasets)} | suite)

    return go


def ranks(found):
    return dict(zip(found.contest.methods, found.contest.mean_ranks, strict=True))


def test_ranks_are_averaged_over_the_targets_first(board):
    found = standings(board(changed={("a", "x", 2): {"cpev": 0.1}, ("b", "x", 2): {"cpev": 0.2}}))
    # on x: a is third and first, b second twice, c first and third: all alike
    assert ranks(found) == pytest.approx({"a": 4 / 3, "b": 2, "c": 8 / 3})
    assert (len(found.contest.names), found.column.name) == (3, "cpev")


def test_failures_and_misses_rank_last(board):
    failed = {"status": "timeout", "cpev": float("nan"), "nnz": ()}
    missed = {"missed_components": 1.0, "nnz": (2, 3), "cpev": 0.9}
    results = board(changed={("a", "x"): failed, ("a", "y"): missed})
    assert ranks(standings(results)) == pytest.approx({"a": 7 / 3, "b": 4 / 3, "c": 7 / 3})
    shown = cells(standings_table(results)).set_index("method").loc["a"]
    assert list(shown[["failed or missed", "above the leader", "alike", "below"]]) == ["4 of 6", "1", "0", "2"]


def test_who_cannot_enter_is_named_and_not_ranked(board):
    skipped = {("d", "x"): {"status": "skipped", "cpev": float("nan")}}
    uneven = {("d", "x", 2): {"nnz": (1, 1, 4), "knob": "penalty"}}
    for changed in (skipped, uneven):
        results = board(changed=changed, methods=METHODS | {"d": 0.9})
        found = standings(results)
        assert (ranks(found), list(found.elsewhere)) == ({"a": 1, "b": 2, "c": 3}, ["d"])
        assert found.elsewhere["d"] in standings_table(results).caption


def test_a_data_set_with_open_cells_does_not_count(board):
    found = standings(board("wxyz", changed={("c", "x", 2): {"status": "interrupted", "cpev": float("nan")}}))
    assert len(found.contest.names) == 3


def test_few_data_sets_part_nobody(board):
    caption = standings_table(board()).caption
    assert "3 data sets cannot tell a pair of 3 methods apart, which takes 7 or more" in caption
    caption = standings_table(board("qrstuvwxyz")).caption
    assert "2 of 2 methods are surely below it." in caption


def test_the_opening_sentence_counts_comparisons_of_one_kind(board):
    uneven = {"nnz": (1, 1, 4), "knob": "penalty"}
    results = board(changed={(name, data, 2): uneven for name in "bc" for data in "xyz"})
    # at 2 nonzeros b and c are compared by their total
    assert sentence(results).endswith(
        "a is best, or not ruled out as the best, in 3 of 3 comparisons at equal sparsity."
    )


def test_what_has_no_one_scale_makes_no_standings(board):
    slow = {(name, data): {"err@5": 1.0, "fit_time": 1.0} for name in METHODS for data in "xyz"}
    for columns in (["fit_time"], ["err@5"]):
        assert standings(board(changed=slow, metrics=["cpev", "err", "fit_time"], report={"columns": columns})) is None
    found = standings(board(changed=slow, metrics=["cpev", "err"], report={"columns": ["err@5", "cpev"]}))
    assert found.column.name == "cpev"


def test_the_grid_of_one_data_set_makes_no_standings(board):
    results = board()
    one = results.suite.model_copy(update={"datasets": results.suite.datasets[:1]})
    assert standings(replace(results, suite=one)) is None


def tracked(board, metric="cpev", datasets="wxyz", only=None, **suite):
    track = {"name": "span", "metric": metric, "datasets": list(only or datasets)}
    return board(datasets, tracks=[track], **suite)


def test_a_track_ranks_on_its_own_data_sets(board):
    turned = {(name, "w"): {"cpev": value} for name, value in {"a": 0.1, "b": 0.2, "c": 0.3}.items()}
    results = tracked(board, only="xyz", changed=turned)
    assert ranks(of_track(results, "span")) == {"a": 1, "b": 2, "c": 3}
    assert ranks(standings(results)) == pytest.approx({"a": 1.5, "b": 2, "c": 2.5})


def test_times_are_ranked_in_a_track_by_their_ratios(board):
    seconds = {"a": 2.0, "b": 1.0, "c": 1.03}
    times = {(name, data): {"fit_time": seconds[name]} for name in METHODS for data in "xyz"}
    results = tracked(board, "fit_time", "xyz", changed=times, metrics=["cpev", "fit_time"])
    assert ranks(of_track(results, "span")) == {"b": 1.5, "c": 1.5, "a": 3}


@pytest.mark.parametrize("status", ["unavailable", "error"])
def test_a_data_set_that_cannot_be_had_or_on_which_all_fail_changes_no_rank(board, status):
    lost = {(name, "w"): {"status": status, "cpev": float("nan"), "nnz": ()} for name in METHODS}
    results = tracked(board, changed=lost)
    found = standings(results), of_track(results, "span")
    assert [len(one.contest.names) for one in found] == [3, 3]
    assert ranks(standings(results)) == {"a": 1, "b": 2, "c": 3}


def test_the_report_has_the_standings_of_each_track_or_says_why_not(board):
    results = tracked(board, only="xyz")
    assert track_table(results, "span").caption.startswith("Span: several components")
    assert track_table(results, "recovery") is None
    (section,) = (section for section in document(results).sections if section.name == "tracks")
    assert [type(block).__name__ for block in section.blocks] == ["Heading", "Table"]
    few = tracked(board, only="xy")
    (section,) = (section for section in document(few).sections if section.name == "tracks")
    assert section.blocks[1].text.startswith("No standings by cpev: they take three")
