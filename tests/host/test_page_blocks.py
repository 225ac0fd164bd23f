"""Each code block of the pages runs here, or its reason not to is in a table of this file."""

import shlex
import sqlite3
import sys
import warnings
from contextlib import closing

import click
import numpy as np
import page_blocks
import pytest
from page_blocks import PAGES, RUNS, SHELL, SUITES

from spcabench.cli import VERBS
from spcabench.cli import spcabench as spcabench_group
from spcabench.suite.load import load_scales

PLUGINS = [("plugins/README.md", f"# {name}.py") for name in ("wrapped", "function", "program")]
SLURM = "# slurm.py: 200 workers of one core each, started as SLURM has room for them"
ELSEWHERE = {
    ("docs/clusters.md", SLURM): "no SLURM is here",
    **dict.fromkeys(PLUGINS, "tests/host/test_wrapping.py runs it as a plugin, with a program in place of R"),
    ("reports/README.md", "import io"): "test_the_database_of_a_run_is_read_as_the_page_says runs it, with a run",
}
"""Blocks of Python that another test runs."""

OF_OTHERS = {("plugins/README.md", "r"): "tests/host/test_wrapping.py runs it, with R where R is"}
"""Pages with blocks of other languages, which another test runs."""

NOT_RUN = {
    "python3 -m venv .venv": "tests/host/test_distribution.py makes an environment, weekly",
    '.venv/bin/pip install -q -e ".[report]"': "tests/host/test_distribution.py installs into a fresh one, weekly",
    '.venv/bin/pip install -q -e ".[test]"': "the same, and .ci/run installs with this line",
    '.venv/bin/pip install -q -e ".[test,dev]"': "the same, and .ci/run installs with this line",
    'pip install -e ".[test]"': "tests/host/test_scaffold.py installs the example into a fresh environment, weekly",
    'pip install -e ".[test,perf]"': "tests/host/test_readme.py holds that the extras exist",
    ".venv/bin/pytest": "these are the tests; tests/host/test_readme.py holds that .ci/run has this line",
    "pytest": "the tests of the example: tests/host/test_scaffold.py runs them, weekly",
    ".venv/bin/pre-commit install": "it would change the hooks of this repository",
    "pytest tests/perf/test_random_problems.py -s": "benchmarks need an idle machine",
    **dict.fromkeys(
        (
            "pytest tests/perf/bench_solvers.py --benchmark-autosave",
            "pytest tests/perf/bench_solvers.py --benchmark-compare --benchmark-compare-fail=min:13%",
            "pytest tests/perf/bench_solvers.py --benchmark-histogram",
            "pytest --spcabench-bench my_spca --benchmark-autosave",
            "pytest --spcabench-bench my_spca --benchmark-compare --benchmark-compare-fail=min:13%",
        ),
        "tools/tracking.py runs them on an idle machine; tests/gate holds what they fail for, nightly",
    ),
    **dict.fromkeys(
        (
            "spcabench-perf compare main",
            "spcabench-perf compare HEAD~10..main -k tpower",
            "spcabench-perf compare main --spcabench-bench my_spca",
        ),
        "tests/gate compares the commits of a small repository, weekly",
    ),
    "spcabench run mine.yaml --plugin program.py": "tests/host/test_wrapping.py runs the program of that page",
    "spcabench run mine.yaml --plugin program.py --set methods.+=program": "the same, nightly",
    "spcabench check program.py": "the same, weekly",
    "pip install -e my_spca": "tests/host/test_scaffold.py installs such a package into a fresh environment, nightly",
    "spcabench check my_spca": "the same",
    "spcabench run my_spca/my_spca.yaml": "the same",
    **dict.fromkeys(
        (
            "spcabench run leaderboard --quick --plugin my_method.py --set methods.+=my_method",
            "spcabench site reports/leaderboard-quick --plugin my_method.py --output site",
            "spcabench submission write my_method --plugin my_method.py --run reports/leaderboard-quick "
            "-o submissions/my_method",
            "spcabench submission merge submissions/my_method --into reports/board",
            "spcabench run reports/board/suite.yaml --output reports/board --plugin submissions/my_method/my_method.py",
            "spcabench site reports/board --plugin submissions/my_method/my_method.py -o site",
        ),
        "tests/submission/test_recipe.py runs these of the page in their order, weekly",
    ),
    "sqlite3 -header reports/mnist_outlier/run.sqlite "
    "\"SELECT method, avg(value) FROM metrics WHERE metric = 'cpev' GROUP BY method\"": "the same test runs its SQL",
    "spcabench info example": "tests/host/test_scaffold.py installs the example, weekly; here it is no plugin",
    "spcabench run example.yaml": "tests/host/test_scaffold.py installs the example, weekly; here it is no plugin",
    "spcabench check example": "tests/host/test_scaffold.py installs the example, weekly; here it is no plugin",
}
"""Commands that do not run here, and why."""

SHORTER = {
    "spcabench run my_spca.yaml --plugin my_spca.py": "--only method=my_spca --no-isolation",
    "spcabench run suites/mnist_outlier.yaml": "--no-isolation",
    "spcabench run pitprops": "--no-isolation",
}
"""What is added to a command: fits in this process, or of one method."""

SMALL = """
name: {name}
datasets: [pitprops]
methods: [pca, tpower]
n_components: 2
n_nonzero: [4]
metrics: [cpev]
"""
"""What suites are here that pages run by name: the real ones take minutes, and tests/published holds these."""


