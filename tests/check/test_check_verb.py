"""`spcabench check` and `pytest --spcabench`: what they are called with, and what they show."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from spcabench.check import pytest_plugin
from spcabench.check import subjects as checked
from spcabench.check.subjects import subjects
from spcabench.plugins import load_registry

PLUGIN = """\
import numpy as np
import spcabench


class Twice:
    def __init__(self, n_components=2, n_nonzero=1):
        self.n_components, self.n_nonzero = n_components, n_nonzero

    def fit(self, X, y=None):
        rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: self.n_components]
        for row in rows:
            row[np.abs(row).argsort()[: len(row) - self.n_nonzero]] = 0
        self.components_ = 2 * rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return self


@spcabench.hookimpl
def spcabench_methods():
    return [spcabench.MethodSpec(name="twice", estimator="NAME:Twice", knob=spcabench.CARDINALITY,
                                 requires=frozenset({"samples"}), exempt={"starts": "it is only a test"})]
"""


@pytest.fixture
def written(place):
    def write(name):
        file = place / f"{name}.py"
        file.write_text(PLUGIN.replace("NAME", name))
        return file

    yield write
    for name in [name for name in sys.modules if name.startswith("checked_")]:
        del sys.modules[name]


def test_a_fault_is_shown_with_an_example(written, command):
    code, out, err = command("check", written("checked_file").name)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == "method twice, from checked_file (checked_file.py)"
    at = lines.index("  unit_rows: BROKEN")
    assert lines[at + 1] == "    Each row of components_ has length 1, or is zero."
    assert lines[at + 2] == "    rows of components_ have the lengths 2; valid is 1"
    assert "      from checked_file import Twice" in lines
    assert "      assert np.allclose(lengths, W.any(axis=1), atol=0.0001)" in lines
    assert "  starts: exempt (it is only a test)" in lines
    assert "  covariance: no matter (it requires samples)" in lines
    assert lines[-1] == "1 promise is broken"


def test_names_and_distributions(command):
    code, out, _ = command("check", "mean_nnz", "gaussian")
    assert code == 0
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        f"metric mean_nnz, from spcabench.metrics.sparsity (spcabench {version('spcabench')})",
        f"data set gaussian, from spcabench_datasets.spiked (spcabench {version('spcabench')})",
    ]


def test_a_distribution_names_all_that_it_registers():
    registry = load_registry()
    every = {*registry.methods, *registry.datasets, *registry.metrics}
    assert {subject.spec.name for subject in subjects("spcabench", registry)} == every


def test_an_exemption_from_nothing_is_refused(written, command):
    file = written("checked_exempt")
    file.write_text(file.read_text().replace('exempt={"starts"', 'exempt={"colum_order"'))
    code, _, err = command("check", file.name)
    assert code == 2
    assert "twice: unknown promise 'colum_order' in exempt" in err
    assert "did you mean 'column_order'?" in err


def test_what_is_unknown_has_a_nearest(command):
    code, _, err = command("check", "mean_nz")
    assert code == 2
    assert "no method, data set, metric, file or distribution 'mean_nz'" in err
    assert "did you mean 'mean_nnz'?" in err


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("checked_hang", "import time; time.sleep(60)", "the fit took longer than its limit of 2 s"),
        ("checked_crash", "import os; os.abort()", "the process was ended by SIGABRT before the task was done"),
    ],
)
def test_what_hangs_or_crashes_is_ended_and_costs_one_promise(name, line, found, written, command, monkeypatch):
    monkeypatch.setattr(checked, "LIMITS", checked.Limits(time=2.0, memory=1.0))
    file = written(name)
    file.write_text(file.read_text().replace("        rows = ", f"        print('x' * 70); {line}\n        rows = "))
    code, out, err = command("check", file.name)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  shape: BROKEN"))
    assert lines[at + 2 : at + 5] == [f"    {found}", "    it printed:", f"      {'x' * 70}"]
    assert "  unit_rows: not tried (it needs 'shape')" in lines
    assert lines[-1] == "1 promise is broken"


def test_each_promise_is_a_test_of_pytest(written, place):
    file = written("checked_by_pytest")
    command = [sys.executable, "-m", "pytest", "--spcabench", file.name, "-p", "no:cacheprovider", "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place)
    assert done.returncode == 1
    assert "1 failed, 18 passed, 2 skipped" in done.stdout
    assert "FAILED ::twice[unit_rows]" in done.stdout
    assert "rows of components_ have the lengths 2; valid is 1" in done.stdout
    assert "from checked_by_pytest import Twice" in done.stdout
    with pytest.raises(pytest.UsageError, match="lost_word: no method, data set, metric, file or distribut"):
        list(pytest_plugin._items(None, "lost_word"))
