"""The hash of the code that a result depends on: what computes, and nothing else."""

from __future__ import annotations

import gc
import inspect
import shutil
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import spcabench_methods

from spcabench.plugins import load_registry
from spcabench.run import code_hash as hashing
from spcabench.run import host
from spcabench.run.cell_tasks import score_stamps
from spcabench.run.code_hash import code_hash, module_hashes
from spcabench.run.meaning import Import, read_module
from spcabench.run.messages import MetricTask

METHODS = {spec.name: spec.estimator for spec in load_registry().methods.specs.values()}
GRIDS = {"rospca", "spcagrid_mad", "spcagrid_qn", "spcagrid_sd"}
OURS = {name for name, estimator in METHODS.items() if estimator.startswith("spcabench_methods.")}
SOURCE = Path(spcabench_methods.__file__).parent


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the built-in methods that is hashed in their place."""
    folder = tmp_path_factory.mktemp("copied") / SOURCE.name
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    original = hashing._source_file

    def copied(module):
        file = original(module)
        return folder / file.relative_to(SOURCE) if file and file.is_relative_to(SOURCE) else file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "_source_file", copied)
        yield folder


@pytest.fixture
def stale_after(copy):
    """Return which methods an edit of a file makes stale."""

    def edit(file, old, new):
        path = copy / file
        before, text = hashes(), path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        try:
            after = hashes()
        finally:
            path.write_text(text)
        return {name for name in METHODS if before[name] != after[name]}

    def hashes():
        return {name: code_hash(estimator) for name, estimator in METHODS.items()}

    return edit


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("specs/penalised.py", "Augmented Lagrangian, orthogonal loadings", "Lagrange"),
        ("specs/penalised.py", "Mathematical Programming 135", "Math. Prog. 135"),
        ("specs/penalised.py", "Zou, Hastie and Tibshirani, Journal of", "Zou, J. of"),
        ("core/base.py", '"""Find the components.\n', '"""Look for the components.\n'),
        ("core/base.py", "# check_scale reports data that are too large", "# check_scale says so"),
        ("core/base.py", "def _listed(indices: list[int]) -> str:", "def _listed(indices) -> object:"),
    ],
)  # fmt: skip
def test_what_only_describes_leaves_all_records_current(stale_after, file, old, new):
    assert stale_after(file, old, new) == set()


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("penalised/alspca.py", "max_iter: int = 200", "max_iter: int = 300", {"alspca"}),
        ("penalised/alspca_steps.py", "MEMORY = 10\n", "MEMORY = 11\n", {"alspca"}),
        ("penalised/alspca_steps.py", "2.0 ** (octaves", "2.0 * (octaves", {"alspca"}),
        ("path/pair_steps.py", "nogil=True)", "nogil=True, fastmath=True)", {"cop"}),
        ("robust/grid_starts.py", "return [leading", "return 2 * [leading", GRIDS),
        ("path/solution_path.py", "return", "return 0 *", {"cop"}),
        ("core/base.py", "stacklevel=4", "stacklevel=5", OURS),
    ],
)  # fmt: skip
def test_what_computes_makes_stale_the_methods_that_use_it(stale_after, file, old, new, stale):
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
        hashing.importlib.invalidate_caches()
        return code_hash(target)

    yield write
    for name in [name for name, module in sys.modules.items() if str(tmp_path) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]


PLUGIN = """
    '''A plugin.'''
    from __future__ import annotations
    import numba
    from typing import TYPE_CHECKING, Any
    import spcabench
    from spcabench import MethodSpec, Parameter, Whole
    from helper_of_test import halve
    if TYPE_CHECKING:
        from words_of_test import Text
    LIMIT = 3
    TITLE = "mine"
    def titled(text):
        return f"{TITLE}: {text}"
    RANK: Parameter = Parameter(2, Whole(1), "how many")
    @numba.njit(cache=True)
    def step(x):
        return x + 1
    def solve(x: Any, times: int = 1) -> float:
        '''Solve it.'''
        y: Any = step(x)  # once
        return halve(y) * times + LIMIT
    @spcabench.hookimpl
    def spcabench_methods() -> list[MethodSpec]:
        return [MethodSpec(name="mine", estimator="plugin_of_test:solve", title=titled("solver"))]
