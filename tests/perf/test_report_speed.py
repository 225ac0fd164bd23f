"""The processor time of ``spcabench report`` for 60 cells, whole and by stage; run by ``pytest tests/perf``."""

import resource
import shutil
import subprocess
import sys
from time import process_time

import pytest

from spcabench.cli.execute import results_of
from spcabench.plugins import load_registry
from spcabench.report.build import write
from spcabench.report.contents import document
from spcabench.report.find_run import existing_run
from spcabench.report.render import html

CELLS, MOST_SECONDS = 60, 4.0
SUITE = ("mnist_outlier", "--set", "seeds=6", "--set", "n_components=10", "--set", "report.columns=[cpev,nor,mean_nnz]")


def spcabench(*words):
    """Run the command; return its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "spcabench", *map(str, words)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a run with figures of curves, bars and images, whose report was made once."""
    path = tmp_path_factory.mktemp("report") / "run"
    spcabench("run", *SUITE, "--no-isolation", "-o", path)
    return path


def test_a_report_of_sixty_cells_takes_four_seconds(folder):
    shutil.rmtree(folder / "figures")
    whole = spcabench("report", folder)
    assert len(list((folder / "records").glob("*.json"))) == CELLS
    print(f"\nspcabench report: {whole:.2f} s of CPU")
    for stage, seconds in stages(folder):
        print(f"{stage:>24}: {seconds:.2f} s")
    assert whole <= MOST_SECONDS


def stages(path):
    """Yield the stages of a report in this process, which has imported what they need, with their processor times."""
    shutil.rmtree(path / "figures")
    registry = load_registry()
    at = process_time()
    loaded, folder = existing_run(str(path), registry)
    results = results_of(loaded, folder, registry)
    yield "records", process_time() - at
    at = process_time()
    report = document(results)
    yield "tables, drawing", process_time() - at
    at = process_time()
    html.page(report)
    yield "page", process_time() - at
    at = process_time()
    write(report, folder)
    yield "files and page again", process_time() - at
