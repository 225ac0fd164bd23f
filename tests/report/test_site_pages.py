"""The leaderboard site: what its pages say, worked out by hand, and pages that lead where they say."""

import csv
import io
import math
import re

import numpy as np
import pytest
from boards import board_cell, board_run, of, row, score, three, track

from spcabench.report.standings import SURE
from spcabench.report.tasks import tasks
from spcabench.site import small_table
from spcabench.site.board_page import table_of
from spcabench.site.build import site, write
from spcabench.site.headline import by_track, conclusions, headline
from spcabench.site.presets import presets
from spcabench.site.scores import controls_of
from spcabench.wording import InputError

NASTY = "<img src=x onerror=alert()>"
MANY = tuple("abcdefghijkl")


def many(make, datasets=MANY, seeds=1, **methods):
    """Return a run on many data sets, on each of which a method has one value."""
    return board_run(make, methods, seeds, datasets, total_time=0.01)


def skip(results, method, *datasets):
    away = (results.frame["method"] == method) & results.frame["dataset"].isin(datasets)
    results.frame.loc[away, "status"] = "skipped"
    return results


def written(results, path="index.html"):
    output = results.folder.path.parent / "site"
    write(site([results], {}), output, "Made.")
    return (output / path).read_text()


def values(table):
    return [[entry.value for entry in one.entries] for one in table.rows]


# Leaderboards


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"status": "skipped", "reason": "it needs samples"}, "it needs samples"),
        ({"nnz": (6, 4, 2), "knob": "penalty"}, "it reaches its nonzeros only in total"),
        ({"status": "interrupted"}, "it is not finished yet"),
    ],
)
def test_who_cannot_enter_says_why(make, changes, reason):
    results = board_run(make, {"dense": 0.5, "low": 0.5, "out": changes})
    assert row(results, "out").outside == {"span": reason}
    assert row(results, "out").rank is None
    assert f"cannot enter: {reason}" in written(results)


def test_who_enters_some_data_sets_alone_is_on_no_front_no_leader_and_not_bold(make):
    results = skip(three(make, dense=0.9, low=0.2, mid=0.6, some=0.9), "some", "a")
    found = of(results)
    assert score(results, "some") == pytest.approx(100)
    assert not row(results, "some").front
    assert "100.0 on 2 of 3" in written(results)
    assert [one.method for one in found.rows] == ["mid", "low", "some", "dense"]  # though its mean rank is better
    assert "mid has the best mean rank of the 2 methods that" in headline(found)
    shown = table_of(found)
    assert [field.heading for field in shown.fields] == [
        *("method", "mean rank", "tier", "time, ratio", "span", "fits of the search", "failed or missed")
    ]
    assert [row.entries[0].value for row in shown.rows if row.entries[4].best] == ["mid"]


def test_the_headline_says_who_wins_by_how_much_and_how_certainly(make):
    shift = {"a": 0.0, "b": 0.1, "c": 0.2}
    values = {"dense": 0.9, "low": 0.1, "mid": lambda a, _: 0.3 + shift[a], "top": lambda a, _: 0.5 + shift[a]}
    found = of(board_run(make, values))
    assert headline(found) == (
        "Over 3 data sets in 1 track, top has the best mean rank of the 3 methods that enter each, against the "
        "panel of 3: 1.5 (95 % interval 1.5 to 1.5).  3 data sets cannot tell any two of 3 methods apart, which "
        "takes 7 or more: that lead may be chance."
    )
    assert dict(by_track(found))["span"] == (
        "by cpev, top leads with 62.5 points, 25.0 above mid; "
        "the 95 % interval of that difference over 3 data sets is 25.0 to 25.0"
    )
    assert "mid and same share the best mean rank" in headline(of(three(make, dense=0.9, low=0.2, mid=0.6, same=0.6)))


def test_what_is_sure_and_what_is_not(make):
    values = {"dense": 0.9, "low": 0.1, "near": lambda a, _: 0.518 if a in MANY[::3] else 0.488, "top": 0.5}
    said = headline(of(many(make, **values)))
    assert "top is surely better than 1 of the other 2; near may be the best as well." in said
    top = {"a": 0.6, "b": 0.3, "c": 0.45}
    ((_, said),) = by_track(of(three(make, dense=0.9, low=0.1, mid=0.4, top=lambda a, _: top[a])))
    assert said.endswith("which holds 0: it is not certain")


