"""The command line: help, names, plans, schema, completion, and, as a process, what it does not import."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml
from click.shell_completion import BashComplete

from spcabench.cli import VERBS, main, spcabench
from spcabench.store.about import About
from spcabench.store.folder import RunFolder

SUITES = sorted((Path(__file__).parents[2] / "suites").glob("*.yaml"))
HEAVY = ("scipy", "sklearn", "numba", "pandas", "altair", "dask", "rich")


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_an_example(verb, command):
    code, out, err = command(verb, "--help")
    assert (code, err) == (0, "")
    assert f"spcabench {verb}" in out.partition("Example")[2] or verb == "plugins"
    assert "Example" in out


def test_help_lists_every_verb(command):
    code, out, _ = command("--help")
    assert code == 0
    assert all(f"  {verb} " in out for verb in VERBS)
    assert command()[0] == 2


def test_a_process_ends_as_a_call_does(process, command, place):
    ended = process("plan", "pitprop")
    assert (ended.returncode, ended.stdout, ended.stderr) == command("plan", "pitprop")
    assert ended.returncode == 2
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["rnu"], "no command 'rnu'; valid are "),
        (["validat"], "(did you mean 'validate'?)"),
        (["list", "method"], "'method' is not one of 'methods', 'datasets', 'metrics', 'figures', 'suites'"),
        (["info", "tpowr"], "no method, data set, metric or suite 'tpowr'; valid are "),
        (["info", "tpowr"], "(did you mean 'tpower'?)"),
        (["info"], "Missing argument 'NAME'"),
        (["validate"], "Missing argument 'SUITES...'"),
        (["plan", "pitprop"], "(did you mean 'pitprops'?)"),
        (["plan", "pitprops", "--cell"], "No such option"),
        (["plan", "pitprops", "--scale", "defalt"], "the suite has no scale 'defalt'; valid are default"),
        (["plan", "pitprops", "--quick", "--scale", "full"], "--quick and --scale exclude each other"),
        (["run", "pitprops", "--scale", "defalt"], "(did you mean 'default'?)"),
        (["run", "pitprops", "--retry", "eror"], "(did you mean 'error'?)"),
        (["run", "pitprops", "--retry", "fialed"], "(did you mean 'failed'?)"),
        (["plan", "pitprops", "--only", "tpowr"], "--only tpowr: no method or data set of the suite has such a label"),
        (["plan", "pitprops", "--skip", "pitprop"], "(did you mean 'pitprops'?)"),
        (["run", "pitprops", "--jobs", "0"], "0 is not in the range"),
        (["status", "nothing"], "no run there; runs in reports"),
        (["report", "nothing"], "no run there; runs in reports"),
        (["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
        (["--plugin", "no.py", "list"], "no.py: no such plugin file"),
    ],
)
def test_bad_input_ends_in_words_and_exit_code_2(args, words, command, place):
    code, out, err = command(*args)
    assert code == 2
    assert out == ""
    assert words in err.replace("\n", " ")
    assert list(place.iterdir()) == []


def first_words(text):
    return {line.split()[0] for line in text.splitlines() if line.strip()}


def test_lists(command, registry):
    code, everything, err = command("list")
    assert (code, err) == (0, "")
    kinds = {"methods": registry.methods, "datasets": registry.datasets, "metrics": registry.metrics}
    for kind, names in kinds.items():
        code, out, _ = command("list", kind)
        assert code == 0
        assert out in everything
        assert set(names) <= first_words(out)
    assert {file.stem for file in SUITES} <= first_words(command("list", "suites")[1])
    assert {"err_curve", "pareto"} <= first_words(command("list", "figures")[1])


def test_list_survives_a_suite_that_cannot_be_read(command, place):
    (place / "suites").mkdir()
    (place / "suites" / "bad.yaml").write_bytes(b"\xff")
    code, out, _ = command("list", "suites")
    assert code == 0
    assert "cannot be read; see: spcabench validate bad" in out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpower_l1", ["method gpower_l1, from spcabench_methods.power", "knob: cardinality, the parameter n_nonzero",
                       "params: penalty = 'l1'", "tol = 1e-06: ", "a number in [0, inf)",
                       "in Python: spcabench.make('gpower_l1', n_components=3, n_nonzero=4)"]),
        ("pca", ["knob: none", "in Python: spcabench.make('pca', n_components=3)\n"]),
        ("sklearn_spca", ["in Python: spcabench.make('sklearn_spca', n_components=3, alpha=1)"]),
        ("spiked", ["data set spiked, from spcabench_datasets.spiked", "provides: samples, supports, test", "n = 200"]),
        ("cpev", ["metric cpev, from spcabench.metrics.variance", "range: from ", "better: higher", "formula: "]),
        ("smoke", ["suite smoke: smoke.yaml", "name: smoke"]),
        ("pitprops", ["data set pitprops, from ", "suite pitprops: pitprops.yaml"]),
    ],
)  # fmt: skip
def test_info(name, words, command):
    code, out, err = command("info", name)
    assert (code, err) == (0, "")
    assert all(word in out for word in words)
    assert "Knob(" not in out


def test_everything_has_info(command, registry):
    for name in [*registry.methods, *registry.datasets, *registry.metrics]:
        code, out, _ = command("info", name)
        assert code == 0
        assert f" {name}, from " in out


def test_validate_takes_several_files(command, place, sound):
    (place / "good.yaml").write_text(yaml.safe_dump(sound))
    (place / "bad.yaml").write_text(yaml.safe_dump({**sound, "n_components": 0}, sort_keys=False))
    (place / "worse.yaml").write_text("- 1\n")
    code, out, err = command("validate", "worse.yaml", "good.yaml", "pitprops", "bad.yaml", "none.yaml")
    assert code == 2
    assert out.splitlines()[0] == "good.yaml: well formed, 2 cells"
    assert out.splitlines()[1].startswith("pitprops: well formed, ")
    places = [line.split(": ")[1] for line in err.splitlines()]
    assert places == ["worse.yaml:1", "bad.yaml:7", "none.yaml"]


def test_plan_counts_and_lists_what_is_skipped(command, registry):
    settings = ("--set", "seeds=2", "--set", "n_nonzero=[3, 4, [5, 5, 5, 5, 5, 5]]")
    code, out, err = command("plan", "pitprops", "--cells", *settings)
    assert (code, err) == (0, "")
    suite = yaml.safe_load(next(file for file in SUITES if file.stem == "pitprops").read_text())
    entries = [{"name": m} if isinstance(m, str) else m for m in suite["methods"]]
    specs = [registry.methods[entry["name"]] for entry in entries]
    levels = [
        1 if entry.get("sparsity") == "own" or spec.knob.kind == "none" else 3
        for entry, spec in zip(entries, specs, strict=True)
    ]
    needing = [spec for spec in specs if "samples" in spec.requires]
    lines = out.splitlines()
    listed = [line for line in lines if ", seed " in line]
    skipped = [line for line in listed if "  SKIPPED: " in line]
    assert needing
    assert skipped
    if all(not isinstance(p, list) for entry in entries for p in entry.get("params", {}).values()):
        assert len(listed) == 2 * sum(levels)
    assert lines[1] == f"{len(listed)} cells, {len(skipped)} of them skipped; 1 data set draws"
    for spec in needing:
        assert f"skipped: {spec.name} requires samples, which pitprops does not have" in out
    assert any("[5, 5, 5, 5, 5, 5] nonzeros" in line or "(5, 5, 5, 5, 5, 5) nonzeros" in line for line in listed)


def test_a_plan_takes_the_patterns_of_a_run(command, suite_file):
    suite = suite_file(methods=["pca", "tpower", "gpower_l0", "gpower_l1"], seeds=2)

    def planned(*args):
        code, out, err = command("plan", suite, *args)
        assert (code, err) == (0, "")
        lines = out.splitlines()
        heading = next(place for place, line in enumerate(lines) if line.split() == ["method", "cells"])
        counts = dict(line.split() for line in lines[heading + 2 :] if line)
        assert lines[1].startswith(f"{sum(map(int, counts.values()))} cells, ")
        return counts

    assert planned("--only", "gpower*", "--only", "tpower") == {"tpower": "2", "gpower_l0": "2", "gpower_l1": "2"}
    assert planned("--only", "pitprops", "--skip", "gpower*", "--skip", "pca") == {"tpower": "2"}


def test_a_scale_is_planned_and_validated(command, place, sound):
    scales = {"quick": {"methods": ["pca"]}, "full": {"n_nonzero": [3, 4], "seeds": 2}}
    (place / "scaled.yaml").write_text(yaml.safe_dump({**sound, "scales": scales}))
    assert command("validate", "scaled.yaml")[1] == "scaled.yaml: well formed, 2 cells, full 6, quick 1\n"
    for args, name, cells in [
        ((), "sound", 2),
        (("--scale", "default"), "sound", 2),
        (("--quick",), "sound-quick", 1),
        (("--scale", "quick", "--set", "seeds=5"), "sound-quick", 5),
        (("--scale", "full"), "sound-full", 6),
    ]:
        code, out, err = command("plan", "scaled.yaml", *args)
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert lines[0] == f"{name}: "
        assert lines[1].startswith(f"{cells} cells, ")
        assert lines[3] == f"scales: default, full, quick; this is {name.partition('-')[2] or 'default'}"


def test_a_scale_runs_in_a_folder_of_its_own(command, place, sound):
    (place / "scaled.yaml").write_text(yaml.safe_dump({**sound, "scales": {"quick": {"methods": ["pca"]}}}))
    code, _, err = command("run", "scaled.yaml", "--quick", "--no-isolation")
    assert code == 0, err
    assert [folder.name for folder in (place / "reports").iterdir()] == ["sound-quick"]
    folder = place / "reports" / "sound-quick"
    as_run = yaml.safe_load((folder / "suite.yaml").read_text())
    (method,) = as_run["methods"]
    assert (method["name"], method["sparsity"]) == ("pca", "target")
    assert "scales" not in as_run
    words = json.loads((folder / "run.json").read_text())["command"]
    assert words == "spcabench run scaled.yaml --quick --no-isolation"
    assert words in (folder / "report.md").read_text()
    code, out, err = command("status", "sound-quick")
    assert code == 0, err
    assert out.splitlines()[:2] == ["reports/sound-quick: nobody runs it", "quick scale"]
    assert out.split()[-2:] == ["ok", "1"]


@pytest.fixture(scope="module")
def run_once(tmp_path_factory, sound):
    """Run a small suite into its folder in reports, once for all tests."""
    home = tmp_path_factory.mktemp("run_once")
    (home / "sound.yaml").write_text(yaml.safe_dump({**sound, "methods": ["pca"]}))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setattr(sys, "argv", ["spcabench", "run", "sound.yaml", "--no-isolation"])
        with pytest.raises(SystemExit, match="0"):
            main()
    return home


@pytest.fixture
def small_run(run_once, place):
    """Return the folder of a small run, a copy of a test's own."""
    shutil.copytree(run_once, place, dirs_exist_ok=True)
    return place / "reports" / "sound"


