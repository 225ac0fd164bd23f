"""What a suite or a run's folder holds never runs, and never writes outside the run's folder."""

import os
import pickle

import numpy as np
import pytest

from spcabench.wording import InputError

OUTSIDE = "../../outside"


def outside(run):
    """Return the files about a run's folder, two folders up, that are not in it."""
    return {file for file in run.parents[1].rglob("*") if run not in (file, *file.parents)}


@pytest.mark.parametrize("name", [OUTSIDE, "/tmp/outside", "a/b", "..", ".hidden", "a\0b", "a b"])
def test_the_name_of_a_suite_names_no_place(here, name):
    with pytest.raises(InputError, match="name is"):
        here(name=name)


def test_labels_and_titles_write_nothing_outside(cli, suite_file, place):
    suite = suite_file(
        title=OUTSIDE,
        methods=[{"name": "axes", "label": OUTSIDE}, {"name": "raises", "label": "/tmp/outside"}],
        datasets=[{"name": "spiked", "label": "../..", "params": {"n": 50, "d": 8, "spikes": [9.0]}}],
        metrics=["cpev", "mean_nnz"],
    )
    before = outside(place / "out")
    host = cli("run", suite, "-o", place / "out")
    _, err = host.communicate(timeout=120)
    assert host.returncode == 1, err
    assert outside(place / "out") == before


class Harm:
    """Touches a file when it is unpickled."""

    def __init__(self, file):
        self.file = str(file)

    def __reduce__(self):
        return os.mkdir, (self.file,)


def test_arrays_of_a_run_are_read_without_pickle(here, cli, place):
    harmed = place / "harmed"
    frame, folder, _ = here(metrics=["cpev"])
    np.savez(folder.loadings_file(frame.key[0]), components=np.array([Harm(harmed)], dtype=object), mean=np.zeros(8))
    pickle.loads(pickle.dumps(Harm(harmed)))
    harmed.rmdir()  # what unpickling does
    (draw,) = folder.path.glob("draws/*.npz")
    np.savez(draw, X=np.array([Harm(harmed)], dtype=object))
    assert folder.loadings(frame.key[0]) is None
    assert folder.samples(draw.stem) is None
    assert cli("report", folder.path).wait(60) == 0
    here(options={"rescore": True}, metrics=["cpev"])
    assert not harmed.exists()


@pytest.mark.parametrize("text", ["[]", "{}", "null", "1e999", '{"key": 1', '{"key": "a", "unknown": 1}', "\0"])
def test_a_file_that_is_no_record_counts_as_none(here, text):
    frame, folder, _ = here()
    (folder.path / "records" / f"{frame.key[0]}.json").write_text(text)
    assert folder.record(frame.key[0]) is None
    again, _, _ = here()
    assert again.status[0] == "ok"
