"""The JSON schema of suite files, with the names that are known here."""

from __future__ import annotations

from typing import Any

from spcabench.plugins import Registry
from spcabench.suite.models import MAX_COUNT, MAX_SEEDS, Suite


def suite_schema(registry: Registry) -> dict[str, Any]:
    """Give the JSON schema (draft 2020-12) of a suite file.

    A bare name may stand for a data set, method or metric entry; one number for the levels or the seeds.
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
    for field, most in (("n_nonzero", MAX_COUNT), ("seeds", MAX_SEEDS)):
        properties[field] = {"anyOf": [properties[field], {"type": "integer", "minimum": 1, "maximum": most}]}
    stand_in = definitions["DatasetEntry"]["properties"]["stand_in"]
    stand_in["anyOf"].append(definitions["StandIn"]["properties"]["name"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
