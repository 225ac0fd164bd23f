"""Plugins, good and broken: a broken one is listed with the reason, and touches no other."""

import os
import sys
import textwrap
from pathlib import Path

import pytest

from spcabench.importing import resolve
from spcabench.plugins import load_registry, plugin_files
from spcabench.wording import InputError

ROOT = Path(__file__).parents[2]
GOOD = """\
import spcabench

class Nothing:
    def fit(self, X, y=None):
        self.components_ = X[:0]
        return self

@spcabench.hookimpl
def spcabench_methods():
    return [spcabench.MethodSpec(name="{name}", estimator="{module}:Nothing")]
"""


def plugin(body):
    return f"import spcabench\nfrom spcabench import *\n\n@spcabench.hookimpl\n{textwrap.dedent(body)}"


def method(**given):
    words = ", ".join(f"{key}={value}" for key, value in {"name": "'m'", "estimator": "'a:B'", **given}.items())
    return plugin(f"def spcabench_methods():\n    return [MethodSpec({words})]\n")


BROKEN = {
    "fails at import": ("1 / 0\n", "import failed: ZeroDivisionError: division by zero"),
    "is not Python": ("def f(:\n", "import failed: SyntaxError: "),
    "exits at import": ("import sys\nsys.exit(3)\n", "import failed: SystemExit: 3"),
    "raises in its hook": (plugin("def spcabench_methods():\n    raise KeyError('x')"), "KeyError: 'x'"),
    "returns nothing": (
        plugin("def spcabench_methods():\n    pass"),
        "returned NoneType where a list of MethodSpec is wanted",
    ),
    "returns no list": (plugin("def spcabench_methods():\n    return 3"), "returned int where a list of MethodSpec"),
    "returns another kind": (
        plugin("def spcabench_methods():\n    return [DatasetSpec(name='m', load='a:b')]"),
        "returned DatasetSpec where MethodSpec is wanted",
    ),
    "has capitals": (method(name="'Mine'"), "'Mine': a name is lower case letters, digits and underscores"),
    "has no attribute": (method(estimator="'a'"), "'m': 'module:attribute' is wanted, not 'a'"),
    "names the class itself": (method(estimator="int"), "'module:attribute' is wanted, not <class 'int'>"),
    "requires the unknown": (
        method(requires="frozenset({'sample'})"),
        "unknown fact 'sample'; valid are clean, image, labels, samples, supports, test (did you mean 'samples'?)",
    ),
    "declares no Parameter": (method(parameters="{'a': 3}"), "parameters is not a mapping of names to Parameter"),
    "repeats itself": (
        plugin("def spcabench_methods():\n    return [MethodSpec(name='m', estimator='a:B')] * 2"),
        "uses the name 'm' twice",
    ),
    "takes arguments": (plugin("def spcabench_methods(x):\n    return []"), "PluginValidationError: "),
    "misspells its hook": (
        plugin("def spcabench_method():\n    return []"),
        "unknown hook 'spcabench_method'; valid are spcabench_datasets, spcabench_methods, spcabench_metrics "
        "(did you mean 'spcabench_methods'?)",
    ),
    "marks no function": (
        "def spcabench_methods():\n    return []\n",
        "has no function marked with @spcabench.hookimpl",
    ),
    "takes a name": (
        GOOD.format(name="pca", module="m"),
        "the name 'pca' is taken by spcabench_methods.specs.classic (spcabench ",
    ),
}


