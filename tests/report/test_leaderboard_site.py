"""The leaderboard site: scores, ranks and fronts worked out by hand, and pages that lead where they say."""

import csv
import io
import math
import re

import pytest
from boards import DATASETS, board_cell, board_run, of, row, score, three, track

from spcabench.report.model import Results
from spcabench.site import small_table
from spcabench.site.board_page import grid
from spcabench.site.build import Site, site, write
from spcabench.site.controls import controls_of
from spcabench.site.headline import by_track, headline
from spcabench.site.presets import presets
from spcabench.site.tasks import tasks
from spcabench.wording import InputError

NASTY = "<img src=x onerror=alert()>"


def test_who_has_no_result_ranks_last(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6)
    results.frame.loc[results.frame["method"] == "mid", ["status", "cpev"]] = ["error", math.nan]
    assert [(one.method, one.rank.mean) for one in of(results).rows if one.rank] == [("low", 1.5), ("mid", 2.5)]


def test_a_data_set_in_two_tracks_counts_once(make):
    values = {"dense": (0.9, 1), "low": (0.2, 1), "mid": (0.6, 3)}
    cells = [
        board_cell(make, method, value, dataset, err=err)
        for dataset in DATASETS
        for method, (value, err) in values.items()
    ]
    results = board_run(make, cells, [track(), track("prediction", "err", ["a"])])
    # of the panel, low and mid: a tie with itself, and with low on the data set of the track prediction or below it
    assert row(results, "mid").rank.mean == pytest.approx(((1.5 + 2.5) / 2 + 1.5 + 1.5) / 3)
    assert row(results, "mid").rank.of == 3


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"status": "skipped", "reason": "it needs samples"}, "it needs samples"),
        ({"nnz": (6, 4, 2), "knob": "penalty"}, "it reaches its nonzeros only in total"),
        ({"status": "interrupted"}, "it is not finished yet"),
    ],
)
def test_who_cannot_enter_says_why(make, changes, reason):
    cells = [
        board_cell(make, method, 0.5, dataset, **(changes if method == "out" else {}))
        for dataset in DATASETS
        for method in ("dense", "low", "out")
    ]
    results = board_run(make, cells)
    assert row(results, "out").outside == {"optimisation": reason}
    assert row(results, "out").rank is None
    assert f"cannot enter: {reason}" in page(site([results], {}), "index.html", results)


def test_who_enters_some_data_sets_alone_is_on_no_front_and_no_leader(make):
    results = three(make, dense=0.9, low=0.2, some=0.9)
    away = (results.frame["method"] == "some") & (results.frame["dataset"] == "a")
    results.frame.loc[away, "status"] = "skipped"
    assert score(results, "some") == pytest.approx(100)
    assert not row(results, "some").front
    assert "100.0 on 2 of 3" in page(site([results], {}), "index.html", results)
    assert [one.method for one in of(results).rows] == ["low", "some", "dense"]  # though its mean rank is better
    assert "low has the best mean rank of the 1 methods that" in headline(of(results))


def test_bold_is_the_best_of_those_without_controls_and_holes(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6, some=0.9)
    away = (results.frame["method"] == "some") & (results.frame["dataset"] == "a")
    results.frame.loc[away, "status"] = "skipped"
    places = {field.name: place for place, field in enumerate(grid(of(results)).fields)}
    rows = grid(of(results)).rows
    assert [method for method, cells in rows if cells[places["optimisation"]].best] == ["mid"]


def test_the_front_of_a_track_has_whom_nobody_beats_in_score_and_time(make):
    plan = {"dense": (0.9, 1.0), "low": (0.2, 0.5), "slow": (0.7, 9.0), "mid": (0.6, 2.0), "beaten": (0.6, 3.0)}
    cells = [
        board_cell(make, method, value, dataset, total_time=seconds, err=-value if method == "beaten" else 1.0)
        for dataset in DATASETS
        for method, (value, seconds) in plan.items()
    ]
    results = board_run(make, cells, [track(), track("prediction", "err")])
    results.frame.loc[results.frame["method"] == "dense", "err"] = -1.0
    fronts = {one.method: one.front for one in of(results).rows if one.front}
    both = ("optimisation", "prediction")
    assert fronts == {"low": both, "slow": both[:1], "mid": both[:1], "beaten": both[1:]}
    assert row(results, "slow").ratio == pytest.approx(9)