@pytest.mark.parametrize(
    ("options", "form"),
    [
        ((), "default scale"),
        (("--quick",), "quick scale"),
        (("--scale", "many", "--set", "methods=[pca]", "--set", "n_nonzero=2"),
         "many scale, with methods=[pca], n_nonzero=2"),
    ],
)  # fmt: skip
def test_the_report_states_the_scale_and_what_was_set(options, form, command, place, sound):
    scales = {"quick": {"methods": ["pca"]}, "many": {"seeds": 2}}
    (place / "scaled.yaml").write_text(yaml.safe_dump({**sound, "scales": scales}))
    assert command("run", "scaled.yaml", "-o", "out", "--no-isolation", *options)[0] == 0
    assert command("status", "out")[1].splitlines()[1] == form
    page, html = ((place / "out" / name).read_text() for name in ("report.md", "report.html"))
    escaped = form.replace("[", "\\[").replace("]", "\\]")
    assert page.splitlines()[2] == f"Run at {escaped}."
    assert f'<p class="source">Run at {form}.</p>' in html


def test_a_run_that_does_not_say_its_scale_is_read(small_run, command):
    about = RunFolder(small_run).about()
    assert (about.scale, about.settings) == ("default", ())
    RunFolder(small_run).keep_about(replace(about, scale=""))
    assert command("report", "sound")[0] == 0
    code, out, _ = command("status", "sound")
    assert code == 0
    assert out.splitlines()[:2] == ["reports/sound: nobody runs it", "1 of 1 cells done"]
    assert "Run at" not in (small_run / "report.md").read_text() + (small_run / "report.html").read_text()


