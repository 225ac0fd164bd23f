"""Scales and ranges of a suite: what they make of it, and what is said about those at fault."""

import json

import pytest
import yaml

from spcabench.suite.load import load_scales, load_suite, resolved_yaml
from spcabench.suite.values import MAX_VALUES, range_values
from spcabench.wording import InputError

SCALED = """\
name: scaled
datasets:
  - name: spiked
    label: spikes
    params: {n: 60, d: [30, 40]}
methods: [pca, rspca, {name: tpower, label: powers}]
n_components: 2
n_nonzero: [3]
seeds: 3
limits: {time: 60, memory: 2}
metrics: [cpev]
scales:
  quick:
    seeds: 1
    datasets.0.params.d: 30
  full:
    seeds: {from: 0, to: 9}
    datasets.spikes.params:
      n: {from: 50, to: 100, step: 25}
      d: 40
    methods.rspca.params.p: [0, 1]
    methods.powers.params.init: pca
    limits: {time: 600}
"""


@pytest.fixture
def at(suite_file, registry):
    """Load a suite, the scaled one if no text is given, at a scale."""

    def loaded(scale="default", settings=(), text=SCALED):
        return load_suite(str(suite_file(text)), registry, settings, scale)

    return loaded


def labels(loaded):
    return list(dict.fromkeys(cell.draw.variant.label for cell in loaded.plan.cells))


def test_a_scale_sets_values_by_path_index_label_and_name(at):
    default, quick, full = at(), at("quick"), at("full")
    assert (default.suite.seeds, labels(default), default.run_name) == (
        [0, 1, 2],
        ["spikes(d=30)", "spikes(d=40)"],
        "scaled",
    )
    assert (quick.suite.seeds, labels(quick), quick.run_name) == ([0], ["spikes"], "scaled-quick")
    assert (full.suite.seeds, full.run_name) == (list(range(10)), "scaled-full")
    assert labels(full) == ["spikes(n=50)", "spikes(n=75)", "spikes(n=100)"]
    assert list(full.plan.counts) == ["pca", "rspca(p=0)", "rspca(p=1)", "powers"]
    assert next(c.method.params for c in full.plan.cells if c.method.label == "powers") == {"init": "pca"}
    assert full.suite.limits.time == 600
    assert full.suite.limits.memory == 8, "a value that is set stands for all that was there"


def test_settings_come_after_the_scale(at):
    loaded = at("full", ["seeds=2", "limits.memory=3", "datasets.0.params.n=70"])
    assert loaded.suite.seeds == [0, 1]
    assert (loaded.suite.limits.time, loaded.suite.limits.memory) == (600, 3)
    assert labels(loaded) == ["spikes"]
    assert at("full").suite.limits.memory == 8, "the file's own values are left alone"


def test_a_suite_without_a_quick_scale_is_quick_as_written(at, sound):
    loaded = at("quick", text=yaml.safe_dump(sound))
    assert (loaded.scale, loaded.run_name) == ("default", "sound")


def test_a_scale_as_run_has_no_scales_and_reads_back_as_itself(at):
    loaded = at("full")
    text = resolved_yaml(loaded.suite)
    again = at(text=text)
    assert "scales" not in yaml.safe_load(text)
    assert again.suite == loaded.suite
    assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells]


def test_an_unknown_scale_is_one_fault(at, sound):
    with pytest.raises(InputError, match=r"no scale 'ful'; valid are default, full, quick \(did you mean 'full'\?\)$"):
        at("ful")
    with pytest.raises(InputError, match=r"no scale 'full'; valid are default$"):
        at("full", text=yaml.safe_dump(sound))


FAULTY = """\
name: faulty
datasets: [digits]
methods: [pca, rspca, {name: rspca, label: robust, params: {p: 1}}]
n_components: 0
n_nonzero: [3]
metrics: [cpev]
scales:
  quick:
    seedz: 1
    n_components: 2
    methods.rspcaa.params.p: 0
  full:
    datasets.1.params.d: 3
    metod.0.name: pca
    limits..time: 1
    n_nonzero.0.x: 1
    scales.quick: {}
"""


def test_every_scale_is_checked_and_each_fault_has_its_line(suite_file, registry):
    with pytest.raises(InputError) as error:
        load_scales(str(suite_file(FAULTY)), registry)
    found = [(fault.line, fault.message) for fault in error.value.faults]
    keys = (
        "claims, convergence, datasets, description, limits, methods, metrics, minutes, n_components, n_nonzero, name"
    )
    for line, start, end in [
        (4, "n_components is 0; valid is a number from 1", ""),
        (9, f"unknown key 'seedz' in the suite; valid are {keys}, ", "(did you mean 'seeds'?)"),
        (11, "'rspcaa' is no entry of 'methods'; valid is an index below 3, ", "(did you mean 'rspca'?)"),
        (13, "'1' is no entry of 'datasets'; valid is an index below 1, or a label that occurs once", ""),
        (14, "unknown key 'metod' in the suite; valid are ", "(did you mean 'methods'?)"),
        (15, "'limits..time' is not a dotted path, such as limits.time or methods.0.params.p", ""),
        (16, "'n_nonzero.0' is neither a mapping nor a list of the suite", ""),
        (17, "a scale is not to be set; set what it would set", ""),
    ]:
        assert [f for f in found if f[0] == line and f[1].startswith(start) and f[1].endswith(end)], (line, start)
    assert len(found) == 8
    assert all(fault.where.endswith("suite.yaml") for fault in error.value.faults)


