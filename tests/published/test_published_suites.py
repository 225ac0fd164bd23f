"""The suites that set published numbers beside ours: each number is reached, or the suite says why it is not."""

import os
from pathlib import Path

import pytest

from spcabench.plugins import load_registry
from spcabench.report.document import overview
from spcabench.report.model import Results
from spcabench.report.published import pairs
from spcabench.report.render.markdown import page
from spcabench.run import host
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import load_suite

COLON = Path(os.environ.get("SPCABENCH_DATA", "")) / "colon"
needs_colon = pytest.mark.skipif(not COLON.is_dir(), reason="SPCABENCH_DATA has no colon")
SUITES = [
    ("spcart_pitprops", 56),
    ("spcart_synthetic", 36),
    ("cop_pitprops", 8),
    ("cop_hastie", 6),
    ("pitprops", 4),
    pytest.param("cop_colon", 5, marks=needs_colon),
    pytest.param("cop_path_curves", 9, marks=needs_colon),
]


REACHED = ("matches", "within the spread")
DRAWN = [
    ("toy_outlier", 46, ["seeds=4"]),
    ("hastie_outlier", 82, ["seeds=4", "datasets.0.params.outlier_variance=[6000]"]),
]


def results(name, folder, settings=()):
    registry = load_registry()
    loaded = load_suite(name, registry, ["repeats=1", *settings])
    host.run(loaded.suite, loaded.plan, registry, folder, host.Options(isolation=False), lambda event: None)
    metrics = {entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics}
    frame = results_frame(folder, loaded.plan)
    return Results(suite=loaded.suite, folder=folder, frame=frame, metrics=metrics, command="", about={})


@pytest.mark.parametrize(("name", "numbers"), SUITES)
def test_every_number_is_reached_or_the_suite_says_why_not(name, numbers, tmp_path):
    run = results(name, RunFolder(tmp_path / "run"))
    found = explained(run, numbers)
    assert sum(pair.verdict == "matches" for pair in found) >= len(found) / 2


@pytest.mark.parametrize(("name", "numbers", "settings"), DRAWN)
def test_a_number_of_one_draw_lies_within_the_spread_over_ours_or_the_suite_says_why_not(
    name, numbers, settings, tmp_path
):
    run = results(name, RunFolder(tmp_path / "run"), settings)
    found = explained(run, numbers)
    assert sum(pair.verdict in REACHED for pair in found) >= len(found) * 2 / 3


def explained(run, numbers):
    found = [pair for block in run.suite.published for pair in pairs(run, block)]
    assert len(found) == numbers
    assert not [
        (pair.method, pair.metric, pair.published, pair.measured.mean)
        for pair in found
        if pair.verdict not in REACHED and not pair.reason
    ]
    return found


def test_one_page_has_the_numbers_of_several_runs(tmp_path):
    runs = [results(name, RunFolder(tmp_path / name)) for name in ("cop_hastie", "spcart_synthetic")]
    text = page(overview(runs))
    assert text.startswith("# Published numbers beside ours\n\n42 numbers: 40 matches, 2 differs.")
    assert text.count("\n## ") == 2
    assert "| SPCArt T-l0" in text
