"""Target cardinalities of a suite, and of a data set that has its own."""

import re

import pytest

from spcabench.errors import InputError
from spcabench.suite.load import load_suite, resolved_yaml
from spcabench.suite.schema import suite_schema

TEXT = """\
name: levels
datasets:
  - {name: spiked, params: {n: 60, d: 30}, n_nonzero: LEVELS}
  - {name: toy_outlier}
methods: [pca, tpower, {name: gpower_l0, params: {rho: 0.1}, sparsity: own}]
n_components: 2
n_nonzero: [1]
seeds: 2
metrics: [cpev]
"""


def levels(loaded, dataset, method="tpower"):
    cells = [cell for cell in loaded.plan.cells if cell.seed == 0]
    return [
        cell.n_nonzero for cell in cells if cell.method.label == method and cell.draw.variant.label.startswith(dataset)
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [("4", [4]), ("[3, 5]", [3, 5]), ("{from: 2, to: 6, step: 2}", [2, 4, 6]), ("[[3, 5]]", [(3, 5)]), ("[]", [1])],
)
def test_a_data_set_has_its_own_levels_or_those_of_the_suite(said, expected, suite_file, registry):
    loaded = load_suite(str(suite_file(TEXT.replace("LEVELS", said))), registry)
    assert levels(loaded, "spiked") == expected
    assert levels(loaded, "toy_outlier") == [1]
    assert levels(loaded, "spiked", "pca") == levels(loaded, "spiked", "gpower_l0") == [None]
    assert len(loaded.plan.cells) == 2 * (len(expected) + 1 + 4)


def test_the_suite_as_run_says_the_levels_again(suite_file, registry):
    loaded = load_suite(str(suite_file(TEXT.replace("LEVELS", "[3, 5]"))), registry)
    again = load_suite(str(suite_file(resolved_yaml(loaded.suite))), registry)
    assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells]


def test_levels_at_fault_are_reported_with_their_line(suite_file, registry):
    with pytest.raises(InputError) as error:
        load_suite(str(suite_file(TEXT.replace("LEVELS", "[0, 3, 3.5]"))), registry)
    messages = [str(fault) for fault in error.value.faults]
    assert len(messages) == 2
    assert all(":3:" in message and "n_nonzero" in message for message in messages)


def test_too_many_cells_are_counted_by_data_set(suite_file, registry):
    with pytest.raises(InputError, match=r"the suite has \d+ cells"):
        load_suite(str(suite_file(TEXT.replace("LEVELS", "{from: 1, to: 9000}"))), registry, ["seeds=30"])


def test_the_schema_knows_them(registry):
    described = suite_schema(registry)["$defs"]["DatasetEntry"]["properties"]["n_nonzero"]
    assert {"$ref": "#/$defs/Range"} in described["anyOf"]


OWN = """\
name: own
datasets:
  - {name: spiked, params: {n: 60, d: 30}, n_components: [1, 5], seeds: 3}
  - {name: toy_outlier}
methods: [pca, tpower]
n_components: 2
n_nonzero: [1]
seeds: 2
metrics: [cpev]
"""


def test_a_data_set_has_its_own_components_and_seeds_or_those_of_the_suite(suite_file, registry):
    loaded = load_suite(str(suite_file(OWN)), registry)
    planned = [
        (cell.draw.variant.label, cell.n_components, cell.seed)
        for cell in loaded.plan.cells
        if cell.method.label == "tpower"
    ]
    assert planned == [
        *(("spiked", r, seed) for r in (1, 5) for seed in (0, 1, 2)),
        *(("toy_outlier", 2, seed) for seed in (0, 1)),
    ]
    again = load_suite(str(suite_file(resolved_yaml(loaded.suite))), registry)
    assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells]
    with pytest.raises(InputError, match="the suite has 244004 cells"):
        load_suite(
            str(suite_file(OWN)),
            registry,
            [
                "datasets.0.n_nonzero={from: 1, to: 60}",
                "datasets.0.seeds=1000",
                "datasets.0.n_components={from: 1, to: 4}",
            ],
        )


def test_levels_with_a_number_for_each_component_fit_all_numbers_of_components(suite_file, registry):
    with pytest.raises(InputError, match=r"\[1, 1\] has 2 numbers; valid are 5"):
        load_suite(str(suite_file(OWN)), registry, ["datasets.0.n_nonzero=[[1, 1]]", "datasets.0.n_components=[2, 5]"])


@pytest.mark.parametrize(
    ("track", "message"),
    [
        ("{name: recovery, metric: cpev, datasets: [spikd]}", "(did you mean 'spiked'?)"),
        ("{name: recovery, metric: f1, datasets: [spiked]}", "the suite has no metric 'f1'"),
        ("{name: recovry, metric: cpev, datasets: [spiked]}", "(did you mean 'recovery'?)"),
    ],
)
def test_faults_of_tracks_are_reported(suite_file, registry, track, message):
    with pytest.raises(InputError, match=re.escape(message)):
        load_suite(str(suite_file(f"{OWN}tracks: [{track}]\n")), registry)


def test_a_track_names_an_entry_or_a_variant_of_its_grid(suite_file, registry):
    text = OWN.replace("d: 30}", "d: [30, 40]}") + "tracks: [{name: recovery, metric: cpev, datasets: [LABEL]}]\n"
    for label in ("spiked", "spiked(d=40)"):
        assert load_suite(str(suite_file(text.replace("LABEL", f'"{label}"'))), registry).suite.tracks


def test_a_data_set_is_optional_or_has_a_stand_in(suite_file, registry):
    with pytest.raises(InputError, match="not both"):
        load_suite(
            str(suite_file(OWN)), registry, ["datasets.1={name: toy_outlier, optional: true, stand_in: pitprops}"]
        )