def test_a_run_is_never_mistaken_for_another(small_run, command, place):
    (place / "other" / "sound").mkdir(parents=True)
    for verb in ("status", "clean", "report"):
        assert command(verb, "sound")[0] == 0
        for wrong in ("no/such/dir/sound", "other/sound", "other/../sound"):
            code, _, err = command(verb, wrong)
            assert code == 2
            assert f"{wrong}: no run there" in err
    (place / "sound").mkdir()
    assert command("status", "sound")[0] == 2


def test_a_run_whose_plugin_is_not_loaded_names_it(small_run, command):
    folder = RunFolder(small_run)
    about = folder.about()
    folder.keep_about(replace(about, environment={**about.environment, "plugin mine/own.py": "0"}))
    folder.keep_suite(folder.suite_text().replace("name: pca", "name: my_own_method"))
    code, _, err = command("status", "sound")
    assert code == 2
    assert "unknown method 'my_own_method'" in err
    assert "reports/sound: this run was made with --plugin mine/own.py" in err


def test_a_suite_as_run_may_be_larger_than_one_that_is_written(small_run, load, registry):
    from spcabench.suite.load import load_resolved, resolved_yaml

    large = load(n_nonzero={"from": 1, "to": 9999}).suite
    assert load_resolved(resolved_yaml(large), small_run / "suite.yaml", registry).suite == large


