"""Running again is resuming: only what is missing or stale is done."""

from dataclasses import replace

import numpy as np
import pytest
from after_runs import change

from spcabench.wording import InputError


@pytest.fixture
def log(place, monkeypatch):
    """Count fits: each writes its seed; none is so short that it is made once more."""
    file = place / "log.txt"
    monkeypatch.setenv("ODD_LOG", str(file))
    monkeypatch.setattr("spcabench.run.worker.fit.SHORT", 0.0)
    return lambda: file.read_text().split() if file.exists() else []


def test_a_finished_run_fits_nothing_again(here, log):
    first, _, _ = here(seeds=3, repeats=2)
    assert len(log()) == 6
    second, _, events = here(seeds=3, repeats=2)
    assert len(log()) == 6
    assert first.equals(second)
    assert "3 of 3 cells are done already" in events[0].text


def test_what_is_done_is_found_after_the_data_are_drawn_again(here, log):
    """The kept draws are gone, so that the keys of their cells are not known before they are drawn again."""
    _, folder, _ = here(seeds=3, methods=["axes", "warns"])
    change(folder.path, "DELETE FROM draws")
    lines = [event.text for event in here(seeds=3, methods=["axes", "warns"])[2]]
    said = "2 of 6 cells are done already"
    drawn = [f"drawing spiked, seed {seed}" for seed in range(3)]
    assert lines == [drawn[0], said, *drawn[1:]]
    assert len(log()) == 6


def test_more_seeds_repeats_and_metrics_do_only_what_is_missing(here, log):
    here(seeds=2)
    here(seeds=3)
    assert len(log()) == 3
    frame, folder, _ = here(seeds=3, repeats=3)
    assert len(log()) == 9
    timings = [folder.record(key).timing for key in frame.key]
    assert all(len(timing.fit_time) == len(timing.cold_time) == 3 for timing in timings)
    assert frame.cold_time.tolist() == [np.median(timing.cold_time) for timing in timings]
    frame, _, _ = here(seeds=3, repeats=3, metrics=["cpev", "mean_nnz", "nor"])
    assert len(log()) == 9, "a new metric is computed from the stored loadings"
    assert (frame.nor == 0).all()


def test_only_and_skip_choose_by_label_and_leave_the_rest_for_later(here, log):
    both = {"methods": ["axes", "warns"], "seeds": 2}
    frame, folder, _ = here(**both, options={"only": ["ax*"]})
    assert len(log()) == 2
    assert frame.set_index("method").status.to_dict() == {"axes": "ok", "warns": "pending"}
    frame, _, events = here(**both, options={"skip": ["axes"]})
    assert len(log()) == 4
    assert set(frame.status) == {"ok"}
    assert all("done already" not in event.text for event in events)
    here(**both, options={"only": ["spiked"], "skip": ["*"]})
    assert len(log()) == 4
    assert len(folder.index) == 4


@pytest.mark.parametrize("option", ["only", "skip"])
def test_a_pattern_that_matches_nothing_touches_nothing(here, log, option):
    _, folder, _ = here()
    before = {file: file.read_bytes() for file in folder.path.rglob("*") if file.is_file()}
    with pytest.raises(InputError, match=rf"--{option} axs: no method or data set .*did you mean 'axes'"):
        here(options={option: ["axs"]})
    assert {file: file.read_bytes() for file in folder.path.rglob("*") if file.is_file()} == before


def test_a_changed_suite_in_the_folder_is_said(here):
    words = "this is not the suite that out was last run with"
    assert not any(words in event.text for event in here(seeds=1)[2])
    assert not any(words in event.text for event in here(seeds=1)[2])
    assert sum(words in event.text for event in here(seeds=2)[2]) == 1


def test_metrics_are_computed_anew_without_a_fit(here, log):
    frame, folder, _ = here(seeds=2)
    record = folder.record(frame.key[0])
    folder.save(replace(record, metrics=record.metrics | {"mean_nnz": 7.0}))
    frame, _, _ = here(seeds=2)
    assert frame.mean_nnz.tolist() == [7.0, 1.0]
    frame, _, _ = here(seeds=3, options={"rescore": True})
    assert frame.mean_nnz.tolist()[:2] == [1.0, 1.0]
    assert frame.status.tolist() == ["ok", "ok", "pending"]
    assert len(log()) == 2


def test_a_metric_that_changed_is_computed_anew_without_a_fit(ran, plugin, log):
    for value in (1.0, 2.25):
        code = f"def mine(evaluation):\n    return {value}"
        file = plugin("metric_of_resume", code, "MetricSpec(name='mine', compute='metric_of_resume:mine')")
        frame, _, _ = ran(methods=[{"name": "axes", "params": {"pause": 0.1}}], metrics=["mine"], plugins=[file])
        assert frame.mine[0] == value
    assert len(log()) == 1


def test_retry_fits_chosen_statuses_again(here, log):
    for retry, fits in ((), 2), ((), 2), ({"error"}, 3):
        here(methods=["axes", "raises"], options={"retry": frozenset(retry)})
        assert len(log()) == fits


