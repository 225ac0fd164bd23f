"""What is read out of a sound suite: grids, levels, seeds, defaults, starts, settings."""

from pathlib import Path

import pytest
from shipped import shipped

from spcabench.plugins import load_registry
from spcabench.run.options import any_matches
from spcabench.suite.load import load_suite, resolved_yaml
from spcabench.wording import InputError

SUITES = Path(__file__).parents[2] / "suites"


@pytest.mark.parametrize("file", sorted(SUITES.glob("*.yaml")), ids=lambda file: file.stem)
def test_a_shipped_suite_is_sound_and_reads_back_as_itself(file, registry, place):
    loaded = shipped(file.stem)
    assert loaded.suite.name == file.stem
    (place / "resolved.yaml").write_text(resolved_yaml(loaded.suite))
    again = load_suite("resolved.yaml", registry)
    assert again.suite == loaded.suite
    assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells] != []


def labels(loaded):
    return list(loaded.plan.counts)


def test_lists_span_a_grid_and_the_label_starts_its_variants(load):
    params = {"p": [0, 0.5], "max_iter": [5, 9], "tol": 0.1}
    loaded = load(datasets=["spiked"], methods=["pca", {"name": "rspca", "label": "R", "params": params}])
    assert labels(loaded) == ["pca", *(f"R(p={p}, max_iter={n})" for p in (0, 0.5) for n in (5, 9))]
    assert [cell.method.params["p"] for cell in loaded.plan.cells[1:]] == [0, 0, 0.5, 0.5]
    assert all(cell.method.params["tol"] == 0.1 for cell in loaded.plan.cells[1:])


def test_a_list_that_the_parameter_takes_is_one_value(load):
    def gpower(rho):
        return load(methods=[{"name": "gpower_l1", "params": {"rho": rho}, "sparsity": "own"}])

    assert labels(gpower([0.1, 0.2])) == ["gpower_l1"]
    assert labels(gpower([[0.1, 0.2], [0.3, 0.4]])) == ["gpower_l1(rho=[0.1, 0.2])", "gpower_l1(rho=[0.3, 0.4])"]


def test_a_list_within_a_mapping_is_one_value(load):
    noise, outliers = {"kind": "noise", "block": [2, 3]}, {"kind": "outliers"}
    one = load(datasets=[{"name": "digits", "params": {"contamination": noise}}])
    two = load(datasets=[{"name": "digits", "params": {"contamination": [noise, outliers]}}])
    assert [d.variant.params["contamination"] for d in one.plan.draws] == [noise]
    assert one.plan.draws[0].variant.params["test_per_class"] == 0, "the defaults of what is not said"
    assert [d.variant.params["contamination"] for d in two.plan.draws] == [noise, outliers]
    assert len({d.variant.label for d in two.plan.draws}) == 2


@pytest.mark.parametrize(("given", "seeds"), [(3, [0, 1, 2]), ([7, 5], [7, 5])])
def test_seeds(load, given, seeds):
    loaded = load(seeds=given, methods=["tpower"])
    assert loaded.suite.seeds == seeds
    assert [cell.seed for cell in loaded.plan.cells] == seeds
    assert len(loaded.plan.draws) == 1, "a data set that draws nothing is drawn once"


def test_dense_methods_and_own_sparsity_are_planned_once(load):
    own = {"name": "gpower_l0", "label": "own", "sparsity": "own", "params": {"n_nonzero": 2}}
    counts = load(n_nonzero=[3, 4, 5], methods=["pca", "tpower", own]).plan.counts
    assert counts == {"pca": 1, "tpower": 3, "own": 1}


def test_a_stand_in(load):
    stand_in = {"name": "digits", "params": {"digit": 6}}
    (draw,) = load(datasets=[{"name": "mnist", "preprocess": "centre", "stand_in": stand_in}]).plan.draws
    assert draw.variant.stand_in.spec.name == "digits"
    assert draw.variant.stand_in.entry.preprocess == "centre"
    assert draw.identity["stand_in"]["dataset"] == "digits"


def test_overrides(load):
    loaded = load(settings=["n_components=5", "limits.time=60", "seeds=[4]", "methods=[pca]", "title=a = b"])
    suite = loaded.suite
    assert (suite.n_components, suite.limits.time, suite.seeds, suite.title) == (5, 60.0, [4], "a = b")
    assert labels(loaded) == ["pca"]


def test_a_setting_adds_an_entry_to_a_list(load):
    settings = ["methods.+=rsvd_l0", "methods.+={name: tpower, label: another}", "n_nonzero.+=5"]
    suite = load(settings=settings).suite
    assert [entry.label or entry.name for entry in suite.methods] == ["pca", "tpower", "rsvd_l0", "another"]
    assert suite.n_nonzero == [3, 5]


SPIKED = {"name": "spiked", "params": {"n": 60, "d": 30}}


