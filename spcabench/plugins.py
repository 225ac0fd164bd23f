"""Find plugins, guard against broken ones, and know who registered what."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import pluggy

from spcabench import hookspecs, wording
from spcabench.errors import Fault, InputError
from spcabench.offers import Nonsense, Spec, checked_offer, target_of
from spcabench.parameters import unknown_name
from spcabench.specs import DatasetSpec, MethodSpec, MetricSpec
from spcabench.targets import absent

GROUP = "spcabench"
S = TypeVar("S", MethodSpec, DatasetSpec, MetricSpec)

_HOOKS: dict[str, type[Spec]] = {
    "spcabench_methods": MethodSpec,
    "spcabench_datasets": DatasetSpec,
    "spcabench_metrics": MetricSpec,
}

_FOLDERS: list[str] = []
"""The folders of single-file plugins that Python searches for modules only because of them."""


@dataclass(frozen=True)
class Plugin:
    """One plugin: where it comes from, what it provides, and why it is broken if it is."""

    name: str
    origin: str
    provides: Mapping[str, Sequence[str]] = field(default_factory=dict)
    broken: str = ""


@dataclass(frozen=True)
class Catalogue(Generic[S]):
    """The specifications of one kind, by name, and which plugin each comes from."""

    kind: str
    specs: Mapping[str, S]
    origins: Mapping[str, str]

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

    def unusable(self, spec: Spec) -> str:
        """Return why the code that a specification names cannot be there, and whose fault it is; else nothing."""
        reason = absent(target_of(spec))
        kinds: dict[type[Spec], Catalogue[Any]] = {
            MethodSpec: self.methods,
            DatasetSpec: self.datasets,
            MetricSpec: self.metrics,
        }
        origin = kinds[type(spec)].origins[spec.name]
        return f"{spec.name} cannot be used: {reason}; its plugin is at fault, {origin}" if reason else ""

    def unusable_of(self, plugin: Plugin) -> list[str]:
        """Return why any specification of a plugin cannot be used."""
        origin = f"{plugin.name} ({plugin.origin})"
        catalogues: list[Catalogue[Any]] = [self.methods, self.datasets, self.metrics]
        specs = [s for c in catalogues for name, s in c.specs.items() if c.origins[name] == origin]
        return [reason for spec in specs if (reason := self.unusable(spec))]

    def raise_if_broken(self, origins: Sequence[str]) -> None:
        """Raise an error if a plugin that the user named on the command line is broken.

        Raises
        ------
        InputError
            It names the reason for each.
        """
        faults = [Fault(p.broken, p.origin) for p in self.plugins if p.broken and p.origin in origins]
        if faults:
            raise InputError(faults)


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
    found: dict[type[Spec], dict[str, Any]] = {kind: {} for kind in _HOOKS.values()}
    origins: dict[type[Spec], dict[str, str]] = {kind: {} for kind in _HOOKS.values()}
    plugins = []
    named = [str(file) for file in files]
    for candidate in [*_installed(), *map(_from_file, files)]:
        plugin = _register(manager, candidate, found, origins)
        if plugin is None and candidate.origin in named:
            reason = f"has no function marked with @spcabench.hookimpl; valid are {', '.join(_HOOKS)}"
            plugin = Plugin(candidate.name, candidate.origin, broken=reason)
        if plugin is not None:
            plugins.append(plugin)
    registry = Registry(
        Catalogue("method", found[MethodSpec], origins[MethodSpec]),
        Catalogue("data set", found[DatasetSpec], origins[DatasetSpec]),
        Catalogue("metric", found[MetricSpec], origins[MetricSpec]),
        plugins,
    )
    registry.raise_if_broken(named)
    return registry


@dataclass(frozen=True)
class _Candidate:
    name: str
    origin: str
    module: object = None
    broken: str = ""


def _installed() -> Iterator[_Candidate]:
    """Import what the entry points name; each public module of a package is a plugin of its own too."""
    entries = [(entry.dist.name if entry.dist else "", entry.name, entry) for entry in entry_points(group=GROUP)]
    own_first = sorted(
        entries, key=lambda e: (e[0] != hookspecs.PROJECT, *e[:2])
    )  # so no other package can take their names
    for _, _, entry in own_first:
        origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        root = _import(entry, origin)
        yield root
        if isinstance(root.module, ModuleType) and hasattr(root.module, "__path__"):
            for info in pkgutil.iter_modules(root.module.__path__):
                if not info.name.startswith("_"):
                    yield _import(f"{root.module.__name__}.{info.name}", origin)


def _import(target: EntryPoint | str, origin: str) -> _Candidate:
    name = target if isinstance(target, str) else target.value
    try:
        return _Candidate(name, origin, importlib.import_module(name) if isinstance(target, str) else target.load())
    except (Exception, SystemExit) as error:
        return _Candidate(name, origin, broken=_failed_import(error))


def _failed_import(error: BaseException) -> str:
    return f"import failed: {type(error).__name__}: {error}{wording.place_of(error)}"


def _from_file(path: Path) -> _Candidate:
    """Import a single file as a module named after it, so that ``"my_method:MyMethod"`` finds its class.

    Its folder is searched for modules that it imports, after all other folders.
    """
    if not path.is_file():
        near = [str(p) for p in path.parent.glob("*.py")] if path.parent.is_dir() else []
        raise InputError(Fault(f"no such plugin file{unknown_name(path, near) if near else ''}", str(path)))
    name = path.stem
    if not name.isidentifier() or name.startswith("__"):
        return _Candidate(name, str(path), broken=f"'{name}' cannot be the name of a module; rename the file")
    found = _found_elsewhere(name)
    place = Path(found.origin).resolve() if found is not None and found.origin is not None else None
    if name in sys.modules and place == path.resolve():
        return _Candidate(name, str(path), sys.modules[name])
    is_beside_another = name not in sys.modules and place is not None and str(place.parent) in _FOLDERS
    if found is not None and place != path.resolve() and not is_beside_another:
        return _Candidate(name, str(path), broken=f"its name '{name}' is that of another module; rename the file")
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        return _Candidate(name, str(path), broken="not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
        _FOLDERS.append(folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        return _Candidate(name, str(path), broken=_failed_import(error))
    return _Candidate(name, str(path), module)


def _found_elsewhere(name: str) -> ModuleSpec | None:
    """Return where Python finds a module of that name; a file that lies in the current folder does not count."""
    if name in sys.modules:
        return importlib.util.find_spec(name)
    whole, here = sys.path[:], Path.cwd()
    sys.path[:] = [place for place in whole if place and Path(place) != here]
    try:
        return importlib.util.find_spec(name)
    finally:
        sys.path[:] = whole


def _register(
    manager: pluggy.PluginManager,
    candidate: _Candidate,
    found: dict[type[Spec], dict[str, Any]],
    origins: dict[type[Spec], dict[str, str]],
) -> Plugin | None:
    """Register all that a candidate provides, or nothing; return None if it has no hook (a helper module)."""
    broken = candidate.broken
    offered: dict[type[Spec], list[Any]] = {}
    if not broken:
        try:
            if manager.register(candidate.module, candidate.name) is None:
                return None
            callers = manager.get_hookcallers(candidate.module) or []
            if not callers:
                return None
            for caller in callers:
                if caller.name not in _HOOKS:
                    raise Nonsense(f"unknown hook '{caller.name}'{unknown_name(caller.name, _HOOKS)}")
                kind = _HOOKS[caller.name]
                results = manager.subset_hook_caller(caller.name, _others(manager, candidate.module))()
                offered[kind] = checked_offer(results[0] if results else None, kind, found[kind], origins[kind])
        except (Exception, SystemExit) as error:
            said = f"{type(error).__name__}: {error}{wording.place_of(error)}"
            broken = str(error) if isinstance(error, Nonsense) else said
            offered = {}
            if manager.is_registered(candidate.module):
                manager.unregister(candidate.module)
    for kind, specs in offered.items():
        found[kind].update({spec.name: spec for spec in specs})
        origins[kind].update({spec.name: f"{candidate.name} ({candidate.origin})" for spec in specs})
    names = {kind.__name__: [spec.name for spec in specs] for kind, specs in offered.items()}
    return Plugin(candidate.name, candidate.origin, names, broken)


def _others(manager: pluggy.PluginManager, module: object) -> list[object]:
    return [plugin for plugin in manager.get_plugins() if plugin is not module]


def import_file(path: Path) -> None:
    """Import a single-file plugin in a process that was not started by loading the registry.

    Raises
    ------
    ImportError
        With the reason.
    """
    candidate = _from_file(path)
    if candidate.broken:
        raise ImportError(f"{path}: {candidate.broken}")


def plugin_files(values: Sequence[str]) -> list[Path]:
    """Return the plugin files named by the user: options first, then the variable ``SPCABENCH_PLUGINS``."""
    named = [*values, *filter(None, os.environ.get("SPCABENCH_PLUGINS", "").split(os.pathsep))]
    return [Path(os.path.expanduser(value)) for value in dict.fromkeys(named)]
