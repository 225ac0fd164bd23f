"""The command line: help, completion, names, plans, and, as a process, what it does not import."""

import shutil
import sys
from pathlib import Path

import pytest
import yaml
from click.shell_completion import BashComplete

from spcabench.cli import EARLIER, VERBS, spcabench
from spcabench.store.folder import RunFolder

SUITES = sorted((Path(__file__).parents[2] / "suites").glob("*.yaml"))
HEAVY = ("scipy", "sklearn", "numba", "pandas", "altair", "vl_convert", "dask", "rich")


def test_help_lists_every_verb_and_each_has_an_example(command):
    code, out, _ = command("--help")
    assert code == 0
    assert all(f"  {verb} " in out for verb in VERBS)
    assert command()[0] == 2
    for words in (*((verb,) for verb in VERBS), ("submission", "write"), ("submission", "merge")):
        code, out, err = command(*words, "--help")
        assert (code, err) == (0, "")
        assert " ".join(words) in " ".join(out.partition("Example")[2].split())
        assert "--plugin FILE.py" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["rnu"], "no command 'rnu'; valid are "),
        (["pln"], "(did you mean 'plan'?)"),
        (["submission", "merg"], "No such command 'merg'"),
        (["list", "method"], "'method' is not one of 'methods', 'datasets', 'metrics', 'figures', 'suites'"),
        (["info", "tpowr"], "no method, data set, metric or suite 'tpowr'; valid are "),
        (["info", "tpowr"], "(did you mean 'tpower'?)"),
        (["info"], "Missing argument 'NAME'"),
        (["plan", "pitprops", "--check", "--quick"], "--check checks whole files at every scale"),
        (["plan", "pitprop"], "(did you mean 'pitprops'?)"),
        (["run", "pitprops", "--scale", "defalt"], "(did you mean 'default'?)"),
        (["run", "pitprops", "--retry", "fialed"], "(did you mean 'failed'?)"),
        (["plan", "pitprops", "--skip", "pitprop"], "(did you mean 'pitprops'?)"),
        (["run", "pitprops", "--jobs", "0"], "0 is not in the range"),
        (["status", "nothing"], "no run there; runs in reports"),
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
    assert "cannot be read; see: spcabench plan bad --check" in out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpower_l1", ["method gpower_l1, from spcabench_methods.specs.power", "knob: cardinality, the parameter n_non",
                       "params: {'penalty': 'l1'}", "tol = 1e-06: ", "a number in [0, inf)",
                       "in Python: spcabench.make('gpower_l1', n_components=3, n_nonzero=4)"]),
        ("pca", ["knob: none", "in Python: spcabench.make('pca', n_components=3)\n"]),
        ("sklearn_spca", ["in Python: spcabench.make('sklearn_spca', n_components=3, alpha=1)"]),
        ("spiked", ["data set spiked, from spcabench_datasets.spiked", "provides: samples, supports, test", "n = 200"]),
        ("cpev", ["metric cpev, from spcabench.metrics.variance", "range: 0, 1", "better: higher", "formula: "]),
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


def test_several_files_are_checked(command, place, sound):
    (place / "good.yaml").write_text(yaml.safe_dump(sound))
    (place / "bad.yaml").write_text(yaml.safe_dump({**sound, "n_components": 0}, sort_keys=False))
    (place / "worse.yaml").write_text("- 1\n")
    code, out, err = command("plan", "--check", "worse.yaml", "good.yaml", "pitprops", "bad.yaml", "none.yaml")
    assert code == 2
    assert out.splitlines()[0] == "good.yaml: well formed, 2 cells"
    assert out.splitlines()[1].startswith("pitprops: well formed, ")
    places = [line.split(": ")[1] for line in err.splitlines()]
    assert places == ["worse.yaml:1", "bad.yaml:7", "none.yaml"]


def test_plan_counts_what_is_skipped(command, suite_file):
    code, out, err = command("plan", suite_file(methods=["pca", "rspca"], seeds=2))
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "4 cells, 2 of them skipped; 1 data set draws"
    assert "\nskipped: rspca requires samples, which pitprops does not have" in out


