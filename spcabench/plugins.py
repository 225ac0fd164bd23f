"""Find plugins, guard against broken ones, and know who registered what."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import pluggy

from spcabench import hookspecs
from spcabench.importing import Plugin, from_file, installed
from spcabench.own_parameters import OwnParameters
from spcabench.parameters import Parameter, unknown_name
from spcabench.specs import FACTS, DatasetSpec, MethodSpec, MetricSpec, Spec
from spcabench.wording import Fault, InputError, place_of

S = TypeVar("S", MethodSpec, DatasetSpec, MetricSpec)

_KINDS: dict[type[Spec], str] = {MethodSpec: "method", DatasetSpec: "data set", MetricSpec: "metric"}
_HOOKS: dict[str, type[Spec]] = {
    "spcabench_methods": MethodSpec,
    "spcabench_datasets": DatasetSpec,
    "spcabench_metrics": MetricSpec,
}


@dataclass(frozen=True)
class Catalogue(Generic[S]):
    """The specifications of one kind, by name, and which plugin each comes from."""

    kind: str
    specs: dict[str, S]
    origins: dict[str, str]

    def __getitem__(self, name: str) -> S:
        if name not in self.specs:
            raise InputError(f"unknown {self.kind} '{name}'{unknown_name(name, self.specs)}")
        return self.specs[name]

    def __contains__(self, name: object) -> bool:
        return name in self.specs

    def __iter__(self) -> Iterator[str]:
        return iter(self.specs)


@dataclass(frozen=True)
class Registry:
    """Everything that the plugins provide."""

    methods: Catalogue[MethodSpec]
    datasets: Catalogue[DatasetSpec]
    metrics: Catalogue[MetricSpec]
    plugins: Sequence[Plugin]

    @property
    def catalogues(self) -> tuple[Catalogue[Any], ...]:
        """The three catalogues."""
        return self.methods, self.datasets, self.metrics

    @property
    def faults(self) -> list[Fault]:
        """The plugins that are broken, each with the reason."""
        return [
            Fault(f"the plugin {p.name} is broken and provides nothing: {p.broken}", p.origin)
            for p in self.plugins
            if p.broken
        ]

    @property
    def hint(self) -> str:
        """The end of a message about a name that is not known: a broken plugin may be the one that has it."""
        broken = [p for p in self.plugins if p.broken]
        return "".join(f"; perhaps it is of the plugin {p.name}, which is broken: {p.broken}" for p in broken)


def load_registry(files: Sequence[Path] = ()) -> Registry:
    """Find all plugins: the installed ones by entry point, and the files that the user names.

    Parameters
    ----------
    files : sequence of Path
        Single-file plugins named by the user.

    Returns
    -------
    Registry
        A plugin that cannot be imported, returns anything but specifications, or repeats a name is listed as broken
        with the reason, and provides nothing; it does not affect the others.

    Raises
    ------
    InputError
        If a file that the user names does not exist, or is broken.
    """
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    known: dict[type[Spec], Catalogue[Any]] = {kind: Catalogue(word, {}, {}) for kind, word in _KINDS.items()}
    plugins = []
    named = [str(file) for file in files]
    for candidate in [*installed(), *map(from_file, files)]:
        plugin = _register(manager, candidate, known)
        if plugin is None and candidate.origin in named:
            reason = f"has no function marked with @spcabench.hookimpl; valid are {', '.join(_HOOKS)}"
            plugin = replace(candidate, broken=reason)
        if plugin is not None:
            plugins.append(plugin)
    if faults := [Fault(p.broken, p.origin) for p in plugins if p.broken and p.origin in named]:
        raise InputError(faults)
    return Registry(known[MethodSpec], known[DatasetSpec], known[MetricSpec], plugins)


def _register(
    manager: pluggy.PluginManager, candidate: Plugin, known: Mapping[type[Spec], Catalogue[Any]]
) -> Plugin | None:
    """Register all that a candidate provides, or nothing; return None if it has no hook (a helper module)."""
    offered: dict[type[Spec], list[Any]] = {}
    broken = candidate.broken
    if not broken:
        try:
            manager.register(candidate.module, candidate.name)
            for caller in manager.get_hookcallers(candidate.module) or []:
                if caller.name not in _HOOKS:
                    raise Nonsense(f"unknown hook '{caller.name}'{unknown_name(caller.name, _HOOKS)}")
                kind = _HOOKS[caller.name]
                (hook,) = (one for one in caller.get_hookimpls() if one.plugin is candidate.module)
                offered[kind] = checked_offer(hook.function(), kind, known[kind])
        except (Exception, SystemExit) as error:
            said = f"{type(error).__name__}: {error}{place_of(error)}"
            broken = str(error) if isinstance(error, Nonsense) else said
            offered = {}
    if not (broken or offered):
        return None
    for kind, specs in offered.items():
        known[kind].specs.update({spec.name: spec for spec in specs})
        known[kind].origins.update({spec.name: f"{candidate.name} ({candidate.origin})" for spec in specs})
    names = {kind.__name__: [spec.name for spec in specs] for kind, specs in offered.items()}
    return replace(candidate, provides=names, broken=broken)


class Nonsense(Exception):
    """A hook returned something that cannot be used."""


def checked_offer(result: Any, kind: type[Any], known: Catalogue[Any]) -> list[Any]:
    """Return the specifications in a hook's result, or raise an error that names what is wrong."""
    if not isinstance(result, list | tuple):
        raise Nonsense(f"returned {type(result).__name__} where a list of {kind.__name__} is wanted")
    names: set[str] = set()
    for spec in result:
        if not isinstance(spec, kind):
            raise Nonsense(f"returned {type(spec).__name__} where {kind.__name__} is wanted")
        fault = _spec_fault(spec)
        if fault:
            raise Nonsense(f"{kind.__name__} {getattr(spec, 'name', '')!r}: {fault}")
        if spec.name in names:
            raise Nonsense(f"uses the name '{spec.name}' twice")
        if spec.name in known:
            raise Nonsense(f"the name '{spec.name}' is taken by {known.origins[spec.name]}")
        names.add(spec.name)
    return list(result)


