"""The suites that set published numbers beside ours: each number is reached, or the suite says why it is not."""

import os
from pathlib import Path

import pytest

from spcabench.plugins import load_registry
from spcabench.report.overview import overview
from spcabench.report.published import pairs
from spcabench.report.results import Results
from spcabench.run import host
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import load_suite

COLON = Path(os.environ.get("SPCABENCH_DATA", "")) / "colon"
needs_colon = pytest.mark.skipif(not COLON.is_dir(), reason="SPCABENCH_DATA has no colon")
SUITES = [
    ("spcart_pitprops", 56),
    ("spcart_synthetic", 9),
    ("cop_pitprops", 8),
    ("cop_hastie", 6),
    ("pitprops", 4),
    pytest.param("cop_colon", 5, marks=needs_colon),
]


def results(name, folder):
    registry = load_registry()
    loaded = load_suite(name, registry, ["repeats=1"])
    host.run(loaded.suite, loaded.plan, registry, folder, host.Options(isolation=False), lambda event: None)
    metrics = {entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics}
    frame = results_frame(folder, loaded.plan)
    return Results(suite=loaded.suite, folder=folder, frame=frame, metrics=metrics, command="", about={})


@pytest.mark.parametrize(("name", "numbers"), SUITES)
def test_every_number_is_reached_or_the_suite_says_why_not(name, numbers, tmp_path):
    run = results(name, RunFolder(tmp_path / "run"))
    found = [pair for block in run.suite.published for pair in pairs(run, block)]
    assert len(found) == numbers
    unexplained = [
        (pair.method, pair.metric, pair.published, pair.measured.mean)
        for pair in found
        if pair.verdict not in ("matches", "within the spread") and not pair.reason
    ]
    assert not unexplained
    assert sum(pair.verdict == "matches" for pair in found) >= len(found) / 2


def test_one_page_has_the_numbers_of_several_runs(tmp_path):
    runs = [results(name, RunFolder(tmp_path / name)) for name in ("cop_hastie", "spcart_synthetic")]
    page = overview(runs)
    assert page.startswith("# Published numbers beside ours\n\n15 numbers: 15 matches.")
    assert page.count("\n## ") == 2
    assert "| SPCArt T-l0" in page
