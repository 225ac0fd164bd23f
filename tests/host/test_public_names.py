"""What built-in plugins may use of the host, what the host may say of them, and that the hooks are documented."""

import ast
import doctest
import inspect
from pathlib import Path
from typing import get_args

import pytest

import spcabench
from spcabench import hookspecs
from spcabench.suite.values import Start

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("package", ["spcabench_methods", "spcabench_datasets"])
def test_built_in_plugins_use_only_what_a_third_party_may(package):
    for file in (ROOT / "plugins" / package).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "spcabench":
                assert node.module == "spcabench", f"{file}:{node.lineno}"
                assert {alias.name for alias in node.names} <= set(spcabench.__all__), f"{file}:{node.lineno}"
            if isinstance(node, ast.Import):
                assert not [a.name for a in node.names if a.name.startswith("spcabench.")], f"{file}:{node.lineno}"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "spcabench":
                assert node.attr in spcabench.__all__, f"{file}:{node.lineno}"


def test_the_host_names_no_method_and_no_data_set(registry):
    formats = {
        name for name in registry.datasets if registry.datasets.origins[name].startswith("spcabench_datasets.files")
    }
    names = {*registry.methods, *registry.datasets} - formats  # the data set "file" has a common name
    names -= set(get_args(Start))  # so does the method "pca", with the start from the leading eigenvector
    for file in (ROOT / "spcabench").rglob("*.py"):
        if "metrics" not in file.relative_to(ROOT).parts:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert node.value not in names, f"{file}:{node.lineno}: {node.value}"
                if isinstance(node, ast.Import | ast.ImportFrom):
                    imported = [getattr(node, "module", "") or "", *(alias.name for alias in node.names)]
                    assert not [n for n in imported if n.startswith(("spcabench_methods.", "spcabench_datasets."))]


HOOKS = [hook for name, hook in inspect.getmembers(hookspecs, inspect.isfunction) if hasattr(hook, "spcabench_spec")]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.__name__)
def test_a_hook_is_documented_by_an_example_that_runs(hook):
    (example,) = doctest.DocTestFinder().find(hook, hook.__name__, globs={})
    assert f"def {hook.__name__}():" in hook.__doc__
    assert "@spcabench.hookimpl" in hook.__doc__
    assert example.examples
    assert doctest.DocTestRunner().run(example, clear_globs=False).failed == 0
    offered = example.globs[hook.__name__]()
    assert [type(spec).__name__ for spec in offered] == [hook.__annotations__["return"].removeprefix("list[")[:-1]]
