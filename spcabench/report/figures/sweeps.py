"""Data sets that differ in one number: the draws of a grid, and what varies along it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from spcabench.report.model import Results


@dataclass(frozen=True)
class Sweep:
    """Data sets of one name, in rising order of the number in which they differ.

    Parameters
    ----------
    name : str
        The data set.
    parameter : str
        The number; that of an inner mapping with a dot, as in ``contamination.fraction``.
    values : dict of str to float
        It, by the label of the data set.
    stand_in : bool
        Whether another data set stood in for any of them.
    """

    name: str
    parameter: str
    values: dict[str, float]
    stand_in: bool


def by_parameter(results: Results) -> Iterator[Sweep]:
    """Return the grids of data sets with exactly one axis, that being numeric."""
    for name, known in _families(results).items():
        varying = {
            parameter: {label: params.get(parameter) for label, params in known.items()}
            for parameter in dict.fromkeys(parameter for params in known.values() for parameter in params)
            if len({repr(params.get(parameter)) for params in known.values()}) > 1
        }
        if len(varying) == 1:
            ((parameter, values),) = varying.items()
            if all(_numeric(value) for value in values.values()):
                yield _sweep(results, name, parameter, values)


def by_size(results: Results) -> Iterator[Sweep]:
    """Return the grids of data sets of different numbers of variables, or else of samples, or else of a parameter."""
    drawn = dict(results.draws())
    other = {sweep.name: sweep for sweep in by_parameter(results) if min(sweep.values.values()) > 0}
    for name, known in _families(results).items():
        for fact, says in (("n_features", "number of variables d"), ("n_samples", "number of samples n")):
            sizes = {label: drawn[label].get(fact) for label in known}
            if len(set(sizes.values())) == len(sizes) > 1 and all(map(_numeric, sizes.values())):
                yield _sweep(results, name, says, sizes)
                break
        else:
            if name in other:
                yield other[name]


def _sweep(results: Results, name: str, parameter: str, values: Mapping[str, Any]) -> Sweep:
    ordered = dict(sorted(values.items(), key=lambda item: float(item[1])))
    stand_in = bool(set(ordered) & set(results.stand_ins))
    return Sweep(name, parameter, {label: float(value) for label, value in ordered.items()}, stand_in)


def _families(results: Results) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the parameters of the data sets as recorded, by name and label."""
    families: dict[str, dict[str, dict[str, Any]]] = {}
    for label, keys in results.frame.groupby("dataset", sort=False)["key"]:
        records = (results.folder.record(str(key)) for key in keys if key)
        draw: Mapping[str, Any] = next((record.cell.get("draw", {}) for record in records if record), {})
        if draw:
            families.setdefault(str(draw["dataset"]), {})[str(label)] = dict(_flat(draw["params"]))
    return families


def _flat(params: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in params.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            alone = isinstance(value, list) and len(value) == 1  # one spike is the number it is
            yield f"{before}{name}", value[0] if alone else value


def _numeric(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
