"""What a suite holds never writes outside the run's folder."""

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
