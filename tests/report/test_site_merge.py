"""Several runs of one suite, and runs that are not finished, made into one site."""

import math
from dataclasses import replace

import pytest
from boards import three

from spcabench.site.build import site
from spcabench.site.merge import merged
from spcabench.site.tasks import tasks


@pytest.fixture
def later(make, tmp_path):
    return type(make)(tmp_path / "later")


def value(results, method, dataset="a"):
    frame = results.frame
    return frame.loc[(frame["method"] == method) & (frame["dataset"] == dataset), "cpev"].tolist()


def dated(results, day):
    results.frame["fitted_at"] = f"2021-01-0{day}T00:00:00+00:00"
    return results


def test_of_each_cell_the_newest_record_counts_whatever_the_order(make, later):
    old = dated(three(make, dense=0.9, low=0.2, mid=0.6), 1)
    new = dated(three(later, mid=0.7, added=0.8), 2)
    for runs in ([old, new], [new, old]):
        ((whole,), _) = merged(runs)
        assert [value(whole, name) for name in ("low", "mid", "added")] == [[0.2], [0.7], [0.8]]
        assert len(whole.frame) == 12
        assert whole.folder.path.name == "later"


def test_what_does_not_agree_is_said(make, later):
    old = dated(three(make, dense=0.9, low=0.2, mid=0.6), 1)
    new = dated(three(later, low=0.2, mid=0.7), 2)
    new.frame.loc[new.frame["method"] == "mid", "key"] = "changed"
    said = " ".join(merged([old, new])[1])
    assert "Runs of the suite demo are merged: run, then later." in said
    assert (
        "6 cells finished in more than one of them; in 3 the method or its parameters changed (the keys of the records "
        "differ), and in 3 a score differs by more than its margin."
    ) in said
    assert merged([old])[1] == []


def test_data_that_were_drawn_anew_replace_the_older_ones(make, later):
    old = dated(three(make, dense=0.9, low=0.2, mid=0.6), 1)
    new = dated(three(later, low=0.3), 2)
    new.frame.loc[new.frame["dataset"] == "a", "draw_id"] = "another"
    (found,), said = merged([old, new])
    assert [value(found, name) for name in ("dense", "low", "mid")] == [[], [0.3], []]
    assert "The data set a is not drawn alike in all of them: only records of its newest draws count." in said


def test_draws_are_found_in_any_of_the_folders(make, later):
    make.draw("draw0")
    whole = merged([dated(three(make, dense=0.9, low=0.2), 1), dated(three(later, mid=0.7), 2)])[0][0]
    assert whole.folder.draw("draw0")["label"] == "toy"


def test_a_record_that_is_there_counts_before_one_that_waits(make, later):
    old, new = dated(three(make, dense=0.9, low=0.2, mid=0.6), 1), dated(three(later, mid=math.nan), 2)
    new.frame["status"] = "interrupted"
    ((whole,), _) = merged([old, new])
    assert value(whole, "mid") == [0.6]


def test_a_site_of_two_runs_has_a_page_for_each_and_one_row_a_method(make, later):
    made = site([dated(three(make, dense=0.9, low=0.2, mid=0.6), 1), dated(three(later, mid=0.7, added=0.8), 2)], {})
    assert set(made.places["run"]) == {"run", "later"}
    assert sorted(made.places["method"]) == ["added", "dense", "low", "mid"]
    front = str(made.pages[0])
    assert "the newest record counts" in front
    assert "of the 3 methods that enter each" in front


def test_runs_of_different_suites_stay_apart(make, later):
    old, new = three(make, dense=0.9, low=0.2), three(later, dense=0.9, low=0.2)
    other = replace(new, suite=new.suite.model_copy(update={"name": "other"}))
    assert len(merged([old, other])[0]) == 2


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
