"""The machine and the versions are told, and a run that goes on in another environment says so."""

import importlib.metadata

import pytest

from spcabench.run import environment
from spcabench.run.environment import CHANGED, describe


def test_all_that_matters_to_results_and_times_is_told():
    told = describe()
    assert f"spcabench {importlib.metadata.version('spcabench')}" in told["plugins"].split(", ")
    assert told["BLAS"].count(" (") >= 1
    for name in ("python", "numpy", "scipy", "system", "CPU", "cores", "memory"):
        assert told[name], name


def test_a_plugin_file_is_told_by_its_path_and_content(tmp_path):
    files = [tmp_path / name for name in ("mine.py", "yours.py")]
    for file in files:
        file.write_text(f"a = {file.name!r}\n")
    told = describe(files)
    assert len({told[f"plugin {file}"] for file in files}) == 2


@pytest.fixture
def elsewhere(monkeypatch):
    """Go to a machine with so many cores."""

    def go(cores):
        there = {**describe(), "cores": cores}
        monkeypatch.setattr("spcabench.run.environment.describe", lambda plugins: there)

    return go


def test_the_pools_are_in_one_order(monkeypatch):
    pools = [
        {"internal_api": "openblas", "version": version, "architecture": "x", "num_threads": 1}
        for version in ("0.3.31", "0.3.30")
    ]
    shown = []
    for found in (pools, pools[::-1]):
        monkeypatch.setattr("threadpoolctl.threadpool_info", lambda found=found: found)
        shown.append(environment.pools())
    assert shown[0] == shown[1] == ["openblas 0.3.30 (x)", "openblas 0.3.31 (x)"]


def test_a_run_that_goes_on_elsewhere_says_so(here, elsewhere):
    def said(events):
        return [event.text for event in events if event.loud]

    def kept(folder):
        return folder.about().environment

    elsewhere("3")
    _, folder, events = here(seeds=1)
    assert said(events) == []
    assert CHANGED not in kept(folder)
    assert kept(folder)["threads of a fit"] == "1"
    elsewhere("5")
    _, folder, events = here(seeds=2)
    assert said(events) == [f"the environment {CHANGED}: cores: 3 -> 5"]
    for cores in ("3", "5", "3"):
        elsewhere(cores)
        _, folder, events = here(seeds=2)
    assert kept(folder)[CHANGED] == "cores: 3 -> 5; cores: 5 -> 3", "each change once"