@pytest.mark.parametrize(
    ("made", "folder", "shown"),
    [
        ("spcabench run sound --only pca --skip=x", "reports/sound", "spcabench run sound"),
        ("spcabench run sound -o old --fresh --jobs 2", "new", "spcabench run sound --jobs 2 -o new"),
        ("spcabench run sound --quick", "reports/sound-quick", "spcabench run sound --quick -o reports/sound-quick"),
        ("", "new", "spcabench run new/suite.yaml -o new"),
    ],
)
def test_status_says_how_to_go_on_with_all_of_it(made, folder, shown, small_run, command, place):
    folder = place / folder
    if folder != small_run:
        small_run.rename(folder)
    RunFolder(folder).keep_about(About(command=made))
    (folder / "index.json").unlink()
    out = command("status", folder.relative_to(place))[1]
    assert next(line for line in out.splitlines() if line.startswith("to go on")).partition(": ")[2] == shown


@pytest.fixture(scope="module")
def schema(registry):
    from spcabench.suite.schema import suite_schema

    return json.loads(json.dumps(suite_schema(registry)))


def test_schema_is_printed(command, schema):
    code, out, err = command("schema")
    assert (code, err) == (0, "")
    assert json.loads(out) == schema
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("file", SUITES, ids=lambda file: file.stem)
def test_shipped_suites_fit_the_schema(file, schema):
    jsonschema.validate(yaml.safe_load(file.read_text()), schema)


