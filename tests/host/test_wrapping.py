"""The plugins that plugins/README.md shows: each wraps code that exists, in a few lines, and keeps its promises."""

import re
from pathlib import Path

import numpy as np
import pytest

from spcabench import FunctionMethod
from spcabench.check.subjects import subjects
from spcabench.plugins import load_registry

PAGE = (Path(__file__).parents[2] / "plugins" / "README.md").read_text()
SHOWN = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", PAGE, re.DOTALL))
NAMES = {"foreign": "dictionary", "function": "leading", "program": "program"}

RSCRIPT = """\
#!{python}
import sys, numpy as np
script, folder, r, k = sys.argv[1:]
assert script == "my_spca.R"
X = np.loadtxt(f"{{folder}}/X.csv", delimiter=",", ndmin=2)
rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: int(r)]
for row in rows:
    row[np.abs(row).argsort()[: len(row) - int(k)]] = 0
np.savetxt(f"{{folder}}/loadings.csv", rows, delimiter=",")
"""


@pytest.fixture
def rscript(place, monkeypatch):
    """Put a program in the place of R that does what my_spca.R might do."""
    import sys

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
    assert max(len([line for line in source.splitlines() if line.strip()]) for source in SHOWN.values()) <= 16


@pytest.mark.parametrize("file", ["function", pytest.param("program", marks=pytest.mark.nightly)])
def test_what_is_shown_keeps_its_promises(file, plugin_file, rscript):
    source = plugin_file(file, SHOWN[file])
    (subject,) = subjects(NAMES[file], load_registry([source]))
    broken = {finding.promise: finding.reason for finding in subject.findings() if finding.verdict == "broken"}
    assert broken == {}


@pytest.mark.parametrize("file", NAMES)
def test_what_is_shown_runs(file, plugin_file, rscript, command, suite_file):
    source = plugin_file(file, SHOWN[file])
    data = {"name": "spiked", "params": {"n": 60, "d": 8, "support_size": 3}}
    suite = suite_file(datasets=[data], methods=["pca", NAMES[file]], n_components=1)
    code, _, err = command("run", suite, "--plugin", source, "-o", "out", "--no-isolation")
    assert code == 0, err
    assert f"[2/2] {NAMES[file]} on spiked" in err or f"{NAMES[file]} on spiked" in err
    assert "missed" not in err


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
