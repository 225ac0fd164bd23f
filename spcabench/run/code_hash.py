"""A hash of the code that a result depends on: what computes in a module and in those beside it that it imports.

Hashed are the syntax trees of the module that a specification names and, transitively, of the modules *beside it*
that it imports by name: those of the same top-level package or, of a single file, those in the same folder.  Strings
such as ``"package.module:attribute"`` count as imports.  Constants, default values of arguments, decorators and the
annotations of classes (which may be fields) are part of it, and so is the name of the target.

Left out is what only describes:

- comments, layout, docstrings, and annotations of variables and of functions without decorators;
- what stands under ``if TYPE_CHECKING``;
- the hooks, the functions that return a `MethodSpec`, `DatasetSpec`, `MetricSpec` or `Parameter` by their annotation,
  the expressions that make one, and the values of variables annotated as such;
- imports, assignments and functions without decorators that only these use;
- packages that hold a module but that it does not import, and names that a package imports from its own modules but
  that nobody asks it for.

What a declaration does determine is in a cell's identity and not here: parameters that a method fixes, its knob, and
the defaults of a data set.  Valid values of parameters only decide on errors.  The default of a solver's parameter is
that of its constructor: a solver that reads it from a declaration hides it from this hash.

Not seen are modules whose names are put together when the code runs, compiled modules and other packages, among them
spcabench itself for a plugin; their versions are in a record's environment.
"""

from __future__ import annotations

import hashlib
import importlib.util
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from spcabench.run.meaning import Import, Module, Statement, read_module

_SETTLED = 0.1
"""Seconds after its last change from which on a file's times tell the next change: they advance in steps."""
_SHARED = {"site-packages", "dist-packages"}
"""Folders where modules stand side by side that have nothing to do with each other."""

_Stamp = tuple[Path, int, int]


@dataclass(frozen=True)
class _Known:
    """A hash, and the files that it was made from, the target's own first."""

    stamps: list[_Stamp]
    value: str

    def holds(self, target: str) -> bool:
        own = _source_file(target.partition(":")[0])
        return bool(self.stamps) and own == self.stamps[0][0] and _unchanged(self.stamps)


_MODULES: dict[tuple[str, _Stamp], Module] = {}
_HASHES: dict[str, _Known] = {}


def code_hash(target: str) -> str:
    """Hash the code behind ``"module:attribute"``.

    Parameters
    ----------
    target : str
        The estimator, loader or metric of a specification.

    Returns
    -------
    str
        Editing what computes in any of the modules that it uses changes the hash, any other edit does not.
        Nothing is imported but parent packages.  It is computed again once one of the files has changed.
    """
    known = _HASHES.get(target)
    if known and known.holds(target):
        return known.value
    closure = _Closure(target)
    digest = hashlib.sha256(target.encode())
    for module, source in sorted(closure.hashes().items()):
        digest.update(module.encode() + b"\0" + bytes.fromhex(source))
    stamps = closure.stamps
    value = digest.hexdigest()[:20]
    if all(map(_is_settled, stamps)):
        _HASHES[target] = _Known(stamps, value)
    return value


@cache
def all_module_hashes(targets: tuple[str, ...]) -> Mapping[str, str]:
    """Hash what computes in each module behind several targets."""
    return {module: source for target in targets for module, source in module_hashes(target).items()}


def module_hashes(target: str) -> dict[str, str]:
    """Hash what computes in each module behind ``"module:attribute"``, by the module's name; empty if there is none."""
    return _Closure(target).hashes()


