"""Runs as the command line finds, names and continues them."""

import shutil
import sys
from dataclasses import replace

import pytest
import yaml

from spcabench.cli import main
from spcabench.store.about import About
from spcabench.store.folder import RunFolder


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


def test_a_run_is_never_mistaken_for_another(small_run, command, place):
    (place / "other" / "sound").mkdir(parents=True)
    for verb in ("status", "report"):
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


AGAIN = "spcabench run reports/sound/suite.yaml"


@pytest.mark.parametrize(
    ("made", "folder", "shown"),
    [
        ("spcabench run sound --jobs 2", "reports/sound", "spcabench run sound --jobs 2"),
        ("spcabench run sound --quick -o new", "new", "spcabench run sound --quick -o new"),
        ("spcabench run sound --only pca", "reports/sound", f"{AGAIN} -o reports/sound"),
        ("spcabench run sound -o old --jobs 2", "new", "spcabench run new/suite.yaml -o new"),
        ("", "new", "spcabench run new/suite.yaml -o new"),
    ],
)
def test_status_says_how_to_go_on_with_all_of_it(made, folder, shown, small_run, command, place):
    folder = place / folder
    if folder != small_run:
        small_run.rename(folder)
    RunFolder(folder).keep_about(About(command=made))
    RunFolder(folder).forget([record.key for record in RunFolder(folder).records()])
    out = command("status", folder.relative_to(place))[1]
    assert next(line for line in out.splitlines() if line.startswith("to go on")).partition(": ")[2] == shown
