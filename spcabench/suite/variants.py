"""Methods and data sets with every parameter settled: the variants that the lists and ranges of an entry span.

Beside them is what only a whole suite can show to be wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from spcabench.parameters import Parameter, missing_files, parameter_faults, shown
from spcabench.plugins import Registry
from spcabench.specs import DatasetSpec, MethodSpec
from spcabench.suite.models import DatasetEntry, Suite
from spcabench.suite.preprocessing import Preprocess
from spcabench.suite.values import MAIN, OWN, PUBLISHED, Start, from_start, is_range, range_values

MAX_VARIANTS = 10_000

Path = tuple[str | int, ...]
Faults = list[tuple[Path, str]]


@dataclass(frozen=True)
class MethodVariant:
    """A method with its parameters, and where it starts.

    Parameters
    ----------
    name : str
        What tables call it.
    spec : MethodSpec
        The method.
    params : mapping
        Its parameters.
    own_sparsity : bool
        Whether these set its sparsity, in place of a target.
    start : str
        Where it starts.
    note : str
        What the main table says beside it.
    """

    name: str
    spec: MethodSpec
    params: Mapping[str, Any]
    own_sparsity: bool
    start: Start = OWN
    note: str = ""

    @cached_property
    def label(self) -> str:
        """What names it among all methods and starts of the suite."""
        return from_start(self.name, self.start)

    @property
    def refused(self) -> str:
        """Why it cannot start there; empty if it can."""
        if self.start in MAIN:
            return ""
        declared = self.spec.parameters.get(self.spec.starts or "")
        if declared is None or declared.valid.accepts(self.start):
            return ""
        return f"{self.name} does not start from {self.start}; valid is {declared.valid}"

    def from_each(self, starts: Sequence[Start]) -> list[MethodVariant]:
        """Return it from each of the starts; itself alone if it has no start to choose, or its parameters set it."""
        parameter = self.spec.starts
        if parameter is None or parameter in self.params:
            return [self]
        return [self if start == OWN else self._from(start, parameter) for start in starts]

    def _from(self, start: Start, parameter: str) -> MethodVariant:
        """Return it from a start; its parameters are those of its own start where that is the same."""
        declared = self.spec.parameters.get(parameter)
        is_own = declared is not None and start == str(declared.default)
        unsaid = start == PUBLISHED and (declared is None or not declared.valid.accepts(start))
        return replace(self, start=start, params=self.params if is_own or unsaid else {**self.params, parameter: start})


@dataclass(frozen=True)
class DatasetVariant:
    """A data set with its parameters, the entry of the suite that it is of, and what stands in for it."""

    label: str
    spec: DatasetSpec
    params: Mapping[str, Any]
    entry: DatasetEntry
    stand_in: DatasetVariant | None = None

    @property
    def n_features(self) -> int | None:
        """How many features it has; None if that is not known before it is drawn."""
        declared = self.spec.n_features
        found = self.params.get(declared) if isinstance(declared, str) else declared
        return found if isinstance(found, int) and self.stand_in is None else None


def variant_of(spec: DatasetSpec, given: Mapping[str, Any], preprocess: Preprocess = "none") -> DatasetVariant:
    """Return a data set with some of its parameters, the others as they are by default."""
    defaults = {name: parameter.default for name, parameter in spec.parameters.items()}
    return DatasetVariant(spec.name, spec, {**defaults, **given}, DatasetEntry(name=spec.name, preprocess=preprocess))


def spread(params: Mapping[str, Any], declared: Mapping[str, Parameter]) -> list[tuple[dict[str, Any], str]]:
    """Spread lists and ranges of values into one variant per combination.

    A list or a mapping that is a valid value of the parameter is one value; any other list, and any other mapping
    that is a range, is an axis of the grid.

    Returns
    -------
    list of (params, suffix)
        The suffix distinguishes the variants, e.g. ``"(p=0.5)"``; it is empty if there is no grid.
    """
    axes = {name: _values(name, value, declared) for name, value in params.items() if _is_axis(name, value, declared)}
    points = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
    return [({**params, **point}, _suffix(point)) for point in points]


def grid_faults(params: Mapping[str, Any], declared: Mapping[str, Parameter]) -> Faults:
    """Report what is wrong with values, lists and ranges, of which only the first wrong number is reported."""
    faults: Faults = []
    size = 1
    for name, value in params.items():
        try:
            values = _values(name, value, declared)
        except ValueError as error:
            faults.append(((name,), f"{name} is {shown(value)}; valid is {error}"))
            continue
        size *= len(values)
        is_list = values is value
        found = (
            ((name, i) if is_list else (name,), words)
            for i, one in enumerate(values)
            for _, words in (parameter_faults({name: one}, declared) if declared else [])
        )
        faults += itertools.islice(found, 1 if is_range(value) and len(values) > 1 else None)
    if size > MAX_VARIANTS:
        faults.append(((), f"the grid has {size} combinations; valid is up to {MAX_VARIANTS}"))
    return faults


def _values(name: str, value: Any, declared: Mapping[str, Parameter]) -> Sequence[Any]:
    """Return the values of a parameter: those of a list or a range, or the one.

    Raises
    ------
    ValueError
        If there is none; the words follow "valid is".
    """
    if not _is_axis(name, value, declared):
        return [value]
    if value == []:
        raise ValueError("a list with something in it, as an axis of a grid")
    return value if isinstance(value, list) else range_values(value)


def _is_axis(name: str, value: Any, declared: Mapping[str, Parameter]) -> bool:
    is_grid = isinstance(value, list) or is_range(value)
    return is_grid and not (name in declared and declared[name].valid.accepts(value))


def _suffix(point: Mapping[str, Any]) -> str:
    return f"({', '.join(f'{name}={_short(value)}' for name, value in point.items())})" if point else ""


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{k} {_short(v)}" for k, v in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def settled(suite: Suite, registry: Registry) -> Suite:
    """Return a suite with an entry for each method that a grid spans, and its number of repeats said."""
    methods = [
        entry.model_copy(update={"label": (entry.label or entry.name) + suffix, "params": params} if suffix else {})
        for entry in suite.methods
        for params, suffix in spread(entry.params, registry.methods[entry.name].parameters)
    ]
    return suite.model_copy(update={"methods": methods, "repeats": suite.settled_repeats, "scales": {}})


def methods_of(suite: Suite, registry: Registry) -> list[MethodVariant]:
    """Return the methods of a settled suite; one that has a start is there from each of the suite's and of its own."""
    return [
        variant
        for entry in suite.methods
        for spec in [registry.methods[entry.name]]
        for variant in MethodVariant(
            entry.label or entry.name,
            spec,
            {**spec.params, **entry.params},
            entry.sparsity == "own",
            note=entry.note or "",
        ).from_each([*dict.fromkeys([*suite.starts, *entry.starts])])
    ]


