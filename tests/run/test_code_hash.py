"""The hash of the code that a result depends on: the modules that compute it, without comments and docstrings."""

from __future__ import annotations

import gc
import importlib
import inspect
import shutil
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import spcabench_methods

from spcabench.plugins import load_registry
from spcabench.run import code_hash as hashing
from spcabench.run import host
from spcabench.run.cells import score_stamps
from spcabench.run.code_hash import code_hash, module_hashes
from spcabench.run.messages import MetricTask
from spcabench.specs import MetricSpec

METHODS = {spec.name: spec.estimator for spec in load_registry().methods.specs.values()}
OURS = {name: estimator for name, estimator in METHODS.items() if estimator.startswith("spcabench_methods.")}
GRIDS = {"rospca", "spcagrid_mad", "spcagrid_qn", "spcagrid_sd"}
SOURCE = Path(spcabench_methods.__file__).parent


def hashes():
    code_hash.cache_clear()
    one_each = {estimator: code_hash(estimator) for estimator in set(OURS.values())}
    return {name: one_each[estimator] for name, estimator in OURS.items()}


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Return a copy of the built-in methods that is hashed in their place, and the hashes."""
    folder = tmp_path_factory.mktemp("copied") / SOURCE.name
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    original = hashing._source_file
    known = cache(original)

    def source_file(module):
        file = known(module) if module.startswith(SOURCE.name) else original(module)
        return folder / file.relative_to(SOURCE) if file and file.is_relative_to(SOURCE) else file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "_source_file", source_file)
        yield folder, hashes()


@pytest.fixture
def stale_after(copied):
    """Return which methods an edit of a file makes stale."""
    folder, before = copied

    def edit(file, old, new):
        path = folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        try:
            after = hashes()
        finally:
            path.write_text(text)
        return {name for name in OURS if before[name] != after[name]}

    return edit


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("penalised/alspca.py", "max_iter: int = 200", "max_iter: int = 300", {"alspca"}),
        ("penalised/alspca_steps.py", "MEMORY = 10\n", "MEMORY = 11\n", {"alspca"}),
        ("path/pair_steps.py", "nogil=True)", "nogil=True, fastmath=True)", {"cop"}),
        ("robust/complement.py", "return [leading", "return 2 * [leading", GRIDS),
        ("core/base.py", "SAME_END = 1e-9", "SAME_END = 1e-8", set(OURS)),
        ("core/base.py", '"""Find the components.\n', '"""Look for the components.\n', set()),
        ("core/base.py", "# check_scale reports data that are too large", "# check_scale says so", set()),
    ],
)  # fmt: skip
def test_an_edit_makes_stale_the_methods_that_import_the_file_and_no_others(stale_after, file, old, new, stale):
    assert stale_after(file, old, new) == stale


@pytest.fixture
def hashed(tmp_path, monkeypatch):
    """Return the hash of `solve` in a plugin of these files, whose first is the plugin."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(files, target="plugin_of_test:solve"):
        for name, source in files.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(source))
        importlib.invalidate_caches()
        code_hash.cache_clear()
        return code_hash(target)

    yield write
    for name in [name for name, module in sys.modules.items() if str(tmp_path) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]


FILES = {
    "plugin_of_test": '''
        """A plugin."""
        from helper_of_test import halve
        LIMIT = 3
        def solve(x, times=1):
            """Solve it."""
            return halve(x) * times + LIMIT  # once
        ''',
    "helper_of_test": "def halve(x):\n    return x / 2\n",
    "stranger_of_test": "X = 1\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "is_stale"),
    [
        ("plugin_of_test", "A plugin.", "My plugin.", False),
        ("plugin_of_test", "  # once", "  # twice", False),
        ("plugin_of_test", '"""Solve it."""', "", False),
        ("plugin_of_test", "LIMIT = 3", 'LIMIT = 3\n        """The limit."""', False),
        ("stranger_of_test", "1", "2", False),
        ("plugin_of_test", "times=1", "times=2", True),
        ("plugin_of_test", "LIMIT = 3", "LIMIT = 4", True),
        ("plugin_of_test", "* times", "/ times", True),
        ("helper_of_test", "x / 2", "x / 3", True),
        ("helper_of_test", "return x / 2", "return x (", True),
    ],
)  # fmt: skip
def test_a_plugin_and_the_files_beside_it_that_it_imports_are_hashed(hashed, file, old, new, is_stale):
    assert old in FILES[file]
    assert (hashed(FILES) != hashed(FILES | {file: FILES[file].replace(old, new)})) == is_stale


