"""A method with a Python environment of its own: made once without a network, fitted in, and recorded."""

from __future__ import annotations

import json
import sys
import zipfile
from dataclasses import replace

import pytest

from spcabench.plugins import load_registry
from spcabench.run.cell_tasks import cell_key
from spcabench.run.own_environments import NotMade, made
from spcabench.specs import Environment
from spcabench.suite.load import load_suite

LIBRARY = """
import warnings
import numpy as np

class ConvergenceWarning(UserWarning): pass

class There:
    def __init__(self, n_components=2, n_nonzero=4, random_state=None, fault=""):
        self.n_components, self.n_nonzero, self.fault = n_components, n_nonzero, fault
        self.random_state = random_state
    def fit(self, X, y=None):
        print("not an answer")
        if self.fault == "warns":
            warnings.warn("too few iterations", ConvergenceWarning)
        if self.fault == "fails":
            raise ValueError("no such fit")
        if self.fault == "ends":
            import os
            os._exit(5)
        rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: self.n_components]
        for row in rows:
            row[np.abs(row).argsort()[: len(row) - self.n_nonzero]] = 0
        self.components_ = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.n_iter_ = np.int64(7)
        return self
"""

PLUGIN = """
import spcabench

class Leading(spcabench.FunctionMethod):
    def loadings(self, X, r, k):
        import only_there
        return only_there.There(r, k).fit(X).components_

def spec(name, estimator, requirements=("host-packages==1.0", "only-there"), python="", **more):
    environment = spcabench.Environment(tuple(requirements), python)
    return spcabench.MethodSpec(
        name=name, estimator=estimator, knob=spcabench.CARDINALITY, environment=environment, **more
    )

@spcabench.hookimpl
def spcabench_methods():
    return [
        spec("env_library", "only_there:There"),
        spec("env_plugin", "elsewhere_plugin:Leading"),
        spec("env_warns", "only_there:There", params={"fault": "warns"}),
        spec("env_fails", "only_there:There", params={"fault": "fails"}),
        spec("env_ends", "only_there:There", params={"fault": "ends"}),
        spec("env_empty", "only_there:There", ()),
        spec("env_unknown", "only_there:There", ["no-such-wheel"]),
        spec("env_newer", "only_there:There", [], "9.9"),
    ]
"""


def wheel(folder, name, files):
    """Write a wheel of these files, by name."""
    module = name.replace("-", "_")
    info = f"{module}-1.0.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{module}-1.0-py3-none-any.whl", "w") as archive:
        for file, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(file, text)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Make wheels of a library that is not here, and of all that is: the environment finds numpy by it."""
    folder = tmp_path_factory.mktemp("wheels")
    places = "".join(f"{path}\n" for path in sys.path if path.endswith("site-packages"))
    wheel(folder, "host-packages", {"host.pth": places})
    wheel(folder, "only-there", {"only_there.py": LIBRARY})
    (folder / "elsewhere_plugin.py").write_text(PLUGIN)
    return folder


@pytest.fixture
def offline(wheels, tmp_path_factory, monkeypatch):
    """Let pip see these wheels alone; the environments of a module's tests are made once."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("XDG_CACHE_HOME", str(wheels))


@pytest.fixture
def of(offline, ran, wheels):
    """Run some of the methods; return their records by name, and what was said."""

    def go(*names, **options):
        plugin = wheels / "elsewhere_plugin.py"
        data = {"name": "spiked", "params": {"n": 40, "d": 8, "support_size": 4}}
        _, folder, events = ran(
            options, plugins=[plugin], datasets=[data], methods=list(names), n_components=2, n_nonzero=[4], seeds=2
        )
        records = [json.loads(record.dumps()) for record in folder.records()]
        return {record["cell"]["method"]: record for record in records}, [event.text for event in events]

    return go


@pytest.mark.weekly
@pytest.mark.parametrize("isolation", [True, False])
def test_methods_are_fitted_where_their_packages_are(of, isolation):
    records, said = of("env_library", "env_plugin", isolation=isolation)
    for name, record in records.items():
        assert (name, record["status"], record["reason"]) == (name, "ok", "")
        assert record["fit"]["nnz"] == [4, 4]
        assert record["fit"]["own_clock"]
        assert len(record["timing"]["peak_memory"]) == 1
        there = record["about"]["environment"]
        assert (there["only-there"], there["host-packages"]) == ("1.0", "1.0")
        assert there["python"] == sys.version.split()[0]
    assert records["env_library"]["fit"]["n_iter"] == 7
    assert len([text for text in said if "making the environment of" in text]) <= 1, "it is made once for both"
    _, said = of("env_library", isolation=isolation, fresh=True)
    assert not any("making the environment" in text for text in said), "it is kept"


@pytest.mark.weekly
def test_what_happens_there_is_said_here(of):
    records, _ = of("env_warns", "env_fails", "env_ends")
    assert (records["env_warns"]["status"], records["env_warns"]["reason"]) == (
        "not_converged",
        "ConvergenceWarning: too few iterations",
    )
    assert (records["env_fails"]["status"], records["env_fails"]["reason"]) == (
        "error",
        "RuntimeError: ValueError: no such fit",
    )
    assert records["env_ends"]["reason"] == "RuntimeError: the process in its environment ended with exit code 5"


def test_what_is_missing_makes_a_method_unavailable(of):
    records, _ = of("env_empty", "env_newer")
    assert {record["status"] for record in records.values()} == {"unavailable"}
    reasons = {name: record["reason"] for name, record in records.items()}
    assert "No module named 'numpy'; add the package to the requirements of its environment" in reasons["env_empty"]
    assert reasons["env_newer"] == "its environment needs python 9.9, which is not here; install it, or name its path"


@pytest.mark.nightly
def test_what_cannot_be_installed_is_tried_once(of):
    records, said = of("env_unknown")
    assert records["env_unknown"]["status"] == "unavailable"
    reason = records["env_unknown"]["reason"]
    assert "pip cannot install no-such-wheel: No matching distribution found for no-such-wheel" in reason
    assert "let PIP_FIND_LINKS name a folder of wheels and set PIP_NO_INDEX=1" in reason
    assert sum("making the environment of env_unknown" in text for text in said) == 1


@pytest.mark.nightly
def test_an_environment_that_was_half_made_is_made_anew(offline, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    begun = []
    bad = Environment(("no-such-wheel",))
    for _ in range(2):
        with pytest.raises(NotMade, match="no-such-wheel"):
            made(bad, lambda: begun.append(1))
    assert len(begun) == 2
    empty = made(Environment(), lambda: begun.append(1))
    assert empty == made(Environment(), lambda: begun.append(1))
    assert len(begun) == 3
    assert list(empty.versions) == ["python"]


def test_another_environment_makes_another_record():
    cell = load_suite("pitprops", load_registry()).plan.cells[0]

    def key(environment):
        spec = replace(cell.method.spec, environment=environment)
        return cell_key(replace(cell, method=replace(cell.method, spec=spec)), None, lambda _: "")

    known = (None, Environment(), Environment(("a",)), Environment(("a", "b")), Environment(("a",), "3.12"))
    assert len({key(environment) for environment in known}) == len(known)


def test_a_suite_may_name_the_environment(suite_file):
    named = {"name": "pca", "label": "older", "environment": {"python": "3.11", "requirements": ["numpy<2"]}}
    methods = [cell.method for cell in load_suite(str(suite_file(methods=["pca", named])), load_registry()).plan.cells]
    assert {method.label: method.spec.environment for method in methods} == {
        "pca": None,
        "older": Environment(("numpy<2",), "3.11"),
    }
