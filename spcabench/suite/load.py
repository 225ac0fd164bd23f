"""A suite by name or path, or as data -> a validated `Suite` and its plan, or every fault in it at once."""

from __future__ import annotations

import copy
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spcabench.parameters import shown
from spcabench.plugins import Registry
from spcabench.suite.faults import MOST_FAULTS, name_faults, validated
from spcabench.suite.models import DEFAULT, Suite
from spcabench.suite.plan import Plan, count_cells, plan_cells
from spcabench.suite.settings import apply_scale, chosen_scale, override
from spcabench.suite.values import MAX_VALUES, NAME_PATTERN, OF_KIND
from spcabench.suite.variants import datasets_of, file_faults, level_faults, methods_of, settled
from spcabench.suite.yaml_source import Located, as_read, mapping, read_suite, read_yaml, written
from spcabench.wording import Fault, InputError

Target = str | os.PathLike[str] | Mapping[str, Any]
THE_SUITE = "the suite"
"""What messages call a suite that is no file."""
AMPLE = 100
"""How many times larger a suite as it was run may be than one that a user writes."""


@dataclass(frozen=True)
class Loaded:
    """A suite as read: the model, what it plans, where it was read, and which of its scales it is."""

    suite: Suite
    plan: Plan
    file: Path
    scale: str
    scales: Sequence[str]

    @property
    def run_name(self) -> str:
        """The name of the run's folder: the suite's name, and that of its scale."""
        return self.suite.name if self.scale == DEFAULT else f"{self.suite.name}-{self.scale}"


def load_suite(target: Target, registry: Registry, settings: Sequence[str] = (), scale: str = DEFAULT) -> Loaded:
    """Read, validate and plan one scale of a suite; the others are not read.

    Parameters
    ----------
    target : str, path or mapping
        A path, or the name of a suite; or the suite itself as data, in which tuples, ranges, arrays and numbers of
        numpy stand for the lists and numbers of a file, and paths for their names.
    registry : Registry
        What its names are looked up in.
    settings : sequence of str
        Overrides, ``"n_components=10"`` or ``"datasets.0.params.n=60"``, the values in YAML; set after the scale.
    scale : str
        ``default``, the suite as written; one that it declares; or ``quick``, which is the suite as written where it
        declares none of that name.

    Raises
    ------
    InputError
        With every fault found, each with file and line.
    """
    located = Located(THE_SUITE, as_read(target)) if isinstance(target, Mapping) else read_suite(os.fspath(target))
    return _loaded(located, registry, settings, chosen_scale(located, scale))


def load_resolved(text: str, file: Path, registry: Registry) -> Loaded:
    """Validate and plan a suite as a run keeps it in `file`; the data that it names may be missing.

    Raises
    ------
    InputError
        With every fault found, each with file and line.
    """
    return _loaded(mapping(read_yaml(text.encode(), str(file), AMPLE)), registry, as_run=True)


def load_scales(target: str, registry: Registry, settings: Sequence[str] = ()) -> list[Loaded]:
    """Read, validate and plan every scale of a suite, the default form first.

    Raises
    ------
    InputError
        With every fault of every scale, each once.
    """
    located = read_suite(target)
    loaded: list[Loaded] = []
    faults: dict[Fault, None] = {}
    for scale in _all_scales(located):
        if len(faults) > MOST_FAULTS:
            break
        try:
            loaded.append(_loaded(copy.deepcopy(located), registry, settings, scale))
        except InputError as error:
            faults |= dict.fromkeys(error.faults)
    if faults:
        raise InputError(list(faults))
    return loaded


def _all_scales(located: Located) -> list[str]:
    return list(dict.fromkeys([DEFAULT, *located.scales]))


def _loaded(
    located: Located, registry: Registry, settings: Sequence[str] = (), scale: str = DEFAULT, as_run: bool = False
) -> Loaded:
    """Validate and plan what was read, at one scale; `as_run`: a run keeps it."""
    scales = _all_scales(located)
    refused = apply_scale(located, scale) + [fault for setting in settings for fault in override(located, setting)]
    suite, found = validated(located.data)
    if suite is not None:
        found = name_faults(suite, registry, as_run) or level_faults(suite)
    if suite is not None and not (found or refused or as_run):
        found = file_faults(suite, registry)
    faults = [*refused, *located.faults(found)]
    if suite is None or faults:
        raise InputError(faults)
    suite = suite.model_copy(update={"scales": {}}) if as_run else settled(suite, registry)
    methods, datasets = methods_of(suite, registry), datasets_of(suite, registry)
    for label, count in Counter(method.label for method in methods).items():
        if count > 1:  # one is a label of the suite, the other a label with its start
            raise InputError(located.fault(("methods",), f"the method {shown(label)} occurs {count} times"))
    n_cells = count_cells(suite, methods, datasets)
    if n_cells > MAX_VALUES:
        place = () if scale == DEFAULT else ("scales", scale)
        raise InputError(located.fault(place, f"the suite has {n_cells} cells; valid is up to {MAX_VALUES}"))
    return Loaded(suite, plan_cells(suite, methods, datasets), Path(located.where), scale, scales)


def resolved_yaml(suite: Suite) -> str:
    """Write the suite as it was run, with every default."""
    return written(suite.model_dump())


def cautions(loaded: Loaded) -> list[str]:
    """Return a line for each data set all of whose cells are skipped, with the reasons: no author wants that."""
    reasons: dict[str, dict[str, None]] = {}
    for cell in loaded.plan.cells:
        reasons.setdefault(cell.draw.variant.label, {})[cell.skip] = None
    return [f"nothing will be fitted to {name}: {'; '.join(found)}" for name, found in reasons.items() if all(found)]


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