@pytest.mark.parametrize(
    "changes",
    [
        {"n_nonzero": [3, [4, 5]], "seeds": 3},
        {"datasets": [{"name": "mnist", "stand_in": "digits", "preprocess": "centre"}]},
        {"n_nonzero": {"from": 1, "to": 4}, "seeds": {"from": 0, "to": 6, "step": 2}},
        {"scales": {"quick": {"seeds": 1}, "full": {"methods.tpower.params.tol": [0.1, 0.2]}}},
        {"limits": {"time": 3}, "methods": [{"name": "tpower", "sparsity": "own", "params": {"n_nonzero": 3}}]},
    ],
)
def test_sound_suites_fit_the_schema(changes, schema, sound, load):
    jsonschema.validate({**sound, **changes}, schema)
    load(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"n_component": 2},
        {"n_components": 0},
        {"n_components": 2.5},
        {"methods": ["tpowr"]},
        {"methods": [{"name": "tpowr"}]},
        {"methods": []},
        {"datasets": ["pitprop"]},
        {"metrics": [{"name": "cpev", "parms": {}}]},
        {"report": {"figures": ["paretto"]}},
        {"n_nonzero": [[]]},
        {"n_nonzero": ["x"]},
        {"seeds": -1},
        {"seeds": 1001},
        {"seeds": {"from": 1}},
        {"n_nonzero": {"from": 1, "to": 3, "step": 0}},
        {"n_nonzero": {"from": 1, "to": 3, "by": 2}},
        {"scales": ["quick"]},
        {"scales": {"quick": 3}},
        {"scales": {"Quick": {}}},
        {"scales": {"default": {}}},
        {"limits": {"time": 0}},
        {"published": [{"source": "x", "rows": []}]},
        {"datasets": [{"name": "mnist", "stand_in": "digit"}]},
    ],
    ids=str,
)
def test_a_suite_at_fault_does_not_fit_the_schema(changes, schema, sound, faults):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**sound, **changes}, schema)
    assert faults(**changes)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell, command):
    code, out, err = command("completion", shell)
    assert (code, err) == (0, "")
    assert "_SPCABENCH_COMPLETE" in out
    assert f"{shell}_complete" in out


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("spcabench ru", {"run"}),
        ("spcabench run mnist_o", {"mnist_outlier"}),
        ("spcabench validate pit", {"pitprops"}),
        ("spcabench info tpo", {"tpower"}),
        ("spcabench info spiked_p", {"spiked_phase"}),
        ("spcabench info cpe", {"cpev"}),
        ("spcabench list me", {"methods", "metrics"}),
        ("spcabench run --ret", {"--retry"}),
        ("spcabench run scaled.yaml --scale f", {"full"}),
        ("spcabench plan scaled.yaml --set seeds=1 --scale qu", {"quick"}),
        ("spcabench run pitprops --scale nothing", set()),
        ("spcabench run nothing --scale d", set()),
    ],
)
def test_completion(line, completed, monkeypatch, place, sound):
    (place / "scaled.yaml").write_text(yaml.safe_dump({**sound, "scales": {"quick": {}, "full": {}}}))
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    shell = BashComplete(spcabench, {}, "spcabench", "_SPCABENCH_COMPLETE")
    assert {entry.partition(",")[2] for entry in shell.complete().split()} == completed


def test_the_program_completes(process):
    program = shutil.which("spcabench", path=Path(sys.executable).parent)
    words = {"COMP_WORDS": "spcabench ru", "COMP_CWORD": "1", "_SPCABENCH_COMPLETE": "bash_complete"}
    ended = process(program, python=True, **words)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "plain,run\n", "")


@pytest.mark.parametrize(
    ("args", "heavy"),
    [
        (["--help"], ("numpy", *HEAVY, "pydantic", "yaml", "tabulate")),
        (["run", "--help"], (*HEAVY, "pydantic", "yaml", "tabulate")),
        (["list", "methods"], (*HEAVY, "pydantic")),
        (["info", "tpower"], HEAVY),
        (["validate", *map(str, SUITES)], HEAVY),
        (["plan", "pitprops"], HEAVY),
        (["schema"], HEAVY),
        (["plugins"], HEAVY),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_heavy_imports_stay_out(args, heavy, process):
    code = f"""
import sys
from spcabench.cli import main
sys.argv = ["spcabench", *{args!r}]
try:
    main()
except SystemExit as ended:
    sys.exit(f"loaded {{[n for n in {heavy!r} if n in sys.modules]}}, code {{ended.code}}")
"""
    assert process("-c", code, python=True).stderr.strip() == "loaded [], code 0"


def test_a_closed_pipe_ends_quietly(process):
    code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'spcabench', 'schema'], " \
           "stdout=subprocess.PIPE, stderr=subprocess.PIPE); p.stdout.close(); " \
           "sys.stderr.write(p.stderr.read().decode()); sys.exit(p.wait())"  # fmt: skip
    ended = process("-c", code, python=True)
    assert ended.stderr == ""


def test_ctrl_c_ends_in_words(command, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("spcabench.plugins.load_registry", interrupted)
    code, _, err = command("plugins")
    assert code == 130
    assert err.strip() == "error: interrupted; what was finished is kept, and running again resumes"
