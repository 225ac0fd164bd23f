"""What a first user meets: mistakes that are well formed, and what the command line says of them."""

import pytest
import yaml

METRICS = """
import spcabench


def verdict(evaluation):
    return "good"


def number_as_text(evaluation):
    return "0.5"


def load(rng, n=3):
    table = {}
    return table["column"]


def load_list(rng):
    return [1, 2, 3]


@spcabench.hookimpl
def spcabench_metrics():
    return [
        spcabench.MetricSpec(name=name, compute=f"first_user:{name}") for name in ("verdict", "number_as_text")
    ]


@spcabench.hookimpl
def spcabench_datasets():
    return [
        spcabench.DatasetSpec(name="mine", load="first_user:load"),
        spcabench.DatasetSpec(name="listed", load="first_user:load_list"),
    ]
"""


@pytest.fixture
def plugin(plugin_file):
    return plugin_file("first_user", METRICS)


@pytest.fixture
def ran(command, suite_file):
    """Run the sound suite with changes in this process; return the exit code, stdout, stderr and the report."""

    def run(*args, **changes):
        suite = suite_file(**changes)
        code, out, err = command("run", suite, "-o", "out", "--no-isolation", *args)
        return code, out, err, (suite.parent / "out" / "report.md").read_text()

    return run


def test_a_metric_that_returns_text_is_reported_everywhere(ran, plugin):
    code, _, err, page = ran("--plugin", plugin, metrics=["cpev", "verdict", "number_as_text"], methods=["pca"])
    assert code == 0
    wanted = "where a number or a mapping to numbers is wanted"
    reasons = [f"verdict (TypeError: it returned 'good', {wanted})", "no number_as_text (TypeError: it returned '0.5'"]
    line = next(line for line in err.splitlines() if line.startswith("[1/1] "))
    assert all(reason in line for reason in reasons)
    assert "warning: Not computed in 1 cell: verdict: TypeError: it returned 'good', " in err
    assert "Not computed in 1 cell: verdict: TypeError: it returned 'good', " in page


@pytest.mark.parametrize(
    ("name", "line", "error"),
    [
        ("mine", ", line 15", "KeyError: 'column'"),
        ("listed", "", "TypeError: it returned list where Dataset is wanted"),
    ],
)
def test_a_broken_loader_is_blamed_by_name_and_file(name, line, error, ran, plugin):
    code, _, err, page = ran("--plugin", plugin, datasets=["pitprops", {"name": name, "label": "loud"}])
    assert code == 1
    load = {"mine": "load", "listed": "load_list"}[name]
    reason = f"data set {name}: its loader first_user:{load} in {plugin}{line}: {error}"
    assert f"pca on loud, seed 0: error: {reason}" in err
    assert f"first_user:{load}" in page.replace("\\", "")


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        (["pca", "pitprops"], {("pca", "pitprops"), ("pca", "hastie_exact"), ("tpower", "pitprops")}),
        (["method=pca,dataset=pit*"], {("pca", "pitprops")}),
        (["method=pca,dataset=pit*", "dataset=hastie*,method=tp*"], {("pca", "pitprops"), ("tpower", "hastie_exact")}),
        (["dataset=pitprops"], {("pca", "pitprops"), ("tpower", "pitprops")}),
    ],
)
def test_patterns_choose_by_one_axis_or_by_both(patterns, chosen, load):
    from spcabench.run.options import Options

    plan = load(datasets=["pitprops", "hastie_exact"]).plan

    def pairs(cells):
        return {(cell.method.label, cell.draw.variant.label) for cell in cells}

    assert pairs(Options(only=patterns).chosen(plan).cells) == chosen
    assert pairs(Options(skip=patterns).chosen(plan).cells) == pairs(plan.cells) - chosen


def test_a_label_may_have_commas_and_equals_signs(load):
    from spcabench.run.options import Options

    plan = load(methods=["pca", {"name": "rspca", "label": "r(p=0, n=1)"}], datasets=["spiked"]).plan
    for pattern in ("r(p=0, n=1)", "method=r(p=0, n=1),dataset=spiked", "dataset=spiked,method=r(p=0, n=1)"):
        assert {cell.method.label for cell in Options(only=[pattern]).chosen(plan).cells} == {"r(p=0, n=1)"}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("method=tpowr", "no method of the suite has such a label; valid are pca, tpower (did you mean 'tpower'?)"),
        ("method=pca,dataset=pitprop", "no data set of the suite has such a label; valid are pitprops (did you mean"),
        ("method=pca,method=tpower", "no cell of the suite has both"),
    ],
)
def test_a_pattern_that_matches_nothing_has_a_nearest(pattern, words, command, suite_file):
    code, _, err = command("plan", suite_file(), "--only", pattern)
    assert code == 2
    assert f"--only {pattern}: {words}" in err


