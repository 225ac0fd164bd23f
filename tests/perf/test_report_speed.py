"""The processor time of ``spcabench report`` for 60 cells; run by ``pytest tests/perf/test_report_speed.py``."""

import resource
import subprocess
import sys

MOST_SECONDS = 3.0
SUITE = ("mnist_outlier", "--set", "seeds=6", "--set", "n_components=10", "--set", "report.columns=[cpev,nor,mean_nnz]")


def spcabench(*words):
    """Run the command; return its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "spcabench", *map(str, words)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_a_report_of_sixty_cells_takes_three_seconds(tmp_path):
    """Its figures are curves, bars and images; it was made once before."""
    spcabench("run", *SUITE, "--no-isolation", "-o", tmp_path / "run")
    seconds = spcabench("report", tmp_path / "run")
    print(f"\nspcabench report: {seconds:.2f} s of CPU")
    assert seconds <= MOST_SECONDS
