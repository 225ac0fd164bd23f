"""A valid suite -> methods and data sets with every parameter settled, and what only the whole suite can show."""

from __future__ import annotations

from dataclasses import replace

from spcabench.parameters import missing_files, shown
from spcabench.plugins import Registry
from spcabench.suite.models import DatasetEntry, Suite
from spcabench.suite.variants import DatasetVariant, Faults, MethodVariant, Path, spread, variant_of


def settled(suite: Suite, registry: Registry) -> Suite:
    """Return a suite with an entry for each method that a grid spans, and its number of repeats said."""
    methods = [
        entry.model_copy(update={"label": (entry.label or entry.name) + suffix, "params": params} if suffix else {})
        for entry in suite.methods
        for params, suffix in spread(entry.params, registry.methods[entry.name].parameters)
    ]
    return suite.model_copy(update={"methods": methods, "repeats": suite.settled_repeats, "scales": {}})


def methods_of(suite: Suite, registry: Registry) -> list[MethodVariant]:
    """Return the methods of a settled suite; one that has a start is there from each start of the suite."""
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
        ).from_each(suite.starts)
    ]


def datasets_of(suite: Suite, registry: Registry) -> list[DatasetVariant]:
    """Return the data sets of a suite, with the defaults of their parameters."""
    return [
        replace(
            variant_of(spec, params, entry.preprocess),
            label=(entry.label or entry.name) + suffix,
            stand_in=_stand_in(entry, registry),
            n_nonzero=entry.n_nonzero,
            n_components=entry.n_components,
            seeds=entry.seeds,
            optional=entry.optional,
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