def test_what_is_not_chosen_fills_no_table(ran):
    code, out, _, page = ran("--only", "pca")
    assert code == 0
    assert "tpower" not in out
    assert "1 pending" in out
    assert "tpower" not in page.partition("## Data")[0]


def test_status_counts_what_is_planned_before_anything_is_drawn(command, suite_file, monkeypatch):
    from spcabench.run.state import RunState

    suite, said = suite_file(datasets=["pitprops", "hastie_exact"]), []
    begin = RunState.begin

    def look(self, name, title, at_once=False):
        begin(self, name, title, at_once)
        if at_once:
            said.append("".join(command("status", "out")[1:]))

    monkeypatch.setattr(RunState, "begin", look)
    code, _, _ = command("run", suite, "-o", "out", "--no-isolation")
    assert code == 0
    assert "4 cells are planned; their data sets are drawn first" in said[0]
    assert "0 of 0" not in "".join(said)
    assert "drawing pitprops, seed 0" in said[0]
    assert "drawing hastie_exact, seed 0" in said[1]


def test_a_report_says_which_figure_it_draws(ran, command):
    _, _, err, _ = ran(report={"figures": ["metric_bars", "loading_bars"]})
    drawn = ["drawing metric_bars (figure 1 of 2)", "drawing loading_bars (figure 2 of 2)"]
    assert [line for line in err.splitlines() if "figure" in line] == drawn
    assert command("report", "out")[2].splitlines() == drawn


def test_plugins_are_named_before_the_verb_or_after_it(command, suite_file, plugin, plugin_file):
    other = plugin_file("second_user", METRICS.replace("first_user", "second_user").replace('"mine"', '"yours"')
                        .partition("@spcabench.hookimpl\ndef spcabench_metrics")[0])  # fmt: skip
    suite = suite_file(metrics=["cpev", "verdict"])
    for args in (("--plugin", plugin, "plan", suite), ("plan", suite, "--plugin", plugin),
                 ("plan", "--plugin", plugin, suite)):  # fmt: skip
        code, out, err = command(*args)
        assert (code, err) == (0, "")
        assert "sound: " in out
    code, _, err = command("--plugin", plugin, "list", "--plugin", other)
    assert code == 2
    assert "second_user.py: has no function marked with @spcabench.hookimpl" in err


def test_nothing_to_fit_is_well_formed_and_warned_of(command, place, sound):
    (place / "skips.yaml").write_text(yaml.safe_dump({**sound, "methods": ["rspca", "pca_l1"]}))
    (place / "fifty.yaml").write_text(yaml.safe_dump({**sound, "n_components": 50}))
    (place / "some.yaml").write_text(yaml.safe_dump({**sound, "methods": ["pca", "rspca"]}))
    reasons = {
        "skips.yaml": "nothing will be fitted to pitprops: rspca requires samples, which pitprops does not have; ",
        "fifty.yaml": "nothing will be fitted to pitprops: 50 components are wanted of pitprops, which has 13 features",
    }
    for name, reason in reasons.items():
        code, out, err = command("plan", name, "--check")
        assert (code, out) == (0, f"{name}: well formed, 2 cells, all of them skipped\n")
        assert f"warning: {name}: {reason}" in err
        assert f"warning: {reason}" in command("plan", name)[2]
        assert f"warning: {reason}" in command("run", name, "--no-isolation")[2]
    code, _, err = command("plan", "some.yaml")
    assert (code, err) == (0, "")


def test_a_parameter_or_a_stand_in_decides_how_many_features_there_are(load):
    def skips(**entry):
        plan = load(methods=["pca"], n_components=20, datasets=[{**entry}]).plan
        return [bool(cell.skip) for cell in plan.cells]

    assert skips(name="spiked", params={"d": 12, "support_size": 3}) == [True]
    assert skips(name="spiked", params={"d": 20, "support_size": 3}) == [False]
    assert skips(name="digits") == [False], "only its data say it"
    assert skips(name="pitprops", stand_in="digits") == [False]