def test_a_name_that_stands_twice_is_distinguished_by_its_index(faults):
    methods = [{"name": "tpower", "params": {"tol": [0.1, 0.2]}}, "tpower"]
    found = faults(methods=methods, settings=["methods.tpower.params.init=pca"])
    assert "'tpower' occurs more than once in 'methods'; valid is an index below 2" in found[0]


def test_a_fault_of_a_scale_that_is_not_chosen_does_not_stop_a_run(at):
    text = SCALED.replace("seeds: 1", "seeds: -1")
    assert at("full", text=text).plan.cells
    with pytest.raises(InputError, match="14: seeds is -1; valid is a list of seeds"):
        at("quick", text=text)


@pytest.mark.parametrize(
    ("scales", "message"),
    [
        ("3", "scales is 3; valid is a mapping"),
        ("{quick: 1}", "scales.quick is 1; valid is a mapping"),
        ("{../x: {}}", "scales.../x is '../x'; valid is a name of lower case letters, digits and underscores"),
        ("{default: {}}", "scales is {'default': {}}; valid is a mapping without 'default', which is the suite as"),
        ("{quick: {seeds: 1, seeds: 2}}", "the key 'seeds' occurs twice"),
    ],
)
def test_scales_of_a_wrong_form_are_reported_once_whatever_is_loaded(scales, message, sound, suite_file, registry):
    file = str(suite_file(f"{yaml.safe_dump(sound)}scales: {scales}\n"))
    line = len(yaml.safe_dump(sound).splitlines()) + 1
    with pytest.raises(InputError) as error:
        load_scales(file, registry)
    assert [(fault.line, fault.message.startswith(message)) for fault in error.value.faults] == [(line, True)]
    with pytest.raises(InputError, match=str(line)):
        load_suite(file, registry, (), "quick")


def test_the_numbers_of_a_range():
    assert range_values({"from": -2, "to": 9, "step": 3}) == [-2, 1, 4, 7]
    assert len(range_values({"from": 1, "to": MAX_VALUES})) == MAX_VALUES


def test_a_range_is_an_axis_of_the_grid(load):
    loaded = load(
        datasets=[{"name": "spiked", "params": {"n": {"from": 50, "to": 70, "step": 10}, "d": [30, 40]}}],
        methods=[{"name": "tpower", "params": {"max_iter": {"from": 1, "to": 2}}}],
        n_nonzero={"from": 2, "to": 4},
        seeds={"from": 7, "to": 8},
    )
    assert labels(loaded) == [f"spiked(n={n}, d={d})" for n in (50, 60, 70) for d in (30, 40)]
    assert list(loaded.plan.counts) == ["tpower(max_iter=1)", "tpower(max_iter=2)"]
    assert (loaded.suite.n_nonzero, loaded.suite.seeds) == ([2, 3, 4], [7, 8])
    assert len(loaded.plan.cells) == 6 * 2 * 3 * 2


TAKES_MAPPINGS = """
import spcabench
from spcabench.parameters import Anything, Parameter, Whole


class Odd:
    pass


@spcabench.hookimpl
def spcabench_methods():
    declared = {"band": Parameter(None, Anything()), "size": Parameter(1, Whole(1))}
    return [
        spcabench.MethodSpec(name="declares", estimator="odd_ranges:Odd", parameters=declared),
        spcabench.MethodSpec(name="bare", estimator="odd_ranges:Odd"),
    ]
"""


def test_a_mapping_that_the_parameter_takes_is_one_value(plugin_file, suite_file, sound):
    from spcabench.plugins import load_registry

    registry = load_registry([plugin_file("odd_ranges", TAKES_MAPPINGS)])
    ends = {"from": 1, "to": 2}

    def params(method, **given):
        file = suite_file(**{**sound, "methods": [{"name": method, "params": given}]})
        cells = load_suite(str(file), registry).plan.cells
        return [cell.method.params for cell in cells]

    assert params("declares", band=ends) == [{"band": ends}]
    assert params("declares", size=ends) == [{"size": 1}, {"size": 2}]
    assert params("bare", size=ends) == [{"size": 1}, {"size": 2}]
    assert params("bare", size=[ends]) == [{"size": ends}]
    assert params("bare", size={"low": 1}) == [{"size": {"low": 1}}]


ODD = "a range of whole numbers: from, to, and a step of at least 1"
BAD_RANGES = [
    ({"from": 9, "to": 1}, "a range whose to is not below its from; 1 is below 9"),
    ({"from": 1, "to": 9, "step": 0}, ODD),
    ({"from": 1, "too": 9}, f"{ODD} (did you mean 'to'?)"),
    ({"from": 1}, ODD),
    ({"from": "a", "to": 9}, ODD),
    ({"from": 1, "to": 9.0}, ODD),
    ({"from": 1, "to": MAX_VALUES + 1}, f"a range of at most {MAX_VALUES} values; it has {MAX_VALUES + 1}"),
    ({"from": 1, "to": 10**299}, f"a range of at most {MAX_VALUES} values; it has an enormous number"),
]


@pytest.mark.parametrize(("given", "words"), BAD_RANGES, ids=lambda value: json.dumps(value)[:40])
def test_a_range_at_fault_is_one_fault_wherever_it_stands(faults, given, words):
    start = str(given)[:40]
    (fault,) = faults(datasets=[{"name": "spiked", "params": {"n": given}}])
    assert f": n is {start}" in fault
    assert fault.endswith(f"valid is {words}")
    for key in ("n_nonzero", "seeds"):
        (fault,) = faults(**{key: given})
        assert f": {key} is {start}" in fault
        assert fault.endswith(f"valid is {words}")