def datasets_of(suite: Suite, registry: Registry) -> list[DatasetVariant]:
    """Return the data sets of a suite, with the defaults of their parameters."""
    return [
        replace(
            variant_of(spec, params),
            label=(entry.label or entry.name) + suffix,
            entry=entry,
            stand_in=_stand_in(entry, registry),
        )
        for entry in suite.datasets
        for spec in [registry.datasets[entry.name]]
        for params, suffix in spread(entry.params, spec.parameters)
    ]


def _stand_in(entry: DatasetEntry, registry: Registry) -> DatasetVariant | None:
    if entry.stand_in is None:
        return None
    return variant_of(registry.datasets[entry.stand_in.name], entry.stand_in.params, entry.preprocess)


def level_faults(suite: Suite) -> Faults:
    """Report the levels that have a list of numbers, but not one number per component."""
    faults: Faults = []
    for i, entry in enumerate(suite.datasets):
        path: Path = ("datasets", i, "n_nonzero") if entry.n_nonzero else ("n_nonzero",)
        for j, level in enumerate(entry.n_nonzero or suite.n_nonzero):
            for n in entry.n_components or [suite.n_components]:
                if not isinstance(level, int) and len(level) != n:
                    words = f"{shown(level)} has {len(level)} numbers; valid are {n}, one per component"
                    faults.append(((*path, j), words))
    return faults


def file_faults(suite: Suite, registry: Registry) -> Faults:
    """Report the files that data sets name and that do not exist; a data set with a stand-in does not need them."""
    return [
        (("datasets", i, "params", name), message)
        for i, entry in enumerate(suite.datasets)
        if entry.stand_in is None and not entry.optional
        for name, message in missing_files(entry.params, registry.datasets[entry.name].parameters)
    ]