"""
FILES = {
    "plugin_of_test": PLUGIN,
    "helper_of_test": "def halve(x):\n    return x / 2\n",
    "words_of_test": "Text = str\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("plugin_of_test", "A plugin.", "My plugin."),
        ("plugin_of_test", "  # once", "  # twice"),
        ("plugin_of_test", "'''Solve it.'''", ""),
        ("plugin_of_test", "x: Any, times: int", "x, times: float"),
        ("plugin_of_test", "-> float", ""),
        ("plugin_of_test", "y: Any = step", "y = step"),
        ("plugin_of_test", '"mine"\n', '"yours"\n'),
        ("plugin_of_test", "{text}", "{text}!"),
        ("plugin_of_test", "how many", "the number"),
        ("plugin_of_test", '("solver")', '("another")'),
        ("words_of_test", "str", "bytes"),
    ],
)  # fmt: skip
def test_a_plugin_may_be_described_anew(hashed, file, old, new):
    assert old in FILES[file]
    assert hashed(FILES) == hashed(FILES | {file: FILES[file].replace(old, new)})


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("plugin_of_test", "x + 1", "x - 1"),
        ("plugin_of_test", "times: int = 1", "times: int = 2"),
        ("plugin_of_test", "LIMIT = 3", "LIMIT = 4"),
        ("plugin_of_test", "cache=True", "cache=True, fastmath=True"),
        ("plugin_of_test", "* times", "/ times"),
        ("helper_of_test", "x / 2", "x / 3"),
    ],
)  # fmt: skip
def test_a_plugin_that_computes_otherwise_makes_its_records_stale(hashed, file, old, new):
    assert old in FILES[file]
    assert hashed(FILES) != hashed(FILES | {file: FILES[file].replace(old, new)})


def test_a_title_that_also_computes_is_part_of_the_hash(hashed):
    computing = PLUGIN.replace("+ LIMIT", "+ len(titled('x'))")
    before = hashed(FILES | {"plugin_of_test": computing})
    assert before != hashed(FILES | {"plugin_of_test": computing.replace('"mine"\n', '"yours"\n')})


def test_fields_of_a_dataclass_are_part_of_the_hash(hashed):
    plugin = """
        from dataclasses import dataclass
        from typing import ClassVar
        @dataclass
        class solve:
            first: int = 1
            second: int = 2
    """
    assert hashed({"plugin_of_test": plugin}) != hashed(
        {"plugin_of_test": plugin.replace("second: int", "second: ClassVar[int]")}
    )


def test_the_target_is_part_of_the_hash(hashed):
    plugin = "def solve(): pass\ndef other(): pass\n"
    assert hashed({"plugin_of_test": plugin}) != hashed({"plugin_of_test": plugin}, "plugin_of_test:other")


def test_a_package_that_imports_all_its_modules_does_not_tie_them_together(hashed):
    files = {
        "pack_of_test/__init__": "LIMIT = 3\nfrom .one import solve\nfrom .two import other\n",
        "pack_of_test/one": "from . import LIMIT\ndef solve():\n    return LIMIT\n",
        "pack_of_test/two": "def other():\n    return 2\n",
    }
    before = [hashed(files, target) for target in ("pack_of_test:solve", "pack_of_test.one:solve")]
    files["pack_of_test/two"] += "X = 1\n"
    assert before == [hashed(files, target) for target in ("pack_of_test:solve", "pack_of_test.one:solve")]
    files["pack_of_test/__init__"] = files["pack_of_test/__init__"].replace("3", "4")
    assert hashed(files, "pack_of_test.one:solve") != before[1]


def test_a_name_that_a_package_makes_when_asked_depends_on_all_of_it(hashed):
    files = {
        "lazy_of_test/__init__": "from importlib import import_module\ndef __getattr__(name):\n"
        "    return getattr(import_module(__name__ + '.one'), name)\n",
        "lazy_of_test/one": "def solve():\n    return 1\n",
    }
    before = hashed(files, "lazy_of_test:solve")
    assert before != hashed(files | {"lazy_of_test/one": "def solve():\n    return 2\n"}, "lazy_of_test:solve")


def test_a_target_named_by_a_string_is_followed(hashed):
    files = {"plugin_of_test": 'RULES = {"half": "rules_of_test:half"}\ndef solve(): pass\n'}
    before = hashed(files | {"rules_of_test": "def half(x):\n    return x / 2\n"})
    assert before != hashed(files | {"rules_of_test": "def half(x):\n    return x / 3\n"})


def test_a_helper_beside_a_plugin_is_found_and_makes_its_records_stale(ran, place):
    odd = place / "odd" / "with_helper.py"
    odd.parent.mkdir()
    (odd.parent / "helper_of_odd.py").write_text("SCALE = 1.0\n")
    odd.write_text(
        "import numpy as np\nimport spcabench\nfrom helper_of_odd import SCALE\n"
        "class Helped:\n"
        "    def __init__(self, n_components=2):\n        self.n_components = n_components\n"
        "    def fit(self, X, y=None):\n"
        "        self.components_ = SCALE * np.eye(X.shape[1])[: self.n_components]\n        return self\n"
        "@spcabench.hookimpl\ndef spcabench_methods():\n"
        "    return [spcabench.MethodSpec(name='helped', estimator='with_helper:Helped')]\n"
    )
    before, _, _ = ran(methods=["helped", "axes"], plugins=[odd])
    assert set(before.status) == {"ok"}
    (odd.parent / "helper_of_odd.py").write_text("SCALE = 2.0\n")
    after, _, _ = ran(methods=["helped", "axes"], plugins=[odd])
    changed = dict(zip(before.method, before.key != after.key, strict=True))
    assert changed == {"helped": True, "axes": False}


def test_a_module_beside_one_plugin_does_not_take_the_name_of_another(tmp_path):
    hook = "import spcabench\n@spcabench.hookimpl\ndef spcabench_metrics():\n    return []\n"
    for file in ("a/first_of_two.py", "a/second_of_two.py", "b/second_of_two.py"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(hook)
    load_registry([tmp_path / "a/first_of_two.py", tmp_path / "b/second_of_two.py"])
    assert Path(sys.modules["second_of_two"].__file__).parent.name == "b"


def test_the_code_of_a_metric_is_part_of_its_stamp(hashed):
    task = MetricTask(
        name="m", compute="plugin_of_test:solve", on="once", requires=(), params={}, version=1, refitted=False
    )
    hashed({"plugin_of_test": "def solve(e):\n    return 1.0\n"})
    before = score_stamps((task,))
    hashed({"plugin_of_test": "def solve(e):\n    return 2.0\n"})
    assert before != score_stamps((task,))


def test_the_version_and_the_parameters_of_a_metric_are_part_of_its_stamp(hashed):
    task = MetricTask(
        name="m", compute="plugin_of_test:solve", on="once", requires=(), params={}, version=1, refitted=False
    )
    hashed({"plugin_of_test": "def solve(e):\n    return 1.0\n"})
    tasks = [task, replace(task, version=2), replace(task, params={"n": 1})]
    assert len({score_stamps((one,))["m"] for one in tasks}) == 3


def test_the_refit_is_part_of_the_stamp_of_a_metric_that_has_one(hashed):
    task = MetricTask(
        name="m", compute="plugin_of_test:solve", on="once", requires=(), params={}, version=1, refitted=False
    )
    hashed({"plugin_of_test": "def solve(e):\n    return 1.0\n"})
    assert score_stamps((task,)) != score_stamps((replace(task, refitted=True),))


def test_a_source_that_cannot_be_parsed_is_hashed_as_it_is(hashed):
    assert hashed({"plugin_of_test": "def solve(:\n"}) != hashed({"plugin_of_test": "def solve(:  #\n"})


def test_modules_of_the_host_that_a_metric_uses_for_annotations_alone_are_not_its_code():
    assert set(module_hashes("spcabench.metrics.variance:cpev")) == {
        "spcabench.metrics.variance",
        "spcabench.metrics._subspace",
    }


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
        read = list(threads.map(lambda _: read_module(source, "spcabench.run.host", False), range(12)))
    for module in read:
        imports = {i for statement in module.statements for i in statement.imports}
        assert Import("spcabench.run.options", "Options") in imports
