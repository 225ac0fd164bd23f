"""The verbs export and compare on a run made by hand."""

import pandas as pd
import pytest
from kept import TIMING, keep

from spcabench.plugins import load_registry
from spcabench.store.about import About
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.suite.load import load_suite

SUITE = """\
name: tiny
datasets: [pitprops]
methods: [pca, tpower]
n_components: 2
n_nonzero: [5]
seeds: 2
metrics: [cpev]
"""


def kept_run(path, change=lambda cell, fields: fields, suite=SUITE):
    """Keep a run whose records nobody fitted."""
    folder = RunFolder(path)
    folder.make()
    folder.keep_suite(suite)
    plan = load_suite(str(folder.suite_file), load_registry(())).plan
    for place, cell in enumerate(plan.cells):
        fields = {"status": "ok", "metrics": {"cpev": 0.5 + place / 10}, "timing": TIMING}
        fields = change(cell, fields)
        keep(folder, Record(key=f"key{place}", cell=cell.identity, **fields))
    folder.keep_index({cell.id: f"key{place}" for place, cell in enumerate(plan.cells)})
    folder.keep_about(About(command="spcabench run tiny", environment={"CPU": path.name}))
    return str(path)


def test_export_writes_the_file(tmp_path, command):
    run, file = kept_run(tmp_path / "a"), tmp_path / "new" / "all.csv"
    assert str(file) in command("export", run, "-o", file)[1]
    assert pd.read_csv(file)["cpev"].tolist() == [0.5, 0.6, 0.7, 0.8]


def test_export_says_why_it_cannot_write(tmp_path, command):
    run = kept_run(tmp_path / "a")
    (tmp_path / "file").write_text("")
    code, _, err = command("export", run, "-o", tmp_path / "file" / "below.csv")
    assert code == 2
    assert "cannot be written" in err
    assert "resumes" not in err


@pytest.mark.parametrize("arguments", [("-o", "all.xlsx"), ("-o", "all")])
def test_export_refuses_a_name_that_does_not_fit(tmp_path, command, arguments):
    code, _, err = command("export", kept_run(tmp_path / "a"), *arguments)
    assert code == 2
    assert "Usage: " in err


def test_runs_without_a_cell_in_common_are_not_compared(tmp_path, command):
    a, b = kept_run(tmp_path / "a"), kept_run(tmp_path / "b")
    RunFolder(tmp_path / "b").keep_suite(SUITE.replace("pca, tpower", "rsvd_l0"))
    code, _, err = command("compare", a, b)
    assert code == 2
    assert "share no cell" in err


def test_compare_finds_nothing_between_equals(tmp_path, command):
    shown = command("compare", kept_run(tmp_path / "a"), kept_run(tmp_path / "b"))[1]
    assert "4 in both runs, 4 of them finished in both." in shown
    assert "None, in 4 cells." in shown
    assert "slower" not in shown
    assert "Statuses that changed" not in shown


def test_compare_tells_what_changed(tmp_path, command):
    def change(cell, fields):
        if cell.method.label == "tpower":
            return fields | {"metrics": {"cpev": 0.1}}
        return fields | ({"status": "timeout", "reason": "30 s", "metrics": {}} if cell.seed else {})

    shown = command("compare", kept_run(tmp_path / "a"), kept_run(tmp_path / "b", change))[1]
    rows = [line for line in shown.splitlines() if "| cpev" in line]
    assert len(rows) == 2
    assert all("tpower" in row and "worse" in row for row in rows)
    assert "## Statuses that changed" in shown
    assert "30 s" in shown
    environment = shown.partition("## Environment")[2].partition("##")[0]
    assert [cell.strip() for cell in environment.splitlines()[-2].split("|")[1:-1]] == ["CPU", "a", "b"]


def test_site_writes_a_leaderboard(tmp_path, command):
    track = "{name: prediction, metric: cpev, datasets: [pitprops]}"
    kept_run(tmp_path / "a", suite=f"{SUITE}tracks: [{track}]\n")
    words = ["site", tmp_path / "a", "-o", tmp_path / "site"]
    code, out, err = command(*words)
    assert code == 0, err
    assert out == f"site: {tmp_path / 'site' / 'index.html'}, 7 pages\n"
    assert "tpower" in (tmp_path / "site" / "index.html").read_text()
    assert "Jeffers" in (tmp_path / "site" / "datasets" / "pitprops.html").read_text()
    assert "8 pages" in command(*words, "--earlier", tmp_path / "site" / "leaderboard.csv")[1]
    assert "0 of " in (tmp_path / "site" / "changes.html").read_text()
