"""The metrics of a suite as a worker needs them, and what says that a record's are up to date."""

from __future__ import annotations

from typing import Any

from spcabench.plugins import Registry
from spcabench.run.code_hash import code_hash
from spcabench.suite.models import Suite
from spcabench.suite.plan import digest


def metric_tasks(suite: Suite, registry: Registry) -> list[dict[str, Any]]:
    """Return each metric of a suite as plain data, its parameters settled."""
    tasks = []
    for entry in suite.metrics:
        spec = registry.metrics[entry.name]
        defaults = {name: parameter.default for name, parameter in spec.parameters.items()}
        tasks.append(
            {
                "name": spec.name,
                "compute": spec.compute,
                "on": spec.on,
                "requires": sorted(spec.requires),
                "params": defaults | entry.params,
                "version": spec.version,
            }
        )
    return tasks


def score_stamps(tasks: list[dict[str, Any]]) -> dict[str, str]:
    """Return the version, parameters and code of each metric; a record scored under others is scored again."""
    return {task["name"]: f"{task['version']}:{digest([task['params'], code_hash(task['compute'])])}" for task in tasks}