def _spec_fault(spec: MethodSpec | DatasetSpec | MetricSpec) -> str:
    if not isinstance(spec.name, str) or not re.fullmatch("[a-z][a-z0-9_]*", spec.name):
        return "a name is lower case letters, digits and underscores"
    target = spec.target
    if not isinstance(target, str) or target.count(":") != 1 or not all(target.split(":")):
        return f"'module:attribute' is wanted, not {target!r}"
    facts = spec.provides if isinstance(spec, DatasetSpec) else spec.requires
    unknown = sorted(set(facts) - set(FACTS))
    if unknown:
        return f"unknown fact '{unknown[0]}'{unknown_name(unknown[0], FACTS)}"
    declared = spec.parameters
    if isinstance(declared, OwnParameters):  # whose values would import the class
        return ""
    is_well = isinstance(declared, Mapping) and all(isinstance(p, Parameter) for p in declared.values())
    return "" if is_well else "parameters is not a mapping of names to Parameter"


def import_file(path: Path) -> None:
    """Import a single-file plugin in a process that was not started by loading the registry.

    Raises
    ------
    ImportError
        With the reason.
    """
    candidate = from_file(path)
    if candidate.broken:
        raise ImportError(f"{path}: {candidate.broken}")


def plugin_files(values: Sequence[str]) -> list[Path]:
    """Return the plugin files named by the user: options first, then the variable ``SPCABENCH_PLUGINS``."""
    named = [*values, *filter(None, os.environ.get("SPCABENCH_PLUGINS", "").split(os.pathsep))]
    return [Path(os.path.expanduser(value)) for value in dict.fromkeys(named)]
