"""The starts of a suite: which methods run from which, and what they are called."""

import pytest

from spcabench.plugins import load_registry
from spcabench.run.choice import any_matches
from spcabench.suite.load import cautions, load_suite, resolved_yaml
from spcabench.suite.schema import suite_schema

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


def labels(loaded):
    return [cell.method.label for cell in loaded.plan.cells]


def test_a_method_with_a_start_runs_from_each_and_another_once(planned):
    own = ["startless", "started(p=0)", "started(p=1)"]
    assert labels(planned()) == own
    found = labels(planned(starts=STARTS))
    assert [label for label in found if " from " not in label] == own
    assert [label for label in found if " from " in label] == [
        f"started(p={p}) from {start}" for p in (0, 1) for start in ("ones", "pca")
    ]


def test_other_starts_leave_the_cells_from_the_own_start_as_they_are(planned):
    assert {cell.id for cell in planned().plan.cells} < {cell.id for cell in planned(starts=STARTS).plan.cells}


def test_the_start_is_a_parameter_unless_it_is_the_own_one_anyway(planned):
    cells = {cell.method.start: cell for cell in planned(["started"], starts=STARTS).plan.cells}
    assert [cells[start].method.params for start in STARTS] == [{}, {}, {"begin": "pca"}]
    assert {cell.method.own_start for cell in cells.values()} == {"ones"}


def test_the_published_start_is_the_own_one_of_methods_that_do_not_tell_the_two_apart(planned):
    loaded = planned(["bettered", "started", "startless"], starts=["published"])
    assert labels(loaded) == ["bettered", "started", "startless"]
    assert [cell.method.params for cell in loaded.plan.cells] == [{"begin": "published"}, {}, {}]
    started = [cell.method.own_start for cell in loaded.plan.cells]
    assert started == ["published", "ones", ""]


def test_a_method_whose_params_set_the_start_runs_from_there_alone(planned):
    loaded = planned([{"name": "started", "params": {"begin": "pca"}}], starts=STARTS)
    assert labels(loaded) == ["started"]
    assert [cell.method.params for cell in loaded.plan.cells] == [{"begin": "pca"}]


def test_starts_without_effect_are_a_caution(planned, known):
    effect = "starts has no effect: no method of this suite has a start left to choose"
    assert effect in cautions(planned(["startless"], starts=STARTS), known)
    assert effect not in cautions(planned(starts=STARTS), known)
    assert effect not in cautions(planned(["startless"]), known)


@pytest.mark.parametrize(
    ("starts", "message"),
    [
        (
            "[own, onse]",
            "'onse'; valid is one of own, published, ones, pca, max_variance, random (did you mean",
        ),
        ("[ones, pca]", "valid is a list with either own or published in it, which main tables and figures show"),
        ("[own, published]", "valid is a list with either own or published in it, which main"),
        ("[own, own]", "valid is a list without repeats"),
        ("pca", "starts is 'pca'; valid is a list"),
    ],
)
def test_starts_at_fault_are_reported_with_their_line(faults, suite_file, starts, message):
    text = suite_file().read_text()
    (fault,) = faults(text + f"starts: {starts}\n")
    assert fault.startswith(f"{text.count(chr(10)) + 1}: starts")
    assert message in fault


def test_published_numbers_and_emphasis_are_of_the_own_start(faults):
    (fault,) = faults(starts=STARTS, report={"emphasis": ["tpower from ones"]})
    assert "no method of this suite is labelled 'tpower from ones'" in fault


def test_the_suite_as_run_says_the_starts_again(planned, known, suite_file):
    loaded = planned(starts=STARTS)
    again = load_suite(str(suite_file(resolved_yaml(loaded.suite))), known)
    assert labels(again) == labels(loaded)


def test_patterns_choose_starts(planned):
    cells = planned(starts=STARTS).plan.cells
    chosen = {cell.method.label for cell in cells if any_matches(["method=*from pca"], cell)}
    assert chosen == {"started(p=0) from pca", "started(p=1) from pca"}


def test_the_schema_knows_the_words(registry):
    described = suite_schema(registry)["properties"]["starts"]
    assert described["items"]["enum"] == ["own", "published", "ones", "pca", "max_variance", "random"]