@pytest.fixture
def situations(make):
    """Return cells of a wide data set, one with outliers and a third, methods near the best, exact, slow and poor."""
    near = {"a": 0.71, "b": 0.69, "c": 0.7}
    values = {"dense": 0.9, "low": 0.2, "mid": 0.701, "near": near, "poor": 0.4}

    def cells(method, value):
        return lambda dataset, _: {
            "cpev": value[dataset] if method == "near" else value,
            "draw_id": dataset,
            "total_time": 99.0 if method == "near" else 1.0,
            "n_components": 1 if dataset == "c" else 3,
            "err": 0.0 if method == "mid" else 1.0,
        }

    make.draw("a", n_features=50)
    make.draw("b", facts=["samples", "clean"])
    make.draw("c")
    return make, {method: cells(method, value) for method, value in values.items()}


def boards_of(results):
    return list(presets([results], list(tasks(results)), controls_of([results])))


def test_presets_choose_data_sets(situations):
    make, cells = situations
    found = {one.name: one.board for one in boards_of(board_run(make, cells, tracks=[track("span", "err")]))}
    chosen = {"index": "abc", "wide": "a", "outliers": "b", "several": "ab"}
    assert {name: "".join(task.dataset for task in one.tasks) for name, one in found.items()} == chosen


def test_the_small_table_has_a_row_for_each_method_and_says_what_it_was_made_with(situations):
    results = board_run(*situations)
    text = small_table.text(boards_of(results), [results], "v1")
    rows = {row["method"]: row for row in csv.DictReader(io.StringIO(text))}
    assert list(rows) == ["mid", "near", "poor", "low", "dense"]
    mid = rows["mid"]
    assert [mid[name] for name in ("datasets", "span", "recovery", "tier")] == ["3", "71.57", "", "1"]
    assert [mid[name] for name in ("panel", "scoring", "failed", "planned")] == ["low, mid, near, poor", "2", "0", "3"]
    assert (mid["time_ratio"], rows["near"]["time_ratio"], rows["dense"]["rank"]) == ("1.0", "99.0", "")
    made = [mid[name] for name in ("suite", "fitted", "made_with", "machine", "versions")]
    assert made == ["demo (quick scale, with seeds=2)", "2020-01-01", "v1", "some | chip", "python 3.x"]
    standing = row(results, "mid")
    for name, one in (("rank", standing.rank), ("span", standing.scores["span"])):
        held = [float(mid[f"{name}_{end}"]) for end in ("low", "high")]
        assert held == pytest.approx([one.interval.low, one.interval.high], rel=1e-3)
    assert [name for name, one in rows.items() if one["span_tied"]] == ["mid", "near"]
    assert [one["wide_rank"] for one in rows.values()] == ["2.5", "1.5", "3.5", "4.5", ""]


# Files and links


def test_each_link_leads_to_a_file_of_the_site(make):
    datasets = ("a", "b/../c", NASTY)
    results = board_run(make, dict.fromkeys(("dense", "low", NASTY, "x y"), 0.5), datasets=datasets)
    assert "It has no report" in written(results, "runs/run/index.html")
    (results.folder.path / "report.html").write_text("the report")
    output = results.folder.path.parent / "site"
    write(site([results], {}), output, "Made.")
    pages = [file for file in output.rglob("*.html") if file.name != "report.html"]
    assert len(pages) == 2 + 4 + 3 + 1 + 2
    for file in pages:
        text = file.read_text()
        assert NASTY not in text
        assert "http" not in text
        for link in re.findall(r'href="([^"#:]+)"', text):
            assert (file.parent / link).is_file(), (file, link)
    assert (output / "runs/run/report.html").is_file()
    assert (output / "runs/run/records.csv").read_text().count("\n") == 1 + 4 * 3
    assert '<a href="methods/low.html">low</a>' in (output / "index.html").read_text().partition("<main>")[2]
    made = (output / "making.html").read_text()
    assert "c0 is low, refitted on its support, and c1 is dense" in made
    assert "held to -100 and 120" in made
    assert "spcabench run demo --plugin my_method.py" in (output / "adding.html").read_text()


def test_a_method_has_its_ranks_which_lead_to_the_data_sets(make):
    text = written(three(make, dense=0.9, low=0.2, mid=0.6), "methods/mid.html")
    assert [word for word in ("On the leaderboard", "Where it wins and loses", "Results") if word not in text] == []
    assert '<a href="../datasets/a.html">a</a>' in text