def test_the_headline_says_who_wins_by_how_much_and_how_certainly(make):
    cells = [
        board_cell(make, method, value, dataset)
        for dataset, shift in zip(DATASETS, (0.0, 0.1, 0.2), strict=True)
        for method, value in (("dense", 0.9), ("low", 0.1), ("mid", 0.3 + shift), ("top", 0.5 + shift))
    ]
    found = of(board_run(make, cells))
    assert headline(found) == (
        "Over 3 data sets in 1 track, top has the best mean rank of the 3 methods that enter each, against the "
        "panel of 3: 1.5 (95 % interval 1.5 to 1.5).  3 data sets cannot tell any two of 3 methods apart, which "
        "takes 7 or more: that lead may be chance.  Best by track: optimisation top."
    )
    assert dict(by_track(found))["optimisation"] == (
        "by cpev, top leads with 62.5 points, 25.0 above mid; "
        "the 95 % interval of that difference over 3 data sets is 25.0 to 25.0"
    )


def test_the_headline_says_who_is_surely_worse_and_who_may_be_as_good(make):
    names = [f"data {place}" for place in range(12)]
    cells = [
        board_cell(make, method, value + (0.03 * (method == "near") if place % 3 == 0 else 0.0), dataset)
        for place, dataset in enumerate(names)
        for method, value in (("dense", 0.9), ("low", 0.1), ("near", 0.488), ("top", 0.5))
    ]
    said = headline(of(board_run(make, cells, datasets=names)))
    assert "top is surely better than 1 of the other 2; near may be the best as well." in said


def test_a_difference_that_changes_sign_is_not_certain(make):
    cells = [
        board_cell(make, method, value, dataset)
        for dataset, shift in zip(DATASETS, (0.2, -0.1, 0.05), strict=True)
        for method, value in (("dense", 0.9), ("low", 0.1), ("mid", 0.4), ("top", 0.4 + shift))
    ]
    ((_, said),) = by_track(of(board_run(make, cells)))
    assert said.endswith("which holds 0: it is not certain")


def test_equal_ranks_are_shared(make):
    assert "mid and same share the best mean rank" in headline(of(three(make, dense=0.9, low=0.2, mid=0.6, same=0.6)))


def test_presets_choose_data_sets_and_methods(make):
    plan = {"dense": (0.9, 1.0), "low": (0.2, 1.0), "slow": (0.9995, 20.0)}
    cells = [
        board_cell(
            make, method, value, dataset, draw_id=dataset, total_time=seconds, err=1 - value, n_components=components
        )
        for dataset, components in zip(DATASETS, (3, 3, 1), strict=True)
        for method, (value, seconds) in plan.items()
    ]
    make.draw("a", n_features=50)
    make.draw("b", facts=["samples", "clean"])
    make.draw("c")
    results = board_run(make, cells, [track("optimisation", "err")])
    found = {one.name: one.board for one in presets([results], list(tasks(results)), controls_of([results]))}
    assert {name: [task.dataset for task in one.tasks] for name, one in found.items()} == {
        "index": ["a", "b", "c"],
        "wide": ["a"],
        "outliers": ["b"],
        "several": ["a", "b"],
        "fast": ["a", "b", "c"],
        "proved": ["a", "b", "c"],
    }
    assert {one.method for one in found["fast"].rows} == {"dense", "low"}
    assert {one.method for one in found["proved"].rows} == {"slow"}


def page(made: Site, path: str, results: Results) -> str:
    write(made, results.folder.path.parent / "site", "Made.")
    return (results.folder.path.parent / "site" / path).read_text()


def test_each_link_leads_to_a_file_of_the_site(make):
    cells = [
        board_cell(make, method, 0.5, dataset)
        for dataset in ("a", "b/../c", NASTY)
        for method in ("dense", "low", NASTY, "x y")
    ]
    results = board_run(make, cells, datasets=["a", "b/../c", NASTY])
    (results.folder.path / "report.html").write_text("the report")
    output = results.folder.path.parent / "site"
    write(site([results], {}), output, "Made.")
    pages = [file for file in output.rglob("*.html") if file.name != "report.html"]
    assert len(pages) == 3 + 4 + 3 + 1 + 3
    for file in pages:
        text = file.read_text()
        assert NASTY not in text
        assert "http" not in text
        for link in re.findall(r'href="([^"#:]+)"', text):
            assert (file.parent / link).is_file(), (file, link)
    assert (output / "runs/run/report.html").is_file()
    assert (output / "runs/run/records.csv").read_text().count("\n") == 1 + len(cells)


