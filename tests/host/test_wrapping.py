"""The plugins that plugins/README.md shows: each wraps code that exists, in a few lines, and keeps its promises."""

import re
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np
import page_blocks
import pytest

from spcabench import FunctionMethod
from spcabench.check.subjects import subjects
from spcabench.plugins import load_registry

PAGE = (Path(__file__).parents[2] / "plugins" / "README.md").read_text()
SHOWN = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", PAGE, re.DOTALL))
(MY_SPCA,) = re.findall(r"```r\n# my_spca.R\n(.*?)```", PAGE, re.DOTALL)
NAMES = {"wrapped": "dictionary", "function": "leading", "program": "program"}

RSCRIPT = """\
#!{python}
import sys, time, numpy as np
from pathlib import Path
from spcabench.program import read_matrix, write_matrix
script, folder, r, k = sys.argv[1:]
assert script == "my_spca.R"
begun = time.perf_counter()
X = read_matrix(Path(folder, "X"))
rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: int(r.removeprefix("n_components="))]
for row in rows:
    row[np.abs(row).argsort()[: len(row) - int(k.removeprefix("n_nonzero="))]] = 0
write_matrix(Path(folder, "loadings"), rows.T)
Path(folder, "seconds").write_text(str(time.perf_counter() - begun))
"""

SPCA = """\
my_spca <- function(X, r, k) {
  loadings <- prcomp(X)$rotation[, 1:r, drop = FALSE]
  apply(loadings, 2, function(w) w * (rank(-abs(w)) <= k))
}
"""


@pytest.fixture
def rscript(place, monkeypatch):
    """Put a program in the place of R that does what my_spca.R might do."""
    file = place / "bin" / "Rscript"
    file.parent.mkdir()
    file.write_text(RSCRIPT.format(python=sys.executable))
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{file.parent}:/usr/bin:/bin")


def lines(source):
    return [line for line in source.partition("@spcabench.hookimpl")[0].splitlines() if line.strip()]


def test_three_ways_are_shown():
    assert SHOWN.keys() == NAMES.keys()
    assert max(len(lines(source)) for source in SHOWN.values()) <= 10
    assert max(len([line for line in source.splitlines() if line.strip()]) for source in SHOWN.values()) <= 18


@pytest.mark.parametrize("file", ["function", pytest.param("program", marks=pytest.mark.weekly)])
def test_what_is_shown_keeps_its_promises(file, plugin_file, rscript):
    source = plugin_file(file, SHOWN[file])
    (subject,) = subjects(NAMES[file], load_registry([source]))
    broken = {finding.promise: finding.reason for finding in subject.findings() if finding.verdict == "broken"}
    assert broken == {}


@pytest.fixture
def shown_run(plugin_file, command, suite_file):
    """Run one of the plugins on a small data set; return the progress and the report."""

    def run(file):
        source = plugin_file(file, SHOWN[file])
        data = {"name": "spiked", "params": {"n": 60, "d": 8, "support_size": 3}}
        suite = suite_file(datasets=[data], methods=["pca", NAMES[file]], n_components=1)
        code, _, err = command("run", suite, "--plugin", source, "-o", "out", "--no-isolation")
        assert code == 0, err
        assert f"{NAMES[file]} on spiked" in err
        assert "missed" not in err
        return Path("out/report.md").read_text(encoding="utf-8")

    return run


@pytest.mark.parametrize("file", NAMES)
def test_what_is_shown_runs(file, rscript, shown_run):
    report = shown_run(file)
    assert ("own clocks" in report) == (file == "program")


@pytest.mark.nightly
def test_a_program_stands_beside_published_methods(rscript, plugin_file, command):
    plugin_file("program", SHOWN["program"])
    (block,) = (b for b in page_blocks.of_language("docs/plugins.md", page_blocks.SHELL) if "program.py" in b.text)
    new, _, run = (shlex.split(line)[1:] for line in page_blocks.command_lines(block))
    assert command(*new)[0] == 0
    small = ("--only", "method=program", "--no-isolation", "--set", "seeds=1", "--set", "repeats=1")
    code, _, err = command(*run, *small)
    assert code == 0, err
    report = Path("reports/mine/report.md").read_text(encoding="utf-8")
    assert "| program" in report
    assert "own clocks" in report


def test_the_lines_of_r_are_ten():
    assert len(lines(MY_SPCA)) <= 10


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R here: apt-get install r-base-core")
def test_what_is_shown_of_r_runs(place, shown_run):
    (place / "my_spca.R").write_text(MY_SPCA)
    (place / "spca.R").write_text(SPCA)
    assert "own clocks" in shown_run("program")


def test_what_is_no_matrix_is_refused():
    class Odd(FunctionMethod):
        def loadings(self, X, r, k):
            return np.full((r, X.shape[1]), np.nan)

    with pytest.raises(ValueError, match=r"X is no matrix of finite numbers; its shape is \(3,\)"):
        Odd().fit(np.ones(3))
    with pytest.raises(ValueError, match="what loadings returned is no matrix of finite numbers"):
        Odd().fit(np.ones((3, 2)))


def test_rows_of_any_length_become_unit_rows():
    class Long(FunctionMethod):
        def loadings(self, X, r, k):
            X[:] = 0
            return [[3.0, 4.0], [0.0, 0.0]]

    X = np.ones((3, 2))
    np.testing.assert_array_equal(Long().fit(X).components_, [[0.6, 0.8], [0, 0]])
    assert X.all(), "the function has a copy of its own"