COMMANDS = list({b.text: b for page in PAGES for b in page_blocks.of_language(page, SHELL)}.values())
"""The blocks of commands; one that several pages have runs once."""


@pytest.fixture
def small_suites(place, monkeypatch):
    """Work in a folder that has small suites of the names that the pages use; the search path is as before after it."""
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    (place / "suites").mkdir()
    for name in ("pitprops", "mnist_outlier"):
        (place / "suites" / f"{name}.yaml").write_text(SMALL.format(name=name))
    return place


def given():
    """Return the names that a page of Python may use without making them."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 12))
    X[:, :4] += 2 * rng.standard_normal((60, 1))
    return {"__name__": "__page__", "X": X, "weights": np.arange(1.0, 61.0)}


def pages_with(languages):
    return [page for page in PAGES if page_blocks.of_language(page, languages)]


def run_here(command, line):
    """Run a command of spcabench in this process and return its exit code."""
    return command(*shlex.split(f"{line} {SHORTER.get(line, '')}")[1:])


def test_each_block_is_of_a_kind_that_is_held():
    known = (*RUNS, *SHELL, *SUITES, *page_blocks.OUTPUT, *page_blocks.MARKUP)
    others = {(b.page, b.language) for page in PAGES for b in page_blocks.blocks(page) if b.language not in known}
    assert others == OF_OTHERS.keys()


def test_each_exception_is_of_a_block_that_exists():
    found = {(b.page, b.first) for page in PAGES for b in page_blocks.of_language(page, RUNS)}
    assert ELSEWHERE.keys() <= found
    lines = {ln for page in PAGES for b in page_blocks.of_language(page, SHELL) for ln in page_blocks.command_lines(b)}
    assert NOT_RUN.keys() <= lines
    assert SHORTER.keys() <= {line.removeprefix(".venv/bin/") for line in lines}


@pytest.mark.nightly
@pytest.mark.parametrize("page", pages_with(RUNS))
def test_the_python_of_a_page_runs(page, small_suites):
    names = given()
    for block in page_blocks.of_language(page, RUNS):
        if (page, block.first) not in ELSEWHERE:
            with warnings.catch_warnings():
                warnings.simplefilter("error", category=SyntaxWarning)
                exec(compile(block.text, page, "exec"), names)


@pytest.mark.nightly
@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: f"{block.page}: {block.first}")
def test_the_commands_of_a_block_run(block, small_suites, command):
    for line in page_blocks.command_lines(block):
        if line not in NOT_RUN:
            line = line.removeprefix(".venv/bin/")
            assert line.startswith("spcabench "), f"{block.page}: {line}: run it here, or say in NOT_RUN why not"
            code, out, err = run_here(command, line)
            assert code == 0, (line, out, err)
    sys.modules.pop("my_spca", None)


@pytest.mark.nightly
def test_the_answer_that_pages_show_is_given(place, command):
    code, out, _ = command("try", "diabetes")
    assert code == 0
    for page in ("README.md", "docs/trying.md"):
        (shown,) = page_blocks.of_language(page, page_blocks.OUTPUT)
        assert " ".join(shown.text.split()) in " ".join(out.split()), page


@pytest.mark.nightly
def test_the_database_of_a_run_is_read_as_the_page_says(small_suites, command):
    code, _, err = command("run", "suites/mnist_outlier.yaml", "--no-isolation")
    assert code == 0, err
    (shell,) = page_blocks.of_language("reports/README.md", SHELL)
    _, _, file, sql = shlex.split(shell.text)
    with closing(sqlite3.connect(file)) as run:
        assert [method for method, _ in run.execute(sql)] == ["pca", "tpower"]
    (block,) = page_blocks.of_language("reports/README.md", RUNS)
    names = {}
    exec(compile(block.text, "reports/README.md", "exec"), names)
    assert names["frame"].method.tolist() == ["pca", "tpower"]
    assert names["components"].shape == (2, 13)


@pytest.mark.parametrize("page", pages_with(SUITES))
def test_the_suites_of_a_page_are_sound(page, suite_file, registry, place):
    (place / "genes.csv").write_text("1,2\n3,4\n")
    for block in page_blocks.of_language(page, SUITES):
        assert all(loaded.plan.cells for loaded in load_scales(str(suite_file(block.text)), registry))


@pytest.mark.parametrize("page", [page for page in PAGES if page_blocks.inline_commands(page)])
def test_commands_within_the_text_exist_with_their_options(page):
    faults = []
    for line in page_blocks.inline_commands(page):
        verb, *words = shlex.split(line.replace("...", ""))[1:] or [""]
        if verb not in VERBS and verb != "--help" and not verb.isupper():
            faults.append(line)
        elif verb in VERBS:
            known = options_of(verb)
            faults += [f"{line}: {word}" for word in words if word.startswith("-") and option(word) not in known]
    assert faults == []


def option(word):
    return word.partition("=")[0].rstrip(",;:.") if word != "-" else word


def options_of(verb):
    """Return the options that a verb takes, those of the program among them."""
    parsed = spcabench_group.get_command(click.Context(spcabench_group), verb)
    all_of_it = [parsed, *getattr(parsed, "commands", {}).values()]
    parameters = [parameter for command in all_of_it for parameter in command.params]
    names = {name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)}
    return names | {"--help", "-h", "-"}