@pytest.mark.nightly
def test_retry_failed_stands_for_what_makes_the_exit_code_1(verb, suite_file):
    suite = suite_file(methods=["axes", "raises", "not_finite", "unconverged", "needs_labels"])

    def run(*options):
        code, _, err = verb("run", suite, "-o", "out", "--no-isolation", *options)
        assert code == 1
        return [line.split()[1] for line in err.splitlines() if line.startswith("[")]

    assert run() == ["axes", "raises", "not_finite", "unconverged", "needs_labels"]
    assert run() == []
    assert run("--retry", "failed") == ["raises", "not_finite"]
    assert run("--retry", "failed,not_converged") == ["raises", "not_finite", "unconverged"]


def test_results_do_not_depend_on_order_jobs_or_labels(here, ran):
    one, _, _ = here(folder="one", methods=["axes", "warns"], seeds=3)
    two, _, _ = ran(folder="two", methods=["warns", {"name": "axes", "label": "other"}], seeds=3, options={"jobs": 2})
    assert set(one.key) == set(two.key)
    merged = one.merge(two, on="key")
    assert len(merged) == 6
    assert (merged.cpev_x == merged.cpev_y).all()
    assert two.contended.all()


def test_changed_user_data_makes_records_stale(here, place, log):
    data = place / "mine.csv"
    data.write_text("a,b,c\n1,2,3\n3,2,1\n1,1,4\n")
    mine = [{"name": "file", "params": {"path": str(data)}}]
    first, _, _ = here(datasets=mine)
    here(datasets=mine)
    assert len(log()) == 1
    data.write_text("a,b,c\n1,2,3\n3,2,1\n1,1,9\n")
    second, _, _ = here(datasets=mine)
    assert len(log()) == 2
    assert first.key[0] != second.key[0]


def test_data_that_is_not_the_same_when_it_is_drawn_again_ends_the_run(here, plugin):
    code = "import numpy as np\ndef load(rng):\n    return Dataset(X=np.random.default_rng().standard_normal((50, 8)))"
    file = plugin("drifting_data", code, "DatasetSpec(name='drifting', load='drifting_data:load')")
    here(datasets=["drifting"], plugins=[file])
    with pytest.raises(InputError, match="data set drifting: drawn anew, it is not what is on record"):
        here(datasets=["drifting"], plugins=[file], methods=["axes", "warns"])


LOADER = "def load(rng):\n    open('drawn', 'a').write('x')\n    raise ValueError('no data')"


@pytest.mark.parametrize("change", ["", "retry", "loader"])
def test_a_draw_that_failed_is_made_again_only_where_something_changed(here, plugin, place, change):
    def run(module, options):
        file = plugin(module, LOADER, f"DatasetSpec(name='fails', load='{module}:load')")
        return here(options, datasets=["fails"], plugins=[file])[0]

    assert run(f"fails_{change}", {}).reason[0].endswith("ValueError: no data")
    other = "fails_otherwise" if change == "loader" else f"fails_{change}"
    again = run(other, {"retry": {"error"}} if change == "retry" else {})
    assert again.status.tolist() == ["error"]
    assert len((place / "drawn").read_text()) == (2 if change else 1)


def test_a_stand_in_is_used_loudly_or_not_at_all(here, monkeypatch):
    monkeypatch.setenv("SPCABENCH_DATA", "nowhere-at-all")
    monkeypatch.setenv("SCIKIT_LEARN_DATA", "empty")
    absent = [{"name": "mnist", "params": {"digit": 6, "path": "nowhere"}, "stand_in": "digits"}]
    frame, folder, events = here(datasets=absent)
    assert frame.stand_in.all()
    assert frame.dataset[0] == "mnist [stand-in: digits]"
    assert any(event.loud and "digits" in event.text for event in events)
    assert folder.record(frame.key[0]).cell["stand_in"] == "digits"
    del absent[0]["stand_in"]
    with pytest.raises(InputError, match="SPCABENCH_DATA"):
        here(datasets=absent, folder="other")


def test_an_optional_data_set_that_cannot_be_had_is_left_out(here, monkeypatch):
    monkeypatch.setenv("SPCABENCH_DATA", "nowhere-at-all")
    absent = {"name": "covariance_file", "label": "gas", "params": {"name": "gas"}, "optional": True}
    datasets = [absent, {"name": "spiked", "params": {"n": 50, "d": 30}}]
    frame, _, events = here(datasets=datasets)
    lost = frame[frame.dataset == "gas"]
    assert set(lost.status) == {"unavailable"}
    assert all("SPCABENCH_DATA" in reason for reason in lost.reason)
    assert set(frame[frame.dataset == "spiked"].status) == {"ok"}
    assert any(event.loud and event.text.startswith("gas cannot be had, and is left out: ") for event in events)
    again, _, _ = here(datasets=datasets)
    assert list(again.status) == list(frame.status)