def small(results: Results):
    """Return the rows of the small table, by method."""
    boards = list(presets([results], list(tasks(results)), controls_of([results])))
    return {row["method"]: row for row in csv.DictReader(io.StringIO(small_table.text(boards, [results], "v1")))}


def test_the_small_table_has_a_row_for_each_method_and_says_what_it_was_made_with(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6)
    results.frame.loc[results.frame["method"] == "mid", "total_time"] = 2.0
    rows = small(results)
    assert list(rows) == ["mid", "low", "dense"]
    mid = rows["mid"]
    assert [mid[name] for name in ("rank", "datasets", "optimisation", "recovery")] == ["1.5", "3", "57.14", ""]
    assert [mid[name] for name in ("tier", "panel", "scoring")] == ["1", "low, mid", "2"]
    assert [mid[name] for name in ("failed", "planned", "time_ratio")] == ["0", "3", "2.0"]
    assert [mid[name] for name in ("suite", "fitted", "made_with", "machine", "versions")] == [
        "demo (quick scale, with seeds=2)",
        "2020-01-01",
        "v1",
        "some | chip",
        "python 3.x",
    ]
    assert rows["dense"]["rank"] == ""
    interval = row(results, "low").rank.interval
    low_high = float(rows["low"]["rank_low"]), float(rows["low"]["rank_high"])
    assert low_high == pytest.approx((interval.low, interval.high), rel=1e-3)


def test_the_small_table_says_who_may_be_the_best_of_a_track_and_of_a_preset(make):
    near = {"a": 0.71, "b": 0.69, "c": 0.7}
    cells = [
        board_cell(make, method, value, dataset, draw_id=dataset, total_time=seconds)
        for dataset, other in near.items()
        for method, value, seconds in (
            ("dense", 0.9, 1.0),
            ("low", 0.2, 1.0),
            ("mid", 0.701, 1.0),
            ("near", other, 99.0),
            ("poor", 0.4, 1.0),
        )
    ]
    make.draw("a", n_features=50)
    make.draw("b")
    make.draw("c")
    results = board_run(make, cells)
    rows = small(results)
    assert [name for name, row in rows.items() if row["optimisation_tied"]] == ["mid", "near"]
    interval = row(results, "poor").scores["optimisation"].interval
    bounds = [float(rows["poor"][f"optimisation_{which}"]) for which in ("low", "high")]
    assert bounds == pytest.approx([interval.low, interval.high], rel=1e-3)
    assert {name: row["wide_rank"] for name, row in rows.items()} == {
        "mid": "2.5",
        "near": "1.5",
        "poor": "3.5",
        "low": "4.5",
        "dense": "",
    }
    assert [name for name, row in rows.items() if row["fast_rank"]] == ["mid", "poor", "low"]
    assert rows["mid"]["fast_rank"] == rows["mid"]["rank"]
    assert (rows["mid"]["tier"], rows["mid"]["fast_tier"], rows["near"]["fast_tier"]) == ("1", "1", "")


def test_a_run_without_a_report_says_so(make):
    results = three(make, dense=0.9, low=0.2)
    assert "It has no report" in page(site([results], {}), "runs/run/index.html", results)


def test_a_method_has_its_ranks_and_its_records(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6)
    text = page(site([results], {}), "methods/mid.html", results)
    assert [word for word in ("Where it wins and loses", "Results", "Records") if word not in text] == []
    assert "a-mid-0" in text
    assert "a-low-0" not in text
    assert '<a href="../datasets/a.html">a</a>' in text


def test_runs_that_make_no_site_are_refused(make):
    results = three(make, dense=0.9, low=0.2)
    with pytest.raises(InputError, match="no run has results in a track"):
        site([make([board_cell(make, "dense", 0.5)])], {})
    with pytest.raises(InputError, match="two runs have folders of one name"):
        site([results, results], {})
    with pytest.raises(InputError, match="did you mean 'low'"):
        site([results], {}, simple="lwo")
    with pytest.raises(InputError, match="no method of these runs has no target"):
        site([three(make, low=0.2, mid=0.3)], {})
