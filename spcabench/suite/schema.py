"""The JSON schema of suite files, with the names that are known here."""

from __future__ import annotations

from typing import Any

from spcabench.plugins import Registry
from spcabench.suite.models import DEFAULT, Suite
from spcabench.suite.values import MAX_COUNT, MAX_SEEDS, NAME_PATTERN

_RANGE = {
    "type": "object",
    "description": "whole numbers, both ends included",
    "properties": {
        "from": {"type": "integer"},
        "to": {"type": "integer"},
        "step": {"type": "integer", "minimum": 1, "default": 1},
    },
    "required": ["from", "to"],
    "additionalProperties": False,
}


def suite_schema(registry: Registry) -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a suite file.

    A bare name may stand for a data set, method or metric entry; one number or a range for the levels or the seeds.
    """
    schema = Suite.model_json_schema()
    definitions, properties = schema["$defs"], schema["properties"]
    for entry, names in (
        ("DatasetEntry", registry.datasets),
        ("StandIn", registry.datasets),
        ("MethodEntry", registry.methods),
        ("MetricEntry", registry.metrics),
    ):
        definitions[entry]["properties"]["name"] = {"enum": sorted(names), "title": "Name"}
    for field in ("datasets", "methods", "metrics"):
        item = properties[field]["items"]
        name = definitions[item["$ref"].rpartition("/")[2]]["properties"]["name"]
        properties[field]["items"] = {"anyOf": [item, name]}
    definitions["Range"] = _RANGE
    of_dataset = definitions["DatasetEntry"]["properties"]
    for owner, field, most in (
        (properties, "n_nonzero", MAX_COUNT),
        (properties, "seeds", MAX_SEEDS),
        (of_dataset, "n_nonzero", MAX_COUNT),
        (of_dataset, "n_components", MAX_COUNT),
        (of_dataset, "seeds", MAX_SEEDS),
    ):
        count = {"type": "integer", "minimum": 1, "maximum": most}
        owner[field] = {"anyOf": [owner[field], count, {"$ref": "#/$defs/Range"}]}
    properties["scales"] |= {"propertyNames": {"pattern": NAME_PATTERN, "not": {"const": DEFAULT}}}
    of_dataset["stand_in"]["anyOf"].append(definitions["StandIn"]["properties"]["name"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
