"""Methods and data sets with every parameter settled: the variants that the lists and ranges of an entry span."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from spcabench.parameters import Parameter, parameter_faults, shown
from spcabench.specs import DatasetSpec, MethodSpec
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
    """A data set with its parameters, and what stands in for it."""

    label: str
    spec: DatasetSpec
    params: Mapping[str, Any]
    preprocess: str
    stand_in: DatasetVariant | None = None
    n_nonzero: Sequence[int | Sequence[int]] = ()
    n_components: Sequence[int] = ()
    seeds: Sequence[int] = ()
    optional: bool = False

    @property
    def n_features(self) -> int | None:
        """How many features it has; None if that is not known before it is drawn."""
        declared = self.spec.n_features
        found = self.params.get(declared) if isinstance(declared, str) else declared
        return found if isinstance(found, int) and self.stand_in is None else None


def variant_of(spec: DatasetSpec, given: Mapping[str, Any], preprocess: str = "none") -> DatasetVariant:
    """Return a data set with some of its parameters, the others as they are by default."""
    defaults = {name: parameter.default for name, parameter in spec.parameters.items()}
    return DatasetVariant(spec.name, spec, {**defaults, **given}, preprocess)


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
            for words in _value_faults(name, one, declared)
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


def _value_faults(name: str, value: Any, declared: Mapping[str, Parameter]) -> list[str]:
    return [words for _, words in parameter_faults({name: value}, declared)] if declared else []


def _suffix(point: Mapping[str, Any]) -> str:
    return f"({', '.join(f'{name}={_short(value)}' for name, value in point.items())})" if point else ""


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{k} {_short(v)}" for k, v in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
