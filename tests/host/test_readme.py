"""What README and the pages show: their commands are what is tested, and their method of one's own runs."""

import importlib.util
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from page_blocks import blocks

from spcabench.plugins import load_registry
from spcabench.suite.load import load_scales

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def commands():
    """Return the two commands, each as the list of what `&&` joins."""
    section = (ROOT / "README.md").read_text().partition("## Two commands\n")[2].partition("\n## ")[0]
    return [block.strip().split(" && ") for block in re.findall(r"```console\n(.*?)```", section, re.DOTALL)]


@pytest.fixture(scope="module")
def checks():
    """Return the lines of the script that runs every check."""
    return (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_checks_run_the_tests_as_the_readme_does(commands, checks):
    venv, install, pytest_command = commands[1]
    assert f"check {pytest_command}" in checks
    assert f"check {pytest_command} -m nightly" in checks
    assert f"{venv} && {install.replace('.[test]', '.[test,dev]')} || exit 1" in checks
    assert not [line for line in checks if "eval" in line]


def test_the_main_job_is_a_suite_of_this_tree(commands, command, monkeypatch):
    venv, install, run = commands[0]
    assert (venv, install) == ("python3 -m venv .venv", '.venv/bin/pip install -q -e ".[report]"')
    program, *words = run.split()
    assert program == ".venv/bin/spcabench"
    monkeypatch.chdir(ROOT)
    assert command("plan", *words[1:])[0] == 0
    assert words[0] == "run"


def test_extras_that_are_named_exist():
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    texts = [(ROOT / name).read_text() for name in ("README.md", ".ci/run", ".github/workflows/tests.yml")]
    named = {extra for text in texts for group in re.findall(r"\.\[([\w,]+)\]", text) for extra in group.split(",")}
    assert {"test", "dev"} <= named <= set(about["optional-dependencies"])


@pytest.fixture
def own(plugin_file):
    """Write the page's method of one's own."""
    (text,) = [block.text for block in blocks("docs/plugins.md") if "hookimpl" in block.text]
    return plugin_file("my_method", text)


def test_the_method_of_the_page_keeps_as_many_entries_as_asked_for(own):
    spec = importlib.util.spec_from_file_location("page_method", own)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    X = np.random.default_rng(0).standard_normal((30, 8))
    for wanted in (3, [2, 5]):
        components = module.Truncated(n_components=2, n_nonzero=wanted).fit(X).components_
        np.testing.assert_array_equal((components != 0).sum(axis=1), wanted)
        np.testing.assert_allclose(np.linalg.norm(components, axis=1), 1.0)


def test_the_method_of_the_page_is_skipped_where_there_is_only_a_covariance(own, suite_file):
    file = suite_file(methods=["truncated"], datasets=["pitprops", "spiked"])
    (loaded,) = load_scales(str(file), load_registry([own]))
    skipped = {cell.draw.variant.label: bool(cell.skip) for cell in loaded.plan.cells}
    assert skipped == {"pitprops": True, "spiked": False}
