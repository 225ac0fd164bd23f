"""The schema of suites: it is printed, sound suites fit it, and suites at fault do not."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

SUITES = sorted((Path(__file__).parents[2] / "suites").glob("*.yaml"))
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, where PyYAML has it, takes a tenth of the time."""


@pytest.fixture(scope="module")
def schema(registry):
    from spcabench.suite.load import suite_schema

    return json.loads(json.dumps(suite_schema(registry)))


@pytest.fixture(scope="module")
def validate(schema):
    """Return a function that raises a `ValidationError`; the schema itself is checked once."""
    return jsonschema.Draft202012Validator(schema).validate


def test_schema_is_printed(command, schema):
    code, out, err = command("plan", "--schema")
    assert (code, err) == (0, "")
    assert json.loads(out) == schema
    jsonschema.Draft202012Validator.check_schema(schema)


def test_shipped_suites_fit_the_schema(validate):
    for file in SUITES:
        validate(yaml.load(file.read_text(), LOADER))


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
def test_sound_suites_fit_the_schema(changes, validate, sound, load):
    validate({**sound, **changes})
    load(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"n_component": 2},
        {"methods": [{"name": "tpowr"}]},
        {"n_nonzero": [[]]},
        {"seeds": 5_000_001},
        {"seeds": {"from": 1}},
        {"scales": {"default": {}}},
        {"datasets": [{"name": "mnist", "stand_in": "digit"}]},
    ],
    ids=str,
)
def test_a_suite_at_fault_does_not_fit_the_schema(changes, validate, sound, faults):
    with pytest.raises(jsonschema.ValidationError):
        validate({**sound, **changes})
    assert faults(**changes)