def test_the_hash_is_the_same_in_every_version_of_python(hashed):
    assert (
        hashed({"plugin_of_test": "def solve(x, *, y=(1, None)):\n    return f'{x:>{y}} is'\n"})
        == "39a8fb40c47694a3cdfd"
    )


def test_a_relative_import_that_leads_nowhere_is_no_import(hashed):
    text = "try:\n    from ._helper import f\nexcept ImportError:\n    f = abs\n\ndef solve():\n    return f(1)\n"
    assert hashed({"plugin_of_test": text}) != hashed({"plugin_of_test": text.replace("f(1)", "f(2)")})


def test_the_target_is_part_of_the_hash(hashed):
    plugin = "def solve(): pass\ndef other(): pass\n"
    assert hashed({"plugin_of_test": plugin}) != hashed({"plugin_of_test": plugin}, "plugin_of_test:other")


def test_a_package_that_imports_all_its_modules_does_not_tie_them_together(hashed):
    files = {
        "pack_of_test/__init__": "LIMIT = 3\nfrom .one import solve as best\nfrom .two import other\n",
        "pack_of_test/one": "from . import half\ndef solve():\n    return half.half(1)\n",
        "pack_of_test/half": "def half(x):\n    return x / 2\n",
        "pack_of_test/two": "from pack_of_test import LIMIT\ndef other():\n    return LIMIT\n",
    }
    hashed(files)
    assert set(module_hashes("pack_of_test:best")) == {"pack_of_test.one", "pack_of_test.half"}
    assert set(module_hashes("pack_of_test.one:solve")) == {"pack_of_test.one", "pack_of_test.half"}
    assert {"pack_of_test", "pack_of_test.two"} <= set(module_hashes("pack_of_test.two:other"))


def test_a_name_that_a_package_makes_when_asked_depends_on_all_of_it(hashed):
    files = {
        "lazy_of_test/__init__": "from importlib import import_module\ndef __getattr__(name):\n"
        "    return getattr(import_module(__name__ + '.one'), name)\n",
        "lazy_of_test/one": "def solve():\n    return 1\n",
    }
    before = hashed(files, "lazy_of_test:solve")
    assert before != hashed(files | {"lazy_of_test/one": "def solve():\n    return 2\n"}, "lazy_of_test:solve")


def test_a_helper_beside_a_plugin_is_found_and_makes_its_records_stale(here, plugin, place):
    (place / "helper_of_odd.py").write_text("SCALE = 1.0\n")
    code = "from odd_methods import Axes\nfrom helper_of_odd import SCALE\nclass Helped(Axes):\n    scale = SCALE"
    file = plugin("with_helper", code, "MethodSpec(name='helped', estimator='with_helper:Helped')")
    before, _, _ = here(methods=["helped", "axes"], plugins=[file])
    assert set(before.status) == {"ok"}
    (place / "helper_of_odd.py").write_text("SCALE = 2.0\n")
    after, _, _ = here(methods=["helped", "axes"], plugins=[file])
    changed = dict(zip(before.method, before.key != after.key, strict=True))
    assert changed == {"helped": True, "axes": False}


def test_a_metric_is_stamped_by_its_code_version_parameters_and_refit(hashed):
    spec = MetricSpec(name="m", compute="plugin_of_test:solve")
    specs = [spec, replace(spec, version=2), replace(spec, refitted=True)]
    tasks = [MetricTask(spec=one, params={}) for one in specs] + [MetricTask(spec=spec, params={"n": 1})]
    stamps = set()
    for value in ("1.0", "2.0"):
        hashed({"plugin_of_test": f"def solve(e):\n    return {value}\n"})
        stamps |= {score_stamps((one,))["m"] for one in tasks}
    assert len(stamps) == 8


def test_of_the_host_only_the_modules_of_metrics_are_the_code_of_a_metric():
    assert set(module_hashes("spcabench.metrics.variance:cpev")) == {"spcabench.metrics.variance"}


@pytest.fixture
def often_interrupted():
    """Let another thread go on whenever garbage is collected, which is often."""
    threshold = gc.get_threshold()

    def pause(*_):
        time.sleep(0.0)

    gc.callbacks.append(pause)
    gc.set_threshold(50)
    yield
    gc.set_threshold(*threshold)
    gc.callbacks.remove(pause)


@pytest.mark.usefixtures("often_interrupted")
def test_sources_are_parsed_by_several_threads():
    """Two Dask workers in threads of one process do; CPython 3.11 then raises SystemError unless they take turns."""
    source = inspect.getsource(host).encode()
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: hashing._read.__wrapped__(source, "spcabench.run"), range(12)))
    assert len({one.words for one in found}) == 1
