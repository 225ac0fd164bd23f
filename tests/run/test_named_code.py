"""Nothing runs that the user did not name, and what a suite holds never writes outside the run's folder."""

import json
import os
import subprocess
import sys

import pytest
from after_runs import records
from odd_suite import ODD

from spcabench.wording import InputError

NAMES = ("json", "random", "statistics", "numpy", "zipfile")


def test_what_lies_in_the_current_folder_is_not_imported(suite_file, place):
    """A plugin is loaded from its path, also its helper modules, which lie beside it."""
    for name in (*NAMES, "odd_methods", "helper_of_mine"):
        (place / f"{name}.py").write_text(f"open({str(place / 'ran')!r}, 'a').write({name!r})\n")
    (place / "mine").mkdir()
    mine = place / "mine" / "odd_methods.py"
    mine.write_text(f"{ODD.read_text()}\nimport helper_of_mine\n")
    (place / "mine" / "helper_of_mine.py").write_text("")
    command = [sys.executable, "-m", "spcabench", "--plugin", str(mine), "run", str(suite_file()), "-o", "out"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert not (place / "ran").exists()
    (record,) = records(place / "out").values()
    assert json.loads(record)["status"] == "ok"


def test_the_dask_worker_takes_the_plugin_that_came_with_the_task(place, monkeypatch):
    """A file of its name in the worker's folder made every cell unavailable."""
    from spcabench.run.executors import dask_worker
    from spcabench.run.messages import ScoreTask
    from spcabench.store.record import Facts, Timing
    from spcabench.suite.models import Limits

    (place / "odd_methods.py").write_text("SOMETHING = 'else'\n")
    monkeypatch.setattr(dask_worker, "code_hash", lambda target: "other")
    task = ScoreTask(draw=place, loadings={}, facts=Facts(), timing=Timing(), metrics=())
    code = {"odd_methods:Axes": "the host's", "numpy:mean": "the host's"}
    sent = dask_worker.RemoteTask(task=task, code=code, limits=Limits(time=1.0, memory=1.0))
    assert dask_worker.foreign_code({"odd_methods"}, sent) == ["numpy:mean"]


VERBS = """
import sys
from spcabench.cli import main
program, *plugins, suite, folder = sys.argv
run = ["run", suite, "-o", folder], 1
reads = [([verb, folder], 0) for verb in ("status", "report")]
exports = [(["export", folder, "-o", f"all.{kind}"], 0) for kind in ("csv", "tex", "json", "parquet")]
for words, wanted in (run, run, *reads, *exports):
    sys.argv = [program, *plugins, *words]
    try:
        main()
    except SystemExit as ended:
        assert ended.code == wanted, words
"""
"""Verbs one after the other in one process, which need not import everything eight times."""


def test_text_that_no_terminal_or_encoding_has_does_no_harm(suite_file, plugin, place):
    """An undecodable file name in an error, colours, titles of windows; report, export and resume work."""
    code = (
        "from odd_methods import Axes\nclass Says(Axes):\n    def fit(self, X, y=None):\n"
        "        raise OSError(2, '\\x1b[31mred\\x1b]0;title\\x07', '/x/\\udce9\\u202e.csv')\n"
    )
    file = plugin("says", code, "MethodSpec(name='says', estimator='says:Says', knob=CARDINALITY)")
    folder = os.fsdecode(b"r\xe9sultats")
    plugins = ["--plugin", str(ODD), "--plugin", str(file)]
    suite = str(suite_file(methods=["axes", {"name": "says", "label": "=says ± é"}]))
    command = [sys.executable, "-c", VERBS, *plugins, suite, folder]
    environment = {**os.environ, "SPCABENCH_PLUGINS": "", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(command, cwd=place, capture_output=True, timeout=120, check=False, env=environment)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    assert b"\x1b" not in done.stdout + done.stderr
    cells = (place / "all.csv").read_text(encoding="utf-8")
    assert ",'=says ± é," in cells
    assert "\\x1b[31mred\\x1b]0;title\\x07: '/x/\\udce9\\u202e.csv'" in cells


OUTSIDE = "../../outside"


def outside(run):
    """Return the files about a run's folder, two folders up, that are not in it."""
    return {file for file in run.parents[1].rglob("*") if run not in (file, *file.parents)}


@pytest.mark.parametrize("name", [OUTSIDE, "/tmp/outside", "a/b", "..", ".hidden", "a\0b", "a b"])
def test_the_name_of_a_suite_names_no_place(here, name):
    with pytest.raises(InputError, match="name is"):
        here(name=name)


def test_labels_and_titles_write_nothing_outside(verb, suite_file, place):
    suite = suite_file(
        title=OUTSIDE,
        methods=[{"name": "axes", "label": OUTSIDE}, {"name": "raises", "label": "/tmp/outside"}],
        datasets=[{"name": "spiked", "label": "../..", "params": {"n": 50, "d": 8, "spikes": [9.0]}}],
        metrics=["cpev", "mean_nnz"],
    )
    before = outside(place / "out")
    code, _, err = verb("run", suite, "-o", place / "out", "--no-isolation")
    assert code == 1, err
    assert outside(place / "out") == before
