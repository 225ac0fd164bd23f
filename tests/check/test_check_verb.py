"""`spcabench check` and `pytest --spcabench`: what they are called with, and what they show."""

import random
import subprocess
import sys

import numpy as np
import pytest

from spcabench.check import pytest_plugin
from spcabench.check.findings import limited
from spcabench.check.script import Broken, Script
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
                                 requires=frozenset({"samples"}), exempt={"growth": "it is only a test"})]
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
    at = lines.index("  BROKEN unit_rows: Each row of components_ has length 1, or is zero.")
    assert lines[at + 1] == "    rows of components_ have the lengths 2; valid is 1"
    assert "      from checked_file import Twice" in lines
    assert "      assert np.allclose(lengths, W.any(axis=1), atol=0.0001)" in lines
    assert "  exempt: growth (it is only a test)" in lines
    assert "  no matter: covariance (it requires samples), starts (it has no start)" in lines
    assert lines[-1] == "1 promise is broken"


def test_names_and_distributions(command):
    code, out, _ = command("check", "mean_nnz", "gaussian")
    assert code == 0
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        "metric mean_nnz, from spcabench.metrics.sparsity (spcabench 0.1.0)",
        "data set gaussian, from spcabench_datasets.spiked (spcabench 0.1.0)",
    ]


def test_a_distribution_names_all_that_it_registers():
    registry = load_registry()
    every = {*registry.methods, *registry.datasets, *registry.metrics}
    assert {subject.spec.name for subject in subjects("spcabench", registry)} == every


def test_what_is_unknown_has_a_nearest(command):
    code, _, err = command("check", "mean_nz")
    assert code == 2
    assert "no method, data set, metric, file or distribution 'mean_nz'" in err
    assert "did you mean 'mean_nnz'?" in err


def test_a_fit_without_end_is_ended():
    script = Script({})
    late = r"TimeoutError: no result after 0.1 s of processor time\nwhile True: pass"
    with pytest.raises(Broken, match=late), limited(0.1):
        script.run("while True: pass")


def test_the_random_generators_are_restored(written, command):
    before = np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002
    command("check", written("checked_state").name)
    assert (np.random.get_state()[1].tolist(), random.getstate()) == before  # noqa: NPY002


def test_each_promise_is_a_test_of_pytest(written, place):
    file = written("checked_by_pytest")
    command = [sys.executable, "-m", "pytest", "--spcabench", file.name, "-p", "no:cacheprovider", "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place)
    assert done.returncode == 1
    assert "1 failed, 17 passed, 3 skipped" in done.stdout
    assert "FAILED ::twice[unit_rows]" in done.stdout
    assert "rows of components_ have the lengths 2; valid is 1" in done.stdout
    assert "from checked_by_pytest import Twice" in done.stdout
    with pytest.raises(
        pytest.UsageError, match="--spcabench lost_word: no method, data set, metric, file or distribut"
    ):
        list(pytest_plugin._items(None, "lost_word"))