def levels(loaded, dataset, method="tpower"):
    cells = [cell for cell in loaded.plan.cells if cell.seed == 0]
    return [
        cell.n_nonzero for cell in cells if cell.method.label == method and cell.draw.variant.label.startswith(dataset)
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [(4, [4]), ([3, 5], [3, 5]), ({"from": 2, "to": 6, "step": 2}, [2, 4, 6]), ([[3, 5]], [(3, 5)]), ([], [1])],
)
def test_a_data_set_has_its_own_levels_or_those_of_the_suite(said, expected, load):
    own = {"name": "gpower_l0", "params": {"rho": 0.1}, "sparsity": "own"}
    datasets = [{**SPIKED, "n_nonzero": said}, "toy_outlier"]
    loaded = load(datasets=datasets, methods=["pca", "tpower", own], n_nonzero=[1], seeds=2)
    assert levels(loaded, "spiked") == expected
    assert levels(loaded, "toy_outlier") == [1]
    assert levels(loaded, "spiked", "pca") == levels(loaded, "spiked", "gpower_l0") == [None]
    assert len(loaded.plan.cells) == 2 * (len(expected) + 1 + 4)


OWN = {"datasets": [{**SPIKED, "n_components": [1, 5], "seeds": 3}, "toy_outlier"], "n_nonzero": [1], "seeds": 2}


def test_a_data_set_has_its_own_components_and_seeds_or_those_of_the_suite(load):
    loaded = load(**OWN)
    planned = [
        (cell.draw.variant.label, cell.n_components, cell.seed)
        for cell in loaded.plan.cells
        if cell.method.label == "tpower"
    ]
    assert planned == [
        *(("spiked", r, seed) for r in (1, 5) for seed in (0, 1, 2)),
        *(("toy_outlier", 2, seed) for seed in (0, 1)),
    ]
    many = {**SPIKED, "n_nonzero": {"from": 1, "to": 60}, "seeds": 1000, "n_components": {"from": 1, "to": 100}}
    with pytest.raises(InputError, match="the suite has 6100004 cells"):
        load(**{**OWN, "datasets": [many, "toy_outlier"]})


def test_a_track_names_an_entry_or_a_variant_of_its_grid(load):
    grid = {"name": "spiked", "params": {"d": [30, 40]}}
    for label in ("spiked", "spiked(d=40)"):
        assert load(datasets=[grid], tracks=[{"name": "recovery", "metric": "cpev", "datasets": [label]}]).suite.tracks


PLUGIN = """
import spcabench
from spcabench import MethodSpec, Number, OneOf, Parameter

BEGIN = Parameter("ones", OneOf("ones", "pca", "max_variance"), "the start")
BOTH = Parameter("several", OneOf("several", "published", "ones"), "the start")

@spcabench.hookimpl
def spcabench_methods():
    number = Parameter(0.0, Number(0.0), "a number")
    parameters = {"begin": BEGIN, "p": number}
    return [MethodSpec(name="started", estimator="m:C", parameters=parameters, starts="begin"),
            MethodSpec(name="bettered", estimator="m:C", parameters={"begin": BOTH, "p": number}, starts="begin"),
            MethodSpec(name="startless", estimator="m:C", parameters={"p": number})]
"""
METHODS = ["startless", {"name": "started", "params": {"p": [0, 1]}}]
STARTS = ["own", "ones", "pca"]


@pytest.fixture
def known(plugin_file):
    return load_registry([plugin_file("started_plugin", PLUGIN)])


@pytest.fixture
def planned(known, suite_file):
    """Load the sound suite with these methods and starts."""

    def loaded(methods=METHODS, **changes):
        return load_suite(str(suite_file(methods=methods, **changes)), known)

    return loaded


def test_a_method_with_a_start_runs_from_each_and_another_once(planned):
    own = ["startless", "started(p=0)", "started(p=1)"]
    assert labels(planned()) == own
    found = labels(planned(starts=STARTS))
    assert [label for label in found if " from " not in label] == own
    assert [label for label in found if " from " in label] == [
        f"started(p={p}) from {start}" for p in (0, 1) for start in ("ones", "pca")
    ]


def test_an_entry_starts_elsewhere_too_and_the_others_do_not(planned):
    methods = [{"name": "started", "starts": ["pca", "ones"]}, "bettered"]
    assert labels(planned(methods)) == ["started", "started from pca", "started from ones", "bettered"]
    assert labels(planned(methods, starts=["own", "pca"])).count("started from pca") == 1


def test_other_starts_leave_the_cells_from_the_own_start_as_they_are(planned):
    assert {cell.id for cell in planned().plan.cells} < {cell.id for cell in planned(starts=STARTS).plan.cells}


def test_the_start_is_a_parameter_unless_it_is_the_own_one_anyway(planned):
    cells = {cell.method.start: cell for cell in planned(["started"], starts=STARTS).plan.cells}
    assert [cells[start].method.params for start in STARTS] == [{}, {}, {"begin": "pca"}]


def test_the_published_start_is_the_own_one_of_methods_that_do_not_tell_the_two_apart(planned):
    loaded = planned(["bettered", "started", "startless"], starts=["published"])
    assert labels(loaded) == ["bettered", "started", "startless"]
    assert [cell.method.params for cell in loaded.plan.cells] == [{"begin": "published"}, {}, {}]


def test_a_method_whose_params_set_the_start_runs_from_there_alone(planned):
    loaded = planned([{"name": "started", "params": {"begin": "pca"}}], starts=STARTS)
    assert labels(loaded) == ["started"]
    assert [cell.method.params for cell in loaded.plan.cells] == [{"begin": "pca"}]


def test_patterns_choose_starts(planned):
    cells = planned(starts=STARTS).plan.cells
    chosen = {cell.method.label for cell in cells if any_matches(["method=*from pca"], cell)}
    assert chosen == {"started(p=0) from pca", "started(p=1) from pca"}