@pytest.fixture
def installed(place, monkeypatch):
    """Put packages or modules in place as if installed, each found through its entry point."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(place))

    def install(name, files, version="1.0"):
        about = place / f"{name}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (about / "entry_points.txt").write_text(f"[spcabench]\n{name} = {name}\n")
        for file, text in files.items():
            (place / file).parent.mkdir(exist_ok=True)
            (place / file).write_text(text)

    yield install
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(place) in str(sys.modules[name].__file__):
            del sys.modules[name]


def reasons(found):
    return {p.name: p.broken for p in found.plugins if p.broken}


def test_installed_plugins_that_are_broken_touch_no_other(installed, registry):
    chosen = ("fails at import", "exits at import", "raises in its hook", "returns nothing", "takes a name")
    for number, what in enumerate(chosen):
        installed(f"aaa_{number}", {f"aaa_{number}.py": BROKEN[what][0]})
    installed("zzz_good", {"zzz_good.py": GOOD.format(name="good", module="zzz_good")})
    found = load_registry()
    for (name, reason), what in zip(reasons(found).items(), chosen, strict=True):
        assert (name[:4], BROKEN[what][1] in reason) == ("aaa_", True)
    assert [*found.methods] == [*registry.methods, "good"]
    assert [*found.datasets] == [*registry.datasets]
    assert [*found.metrics] == [*registry.metrics]


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that(what, plugin_file):
    text, reason = BROKEN[what]
    file = plugin_file("odd_plugin", text)
    with pytest.raises(InputError) as error:
        load_registry([file])
    (fault,) = error.value.faults
    assert fault.where == str(file)
    assert reason in fault.message


def test_of_two_plugins_with_one_name_the_later_is_broken_and_both_are_named(installed):
    for name in ("first", "second"):
        installed(name, {f"{name}.py": GOOD.format(name="same", module=name)}, version="2.5")
    found = load_registry()
    assert found.methods["same"].estimator == "first:Nothing"
    assert reasons(found) == {"second": "the name 'same' is taken by first (first 2.5)"}


def test_one_broken_module_of_a_package_hides_no_other(installed, place):
    files = {
        "family/__init__.py": "",
        "family/_private.py": "1 / 0\n",
        "family/bad.py": "1 / 0\n",
        "family/fine.py": GOOD.format(name="fine", module="family.fine"),
        "family/helper.py": "x = 3\n",
        "family/other.py": GOOD.format(name="other", module="family.other"),
    }
    installed("family", files)
    found = load_registry()
    bad = place / "family" / "bad.py"
    assert reasons(found) == {"family.bad": f"import failed: ZeroDivisionError: division by zero ({bad}, line 1)"}
    assert found.methods.origins["fine"] == "family.fine (family 1.0)"
    assert "other" in found.methods
    assert "family.helper" not in [p.name for p in found.plugins], "a module without hooks is no plugin"


def test_a_file(plugin_file):
    file = plugin_file("my_method", GOOD.format(name="mine", module="my_method"))
    found = load_registry([file])
    assert found.methods.origins["mine"] == f"my_method ({file})"
    assert "mine" in load_registry([file]).methods, "loading it again is no clash"


def test_no_such_file(place):
    (place / "my_method.py").touch()
    with pytest.raises(InputError, match=r"^my_methd.py: no such plugin file.*\(did you mean 'my_method.py'\?\)$"):
        load_registry([Path("my_methd.py")])
    with pytest.raises(InputError, match="no such plugin file"):
        load_registry([Path("no/such/folder/x.py")])
    with pytest.raises(InputError, match="no such plugin file"):
        load_registry([place])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("numpy", "its name 'numpy' is that of another module; rename the file"),
        ("spcabench_methods", "is that of another module; rename the file"),
        ("my-method", "'my-method.py' cannot be the file of a module; rename the file"),
        ("__main__", "cannot be the file of a module; rename the file"),
    ],
)
def test_a_file_whose_name_cannot_be(name, reason, place):
    (place / f"{name}.py").write_text(GOOD.format(name="mine", module=name))
    with pytest.raises(InputError, match=reason):
        load_registry([place / f"{name}.py"])


def test_files_of_the_option_and_of_the_environment(monkeypatch):
    monkeypatch.setenv("SPCABENCH_PLUGINS", os.pathsep.join(["b.py", "", "~/c.py", "a.py"]))
    assert plugin_files(["a.py"]) == [Path("a.py"), Path("b.py"), Path("~/c.py").expanduser()]


def test_the_command_line_takes_files(plugin_file, command, monkeypatch):
    mine = plugin_file("my_method", GOOD.format(name="mine", module="my_method"))
    other = plugin_file("other_method", GOOD.format(name="other", module="other_method"))
    monkeypatch.setenv("SPCABENCH_PLUGINS", str(other))
    code, out, err = command("--plugin", mine, "list", "methods")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if line.endswith(f"({mine})")] == ["mine"]
    assert [line.split()[0] for line in out.splitlines() if line.endswith(f"({other})")] == ["other"]


LACKING = """\
import spcabench

class Mine:
    pass

@spcabench.hookimpl
def spcabench_methods():
    return [spcabench.MethodSpec(name="mine", estimator="{target}")]
"""


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("lacking.solver:Mine", "module lacking.solver cannot be imported: ModuleNotFoundError"),
        ("spcabench_methods.power.tpower:TPowr", "tpower.py) has no 'TPowr' (did you mean 'TPower'?)"),
        ("failing_solver:Mine", "ZeroDivisionError: division by zero ({place}, line 5)"),
    ],
)
def test_a_class_that_does_not_exist_or_fails_is_its_plugins_fault(target, words, plugin_file, command, suite_file):
    place = plugin_file("failing_solver", "import numpy\n\n\nclass Mine:\n    size = 1 / 0\n")
    file = plugin_file("lacking", LACKING.format(target=target))
    code, _, err = command("run", suite_file(methods=["mine"]), "--plugin", file, "-o", "out", "--no-isolation")
    assert code == 1
    assert "the plugin of this method is at fault: " in err
    assert words.format(place=place) in err


def test_all_built_in_code_exists(registry):
    for catalogue in registry.catalogues:
        for spec in catalogue.specs.values():
            if not getattr(spec, "extra", ""):
                resolve(spec.target)


def test_a_broken_plugin_is_named_wherever_its_methods_may_be_meant(installed, command, suite_file, place):
    installed("bad", {"bad.py": "import spcabench\n\n1 / 0\n"})
    reason = f"import failed: ZeroDivisionError: division by zero ({place / 'bad.py'}, line 3)"
    code, _, err = command("list", "methods")
    assert code == 0
    assert err == f"warning: bad 1.0: the plugin bad is broken and provides nothing: {reason}\n"
    (line,) = [line for line in command("plugins")[1].splitlines() if line.startswith("bad ")]
    assert line.endswith(f"BROKEN: {reason}")
    hint = f"perhaps it is of the plugin bad, which is broken: {reason}"
    assert hint in command("info", "mine")[2]
    for changes in ({"methods": ["mine"]}, {"datasets": ["mine"]}):
        code, _, err = command("run", suite_file(**changes))
        assert code == 2
        assert hint in err


def test_a_plugin_that_fails_in_a_worker_is_not_the_data_sets_fault(plugin_file, command, suite_file):
    source = "import sys\n\nif 'pytest' not in sys.modules:\n    1 / 0\n" + LACKING.format(target="lacking:Mine")
    file = plugin_file("lacking", source)
    code, _, err = command("run", suite_file(methods=["pca"]), "--plugin", file, "-o", "out")
    assert code == 1
    assert f"{file}: import failed: ZeroDivisionError" in err
    assert f"({file}, line 4)" in err
    (line,) = [line for line in err.splitlines() if "import failed" in line]
    assert "data set" not in line