def test_a_plan_takes_the_patterns_of_a_run(command, suite_file):
    suite = suite_file(methods=["pca", "tpower", "gpower_l0", "gpower_l1"], seeds=2)
    code, out, err = command("plan", suite, "--only", "pitprops", "--skip", "gpower*", "--skip", "pca")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].startswith("2 cells, ")
    assert [line.split() for line in lines if line.startswith(("pca", "tpower", "gpower"))] == [["tpower", "2"]]


def test_a_scale_is_planned_and_validated(command, place, sound):
    scales = {"quick": {"methods": ["pca"]}, "full": {"n_nonzero": [3, 4], "seeds": 2}}
    (place / "scaled.yaml").write_text(yaml.safe_dump({**sound, "scales": scales}))
    assert command("plan", "scaled.yaml", "--check")[1] == "scaled.yaml: well formed, 2 cells, full 6, quick 1\n"
    for args, name, cells in [
        (("--scale", "default"), "sound", 2),
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
    words = RunFolder(folder).about().command
    assert words == "spcabench run scaled.yaml --quick --no-isolation"
    assert words in (folder / "report.md").read_text()
    assert command("status", "sound-quick")[1].split()[-2:] == ["ok", "1"]


LIGHT = {
    "--help": ("numpy", *HEAVY, "pydantic", "yaml", "tabulate"),
    "run --help": (*HEAVY, "pydantic", "yaml", "tabulate"),
    "list": (*HEAVY, "pydantic"),
    "info spiked": HEAVY,
    "plugins": HEAVY,
    "plan --schema": HEAVY,
    "report out": ("numba", "sklearn", "dask"),
}
"""What stays out of each command; of those before it too, as one process does them all."""


def test_heavy_imports_stay_out(process, command, suite_file):
    assert command("run", suite_file(methods=["tpower"]), "-o", "out", "--no-isolation")[0] == 0
    code = f"""
import sys
from spcabench.cli import main
for words, heavy in {LIGHT!r}.items():
    sys.argv = ["spcabench", *words.split()]
    try:
        main()
    except SystemExit as ended:
        print(words, [name for name in heavy if name in sys.modules], ended.code, file=sys.stderr)
"""
    told = process("-c", code, python=True).stderr.splitlines()
    assert [line for line in told if line.startswith(tuple(LIGHT))] == [f"{words} [] 0" for words in LIGHT]


def test_a_closed_pipe_ends_quietly(process):
    code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'spcabench', 'list'], " \
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
    monkeypatch.setattr("spcabench.cli.terminal.complain", interrupted)
    code, _, err = command("plugins")  # twice
    assert (code, err.strip()) == (130, "")


@pytest.mark.parametrize("verb", EARLIER)
def test_an_earlier_spelling_names_the_new_one_in_a_line(verb, command):
    assert command(verb, "a", "--b") == (2, "", f"error: spcabench {verb} is now: {EARLIER[verb]}\n")
    named = EARLIER[verb].partition("spcabench ")[2].split()
    assert verb == "completion" or command(named[0], "--help")[0] == 0


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("spcabench ru", {"run"}),
        ("spcabench run mnist_o", {"mnist_outlier"}),
        ("spcabench plan smoke pit", {"pitprops"}),
        ("spcabench info tpo", {"tpower"}),
        ("spcabench list me", {"methods", "metrics"}),
        ("spcabench run --ret", {"--retry"}),
    ],
)
def test_completion(line, completed, monkeypatch, place):
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    shell = BashComplete(spcabench, {}, "spcabench", "_SPCABENCH_COMPLETE")
    assert {entry.partition(",")[2] for entry in shell.complete().split()} == completed


def test_the_program_completes(process):
    program = shutil.which("spcabench", path=Path(sys.executable).parent)
    words = {"COMP_WORDS": "spcabench ru", "COMP_CWORD": "1", "_SPCABENCH_COMPLETE": "bash_complete"}
    ended = process(program, python=True, **words)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "plain,run\n", "")
    source = process(program, python=True, _SPCABENCH_COMPLETE="zsh_source")
    assert (source.returncode, "zsh_complete" in source.stdout) == (0, True)