class _Closure:
    """The modules that a target uses, and the names that it uses of each.

    Parameters
    ----------
    target : str
        ``"module:attribute"``.
    """

    def __init__(self, target: str) -> None:
        name, _, attribute = target.partition(":")
        top = name.partition(".")[0]
        self._folder = _folder_of_single_file(top)
        self._beside = {top: True}
        self._wanted: dict[str, frozenset[str] | None] = {}
        self._found: dict[str, tuple[_Stamp, Module] | None] = {}
        self._computing: dict[str, list[Statement]] = {}
        self._waiting: list[str] = []
        self._want_target(name, attribute)
        while self._waiting:
            self._visit(self._waiting.pop())

    @property
    def stamps(self) -> list[_Stamp]:
        """The files, the target's own first."""
        return [found[0] for name in self._wanted if (found := self._module(name))]

    def hashes(self) -> dict[str, str]:
        """Hash what computes in each module."""
        return {
            name: hashlib.sha256(b"".join(statement.words for statement in statements)).hexdigest()
            for name, statements in self._computing.items()
        }

    def _visit(self, name: str) -> None:
        found = self._module(name)
        if found is None:
            return
        self._computing[name] = found[1].computing(self._wanted[name])
        for statement in self._computing[name]:
            if "__path__" in statement.uses:
                self._add_siblings(name, found[0][0].parent)
            for imported in [*statement.imports, *_named(statement.targets)]:
                if self._is_beside(imported.module):
                    self._want(imported)

    def _want(self, imported: Import) -> None:
        if imported.name in ("", "*"):
            self._add(imported.module, None)
        else:
            self._want_name(imported.module, imported.name)

    def _want_name(self, module: str, name: str) -> None:
        """Take a name of a module; that of a package may be a module."""
        found = self._module(module)
        if found is None or found[1].makes(name):
            self._add(module, frozenset({name}))
        elif found[0][0].name == "__init__.py" and self._module(f"{module}.{name}"):
            self._add(f"{module}.{name}", None)
        else:
            self._add(module, None)

    def _want_target(self, module: str, attribute: str) -> None:
        """Take the target; one that a package makes when asked may be anywhere in the package."""
        found = self._module(module)
        self._want_name(module, attribute)
        if found is not None and not found[1].makes(attribute) and found[1].makes("__getattr__"):
            folder = found[0][0].parent
            for file in sorted(folder.rglob("*.py")):
                if file.name != "__init__.py":
                    self._add(".".join([module, *file.relative_to(folder).with_suffix("").parts]), None)

    def _add(self, module: str, names: frozenset[str] | None) -> None:
        """Want names of a module, all if None; it is visited if they are new."""
        before = self._wanted.get(module, frozenset())
        after = None if names is None or before is None else before | names
        if module not in self._wanted or after != before:
            self._wanted[module] = after
            self._waiting.append(module)

    def _add_siblings(self, package: str, folder: Path) -> None:
        """Want all modules of a package that looks for them in its own folder."""
        for file in sorted(folder.glob("*.py")):
            if file.name != "__init__.py":
                self._add(f"{package}.{file.stem}", None)

    def _module(self, name: str) -> tuple[_Stamp, Module] | None:
        if name not in self._found:
            file = _source_file(name)
            self._found[name] = _read(name, file) if file else None
        return self._found[name]

    def _is_beside(self, module: str) -> bool:
        """Return whether a module is of the target's package, or stands beside a target that is a single file."""
        top = module.partition(".")[0]
        if top not in self._beside:
            self._beside[top] = self._folder is not None and _stands_in(self._folder, _source_file(top))
        return self._beside[top]


def _named(targets: Iterable[str]) -> Iterator[Import]:
    for target in targets:
        module, _, attribute = target.partition(":")
        yield Import(module, attribute)


def _folder_of_single_file(module: str) -> Path | None:
    """Return the folder of a module that is one file of its own, neither a package nor in a folder shared by all."""
    file = _source_file(module)
    if file is None or file.name == "__init__.py" or _SHARED & set(file.parts):
        return None
    return file.parent


def _stands_in(folder: Path, file: Path | None) -> bool:
    """Return whether the file of a module, or the package that it is the ``__init__`` of, is in a folder."""
    if file is None:
        return False
    return (file.parent.parent if file.name == "__init__.py" else file.parent) == folder


def _source_file(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def _read(name: str, file: Path) -> tuple[_Stamp, Module]:
    stamp = _stamp(file)
    known = _MODULES.get((name, stamp))
    if known is None:
        known = read_module(file.read_bytes(), name, file.name == "__init__.py")
        if _is_settled(stamp):
            _MODULES[name, stamp] = known
    return stamp, known


def _stamp(file: Path) -> _Stamp:
    status = file.stat()
    return file, status.st_size, status.st_mtime_ns


def _unchanged(stamps: Iterable[_Stamp]) -> bool:
    try:
        return all(_stamp(stamp[0]) == stamp for stamp in stamps)
    except OSError:
        return False


def _is_settled(stamp: _Stamp) -> bool:
    return time.time() - stamp[2] / 1e9 > _SETTLED
