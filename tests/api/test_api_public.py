"""The public interface: what it has, and what an import of it costs."""

import subprocess
import sys

import pytest

import spcabench
from spcabench import InputError
from spcabench.importing import resolve
from spcabench.plugins import load_registry
from spcabench.suite.making import example_call

HOST = ("pydantic", "altair", "vl_convert", "click", "rich", "jinja2", "tabulate", "distributed")
"""What the host alone needs; scikit-learn and numba import pandas, psutil and yaml themselves where they are."""


def printed(code):
    """Return the words that a fresh Python prints."""
    return subprocess.check_output([sys.executable, "-c", code], text=True).split()


def loaded_by(code):
    """Return the modules that a fresh Python has after some code."""
    return set(printed(f"{code}\nimport sys; print(*sys.modules)"))


def test_an_estimator_needs_neither_host_nor_figures():
    loaded = loaded_by("from spcabench_methods import TPower; TPower(1, 1).fit([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]])")
    assert {"numpy", "scipy", "sklearn", "numba"} <= loaded
    assert not loaded & set(HOST)
    rooms = {name.split(".")[1] for name in loaded if name.startswith("spcabench.")}
    assert not rooms & {"run", "store", "report", "analysis", "suite", "api", "cli", "metrics", "plugins"}


FRESH = """
import sys, spcabench
print(*(name for name in vars(spcabench) if name[0] != "_"))
dir(spcabench)
print(*sys.modules)
spcabench.make
print(*sys.modules)
"""


def test_the_package_is_light_and_nothing_else_is_public():
    public, *loaded = subprocess.check_output([sys.executable, "-c", FRESH], text=True).splitlines()
    assert public == "annotations"
    at_first, to_make = (set(words.split()) for words in loaded)
    assert not at_first & {"numpy", "pluggy", "pandas", "yaml", *HOST}
    assert not to_make & {"sklearn", "numba", "pandas", *HOST}
    assert dir(spcabench) == sorted([*spcabench.__all__, "__version__"])
    with pytest.raises(AttributeError, match="no attribute 'Any'"):
        spcabench.Any  # noqa: B018


AS_ON_WINDOWS = """
import sys, types
import joblib, multiprocessing.connection, numba, pandas, psutil, sklearn.datasets, threadpoolctl
import scipy.linalg, scipy.optimize, scipy.sparse.linalg

sys.modules.update(fcntl=None, resource=None)
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda handle, mode, count: None)
psutil.Process = lambda pid=None: types.SimpleNamespace(memory_info=lambda: types.SimpleNamespace(peak_wset=2**30))
sys.platform = "win32"
import numpy as np
import spcabench, spcabench_methods

X = np.random.default_rng(0).standard_normal((60, 10))
X[:, :4] += 2 * np.random.default_rng(1).standard_normal((60, 1))
print(np.flatnonzero(spcabench_methods.TPower(1, 4).fit(X).components_))
print(spcabench.explore(X).verdict.partition(":")[0])
print(spcabench.compare([spcabench_methods.TPower(1, 4)], X).frame.status.tolist())
"""


@pytest.mark.nightly
def test_estimators_explore_and_compare_work_where_files_have_no_locks_and_processes_no_limits():
    """As on Windows, where psutil, numba and the pipes of multiprocessing are others: these are imported before."""
    assert " ".join(printed(AS_ON_WINDOWS)) == "[0 1 2 3] One block of 4 variables ['ok']"


def test_run_is_a_function_and_the_package_of_that_name():
    import spcabench.run.options as options
    from spcabench.run import host

    assert callable(spcabench.run)
    assert options.Options.__module__ == "spcabench.run.options"
    assert host.run is not spcabench.run


def test_make_returns_what_the_name_means():
    for name in ("rsvd_l0", "rsvd_l1", "tpower", "pca"):
        spec = load_registry().methods[name]
        made = spcabench.make(name, n_components=3)
        assert type(made) is resolve(spec.estimator)
        assert {**spec.params, "n_components": 3}.items() <= made.get_params().items()


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("rsvdl0", {}, "unknown method 'rsvdl0'.*did you mean 'rsvd_l0'"),
        ("rsvd_l0", {"n_nonzeros": 4}, "rsvd_l0 has no parameter 'n_nonzeros'.*did you mean 'n_nonzero'"),
        ("sklearn_spca", {"n_nonzero": 4}, "its parameter alpha sets the sparsity, and a run searches it"),
        ("pca", {"n_nonzero": 4}, "pca has dense loadings and takes no n_nonzero"),
    ],
)
def test_make_names_what_is_wrong(name, params, words):
    with pytest.raises(InputError, match=words):
        spcabench.make(name, **params)


def test_a_method_whose_package_is_missing_is_named_with_the_remedy(tmp_path):
    (tmp_path / "lacking_plugin.py").write_text(
        "import spcabench\n\n@spcabench.hookimpl\ndef spcabench_methods():\n"
        "    return [spcabench.MethodSpec(name='lacking', estimator='nowhere:Lost', extra='pip install nowhere')]\n"
    )
    with pytest.raises(InputError, match=r"lacking cannot be made: .*nowhere.*; pip install nowhere"):
        spcabench.make("lacking", plugins=[tmp_path / "lacking_plugin.py"])


@pytest.mark.nightly
@pytest.mark.parametrize("name", list(load_registry().methods))
def test_the_call_of_every_method_makes_it(name):
    assert eval(example_call(load_registry().methods[name])) is not None
