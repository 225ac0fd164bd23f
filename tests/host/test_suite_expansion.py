"""What is read out of a sound suite: grids, levels, seeds, defaults, settings."""

from pathlib import Path

import pytest

from spcabench.suite.load import load_suite, resolved_yaml

SUITES = Path(__file__).parents[2] / "suites"


@pytest.mark.parametrize("file", sorted(SUITES.glob("*.yaml")), ids=lambda file: file.stem)
def test_shipped_suites_are_sound(file, registry):
    loaded = load_suite(str(file), registry)
    assert loaded.suite.name == file.stem
    assert loaded.plan.cells


@pytest.mark.parametrize("file", sorted(SUITES.glob("*.yaml")), ids=lambda file: file.stem)
def test_a_suite_as_run_reads_back_as_itself(file, registry, place):
    loaded = load_suite(str(file), registry)
    (place / "resolved.yaml").write_text(resolved_yaml(loaded.suite))
    again = load_suite("resolved.yaml", registry)
    assert again.suite == loaded.suite
    assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells]


def labels(loaded):
    return list(loaded.plan.counts)


def test_a_grid_makes_one_method_a_value(load):
    loaded = load(datasets=["spiked"], methods=["pca", {"name": "rspca", "params": {"p": [0, 0.5, 1]}}])
    assert labels(loaded) == ["pca", "rspca(p=0)", "rspca(p=0.5)", "rspca(p=1)"]
    assert [cell.method.params["p"] for cell in loaded.plan.cells[1:]] == [0, 0.5, 1]


def test_two_lists_span_a_grid_and_the_label_starts_it(load):
    params = {"p": [0, 1], "max_iter": [5, 9], "tol": 0.1}
    loaded = load(datasets=["spiked"], methods=[{"name": "rspca", "label": "R", "params": params}])
    assert labels(loaded) == [f"R(p={p}, max_iter={n})" for p in (0, 1) for n in (5, 9)]
    assert all(cell.method.params["tol"] == 0.1 for cell in loaded.plan.cells)


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
    assert [d.variant.params["contamination"] for d in two.plan.draws] == [noise, outliers]
    assert len({d.variant.label for d in two.plan.draws}) == 2


def test_a_data_set_gets_the_defaults_of_what_is_not_said(load):
    (draw,) = load(datasets=[{"name": "spiked", "params": {"d": 30}}]).plan.draws
    assert draw.variant.params["d"] == 30
    assert draw.variant.params["n"] == 200


@pytest.mark.parametrize(
    ("given", "levels"),
    [(3, [3]), ([3, 5], [3, 5]), ([[3, 4], 5], [(3, 4), 5]), ([[3, 4]], [(3, 4)])],
)
def test_levels(load, given, levels):
    assert [cell.n_nonzero for cell in load(n_nonzero=given, methods=["tpower"]).plan.cells] == levels


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


@pytest.mark.parametrize("stand_in", ["digits", {"name": "digits", "params": {"digit": 6}}])
def test_a_stand_in(load, stand_in):
    (draw,) = load(datasets=[{"name": "mnist", "preprocess": "centre", "stand_in": stand_in}]).plan.draws
    assert draw.variant.stand_in.spec.name == "digits"
    assert draw.variant.stand_in.preprocess == "centre"
    assert draw.identity["stand_in"]["dataset"] == "digits"


def test_overrides(load):
    loaded = load(settings=["n_components=5", "limits.time=60", "seeds=[4]", "methods=[pca]", "title=a = b"])
    suite = loaded.suite
    assert (suite.n_components, suite.limits.time, suite.seeds, suite.title) == (5, 60.0, [4], "a = b")
    assert labels(loaded) == ["pca"]


def test_overrides_reach_labels_with_dots(load):
    methods = [{"name": "rspca", "label": "r (p=0.5)"}, {"name": "rspca", "label": "r.0"}]
    loaded = load(methods=methods, settings=["methods.r (p=0.5).params.p=1", "methods.r.0.params.p=0"])
    assert {cell.method.label: cell.method.params["p"] for cell in loaded.plan.cells} == {"r (p=0.5)": 1, "r.0": 0}


def test_a_setting_adds_an_entry_to_a_list(load):
    settings = ["methods.+=rsvd_l0", "methods.+={name: tpower, label: another}", "n_nonzero.+=5"]
    suite = load(settings=settings).suite
    assert [entry.label or entry.name for entry in suite.methods] == ["pca", "tpower", "rsvd_l0", "another"]
    assert suite.n_nonzero == [3, 5]