def test_runs_that_make_no_site_are_refused(make, tmp_path):
    results = three(make, dense=0.9, low=0.2)
    for runs, simple, message in (
        ([make([board_cell(make, "dense", 0.5)])], "", "no run has results in a track"),
        ([results, results], "", "two runs have folders of one name"),
        ([results, three(type(make)(tmp_path / "later"), dense=0.9)], "", "two runs are of one suite at one scale"),
        ([results], "lwo", "did you mean 'low'"),
        ([three(make, low=0.2, mid=0.3)], "", "no method of these runs has no target"),
    ):
        with pytest.raises(InputError, match=message):
            site(runs, {}, simple=simple)


def test_a_data_set_with_open_cells_is_shown_and_ranks_nobody(make):
    def later(dataset, _):
        return {"cpev": 0.1} if dataset == "a" else {"status": "pending", "cpev": math.nan}

    results = three(make, dense=0.1, low=0.1, mid=0.6, later=later)
    assert [(task.dataset, task.open) for task in tasks(results)] == [("a", False), ("b", True), ("c", True)]
    made = site([results], {})
    front = str(made.pages[0])
    assert "Not finished yet, and so not counted: b, c." in front
    assert "of the 3 methods that enter each" in front
    (page,) = [str(page) for page in made.pages if page.title == "b"]
    assert "1 of 4 cells are not finished" in page


# What is certain


def test_many_data_sets_tell_methods_apart_and_few_do_not(make):
    found = " ".join(conclusions(of(many(make, dense=0.9, low=0.2, mid=0.6, top=0.8))))
    assert "they are not all alike" in found
    assert "so 3 pairs are told apart, and 0 are not" in found
    few = " ".join(conclusions(of(three(make, dense=0.9, low=0.2, mid=0.6, top=0.8))))
    assert "No pair of 3 methods can be told apart on 3 data sets, whatever the values: that takes 7." in few


def block(made, path, heading):
    """Return what stands in a section of a page."""
    (page,) = (page for page in made.pages if page.path == path)
    return next(section.blocks for section in page.sections if section.heading == heading)


def test_a_method_meets_each_other_one_that_enters_each_data_set(make):
    made = site([skip(many(make, dense=0.9, low=0.2, mid=0.6, some=0.9), "some", "a", "b")], {})
    (met,) = block(made, "methods/mid.html", "Against each other method")
    assert values(met) == [["low", 12, 0, 0, pytest.approx(2 / 2**12), "surely better"]]
    (note,) = block(made, "methods/some.html", "Against each other method")
    assert "does not enter each data set" in note.text


def test_methods_and_data_sets_have_their_rows_of_the_tables_of_the_report(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6)
    results.frame.loc[results.frame["key"] == "a-mid-0", ["status", "reason"]] = ["timeout", "slow"]
    made = site([results], {})
    (cells,) = block(made, "methods/mid.html", "Cells that did not finish")
    assert [row[:1] + row[-3:] for row in values(cells)] == [["a", "timeout", "slow", "a-mid-0"]]
    (rows,) = block(made, "datasets/a.html", "Results")
    assert [row.method for row in rows.rows] == ["dense", "low", "mid"]


# Planted truths on simulated leaderboards


def leaderboard(make, seed, n=20, m=10, draws=4):
    """Simulate a leaderboard: copy is a copy of the method one, and worse is it with 2 % less variance."""
    rng = np.random.default_rng(seed)
    true = 0.7 - np.abs(rng.normal(0, 0.02, m)) + rng.normal(0, 0.01, (n, m))
    names = ["one", "copy", "worse", *(f"other{place}" for place in range(m - 3))]
    true[:, 1], true[:, 2] = true[:, 0], true[:, 0] * 0.98
    values = true + rng.normal(0, 0.01, (draws, n, m))
    datasets = [f"data {place}" for place in range(n)]
    cells = {
        name: lambda dataset, draw, column=column: values[draw, datasets.index(dataset), column]
        for column, name in enumerate(names)
    }
    return board_run(make, {"dense": 0.9, **cells}, draws, datasets)


@pytest.mark.nightly
def test_copies_tie_and_two_percent_less_are_found_on_simulated_leaderboards(make):
    tied = found = 0
    for seed in range(20):
        met = of(leaderboard(make, seed)).contest
        one, copy, worse = map(met.methods.index, ("one", "copy", "worse"))
        tied += met.p[one, copy] > SURE
        found += met.p[one, worse] <= SURE and met.wins[one, worse] > met.wins[worse, one]
    assert tied == 20
    assert found >= 18
