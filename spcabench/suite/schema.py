"""The JSON schema of suite files, with the names that are known here."""

from __future__ import annotations

from typing import Any

from spcabench.plugins import Registry
from spcabench.suite.models import DEFAULT, Suite
from spcabench.suite.values import NAME_PATTERN, OF_KIND


def suite_schema(registry: Registry) -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a suite file."""
    names = {catalogue.kind: sorted(catalogue) for catalogue in registry.catalogues}

    def with_names(part: Any) -> Any:
        if isinstance(part, list):
            return list(map(with_names, part))
        if not isinstance(part, dict):
            return part
        named = {"enum": names[part[OF_KIND]]} if OF_KIND in part else {}
        return {key: with_names(value) for key, value in part.items() if key != OF_KIND} | named

    schema = with_names(Suite.model_json_schema())
    schema["properties"]["scales"] |= {"propertyNames": {"pattern": NAME_PATTERN, "not": {"const": DEFAULT}}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
