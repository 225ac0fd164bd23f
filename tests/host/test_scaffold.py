"""What `spcabench new` writes: it is the example of this repository, and it runs as it is."""

import ast
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
import yaml

from spcabench.plugins import load_registry
from spcabench.scaffold import files
from spcabench.suite.load import load_suite

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "plugins" / "example"
PLUGINS = ["method", "dataset", "metric"]


def written(folder):
    return {f.relative_to(folder): f.read_text() for f in folder.rglob("*") if f.is_file() and f.suffix != ".pyc"}


def test_the_example_is_what_it_writes(command, place):
    assert command("new", "method", "example", "-o", "here")[0] == 0
    assert written(place / "here") == written(EXAMPLE), "copy what 'spcabench new method example' writes"


@pytest.mark.parametrize("kind", PLUGINS)
def test_another_name_takes_the_place_of_the_word(kind):
    texts = files(kind, "my_own", single=False)
    assert {Path("pyproject.toml"), Path("README.md"), Path("spcabench_my_own.py"), Path("my_own.yaml")} < texts.keys()
    for file, text in texts.items():
        assert "example" not in f"{file} {text}".casefold()
    about = tomllib.loads(texts[Path("pyproject.toml")])
    assert about["project"]["name"] == "spcabench-my-own"
    assert about["project"]["entry-points"]["spcabench"] == {"my_own": "spcabench_my_own"}
    assert f"spcabench_{kind}s" in texts[Path("spcabench_my_own.py")]
    for file, text in texts.items():
        if file.suffix == ".py":
            ast.parse(text)


@pytest.mark.parametrize("kind", [*PLUGINS, "suite"])
def test_the_suite_of_a_scaffold_is_well_formed(kind, place, command, plugin_file):
    code, out, _ = command("new", kind, f"first_{kind}", "--single-file")
    assert code == 0
    plugins = [] if kind == "suite" else [plugin_file(f"first_{kind}", (place / f"first_{kind}.py").read_text())]
    loaded = load_suite(f"first_{kind}.yaml", load_registry(plugins), ())
    assert len(loaded.plan.cells) >= 9
    assert not any(cell.skip for cell in loaded.plan.cells)
    assert f"first_{kind}.yaml" in out.partition("next:")[2]
    assert yaml.safe_load((place / f"first_{kind}.yaml").read_text())["name"] == f"first_{kind}"


@pytest.mark.parametrize("kind", PLUGINS)
def test_a_scaffold_keeps_its_promises(kind, place, command, plugin_file):
    command("new", kind, f"our_{kind}", "--single-file")
    plugin_file(f"our_{kind}", (place / f"our_{kind}.py").read_text())
    code, out, err = command("check", f"our_{kind}.py")
    assert (code, err) == (0, "")
    assert "BROKEN" not in out
    assert "resolves: kept" in out


def test_nothing_is_overwritten(command, place):
    (place / "my_own.yaml").write_text("precious")
    code, _, err = command("new", "method", "my_own", "--single-file")
    assert code == 2
    assert err == "error: my_own.yaml: is there already; nothing was written\n"
    assert written(place) == {Path("my_own.yaml"): "precious"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("My-Own", "the name is 'My-Own'; valid are lower case letters, digits and underscores, a letter first"),
        ("class", "the name is 'class'; valid"),
        ("numpy", "the name 'numpy' is that of an installed module; choose another"),
    ],
)
def test_a_name_that_cannot_be(name, words, command, place):
    code, _, err = command("new", "method", name, "--single-file")
    assert code == 2
    assert words in err
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.nightly if kind == "method" else pytest.mark.weekly) for kind in PLUGINS],
)
def test_a_package_installs_into_a_fresh_environment_and_runs(kind, tmp_path):
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    (packages,) = home.glob("lib/python*/site-packages")
    inherited = [folder for folder in sys.path if folder.endswith("-packages")]
    (packages / "inherited.pth").write_text("".join(f"import site; site.addsitedir({f!r})\n" for f in inherited))

    def do(*command, where=tmp_path):
        return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True, cwd=where).stdout

    assert "example" in do(python, "-m", "spcabench", "new", kind, "example")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "-q")
    do(sys.executable, "-m", "pip", "--python", python, "install", *options, tmp_path / "example")
    (line,) = [line for line in do(python, "-m", "spcabench", "list").splitlines() if line.startswith("example ")]
    assert line.endswith("spcabench_example (spcabench-example 0.1.0)")
    out = do(python, "-m", "spcabench", "run", "example/example.yaml")
    assert "report: " in out
    assert (tmp_path / "reports" / "example" / "report.html").is_file()
    tests = do(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", where=tmp_path / "example")
    assert " passed" in tests
    assert "failed" not in tests
    assert "BROKEN" not in do(python, "-m", "spcabench", "check", "spcabench-example")
