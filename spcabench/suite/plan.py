"""A suite with its parameters settled -> the list of cells to run.  It draws and reads nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from spcabench.suite.models import Suite
from spcabench.suite.variants import DatasetVariant, MethodVariant
from spcabench.wording import digest


@dataclass(frozen=True)
class Draw:
    """One draw of a data set: every method sees the same."""

    variant: DatasetVariant
    seed: int

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What determines the draw."""
        stand_in = self.variant.stand_in
        return {
            "dataset": self.variant.spec.name,
            "params": dict(self.variant.params),
            "preprocess": self.variant.entry.preprocess,
            "seed": self.seed if self.variant.spec.varies(self.variant.params) else 0,
            "stand_in": {"dataset": stand_in.spec.name, "params": dict(stand_in.params)} if stand_in else None,
        }

    @cached_property
    def id(self) -> str:
        """A hash that names the draw's files."""
        return digest(self.identity)


@dataclass(frozen=True)
class Cell:
    """One data set draw, one method with its parameters, one sparsity level, one seed."""

    draw: Draw
    method: MethodVariant
    n_components: int
    n_nonzero: int | tuple[int, ...] | None
    seed: int
    threads: int
    skip: str = ""

    @property
    def identity(self) -> dict[str, Any]:
        """What determines the result, as far as the suite sets it; it is kept in the record."""
        return {
            "dataset": self.draw.variant.label,
            "draw": self.draw.identity,
            "method": self.method.label,
            **self.asked,
        }

    @cached_property
    def id(self) -> str:
        """A hash that names the cell within a run."""
        return digest(self.identity)

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked of the method: common to its id and its record's key."""
        return {
            "method_name": self.method.spec.name,
            "params": dict(self.method.params),
            "n_components": self.n_components,
            "n_nonzero": list(self.n_nonzero) if isinstance(self.n_nonzero, tuple) else self.n_nonzero,
            "seed": self.seed,
            "threads": self.threads,
        }

    @property
    def title(self) -> str:
        """A title of one line."""
        target = "" if self.n_nonzero is None else f", {self.n_nonzero} nonzeros"
        return f"{self.method.label} on {self.draw.variant.label}{target}, seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    """All cells of a suite, in the order in which tables show them."""

    cells: Sequence[Cell]

    @property
    def draws(self) -> list[Draw]:
        """The draws needed, each once."""
        return list({cell.draw.id: cell.draw for cell in self.cells if not cell.skip}.values())

    @property
    def counts(self) -> Mapping[str, int]:
        """How many cells each method has."""
        return Counter(cell.method.label for cell in self.cells)


def count_cells(suite: Suite, methods: Sequence[MethodVariant], datasets: Sequence[DatasetVariant]) -> int:
    """Count the cells of a suite without making them."""
    once = sum(map(_planned_once, methods))
    levelled = len(methods) - once
    return sum(
        len(dataset.entry.seeds or suite.seeds)
        * len(dataset.entry.n_components or [suite.n_components])
        * (once + levelled * len(dataset.entry.n_nonzero or suite.n_nonzero))
        for dataset in datasets
    )


def plan_cells(suite: Suite, methods: Sequence[MethodVariant], datasets: Sequence[DatasetVariant]) -> Plan:
    """Make the cells of a suite.

    A cell whose method requires what its data set does not provide, or cannot start there, is planned as skipped, with
    the reason.
    """
    cells = [
        Cell(draw, method, r, level, seed, suite.threads, skip)
        for variant in datasets
        for r in variant.entry.n_components or [suite.n_components]
        for rows in [[(method, _levels(suite, method, variant), _skip(r, method, variant)) for method in methods]]
        for seed in variant.entry.seeds or suite.seeds
        for draw in [Draw(variant, seed)]
        for method, levels, skip in rows
        for level in levels
    ]
    return Plan(cells)


def _levels(suite: Suite, method: MethodVariant, dataset: DatasetVariant) -> list[int | tuple[int, ...] | None]:
    if _planned_once(method):
        return [None]
    levels = dataset.entry.n_nonzero or suite.n_nonzero
    return [level if isinstance(level, int) else tuple(level) for level in levels]


def _planned_once(method: MethodVariant) -> bool:
    """Return whether a method has one cell whatever the levels."""
    return method.own_sparsity or method.spec.knob.kind == "none"


def _skip(n_components: int, method: MethodVariant, dataset: DatasetVariant) -> str:
    too_few = too_few_features(n_components, dataset.n_features, dataset.label) if dataset.n_features else ""
    return missing_facts(method, dataset.spec.provides, dataset.label) or too_few or method.refused


def missing_facts(method: MethodVariant, facts: Collection[str], dataset: str) -> str:
    """Return what a method requires that is not among the facts of a data set; empty if there is nothing."""
    missing = sorted(method.spec.requires - set(facts))
    return f"{method.label} requires {', '.join(missing)}, which {dataset} does not have" if missing else ""


def too_few_features(n_components: int, n_features: int, dataset: str) -> str:
    """Return that more components are wanted than a data set has features; empty if they are not."""
    if n_components <= n_features:
        return ""
    return f"{n_components} components are wanted of {dataset}, which has {n_features} features"
