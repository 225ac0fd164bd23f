"""Where suites are, and YAML text -> plain data and the line of every value.

Only the safe loader is used.  Size, the growth of anchors and tags are checked before anything is built.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from spcabench.parameters import shown, unknown_name
from spcabench.wording import Fault, InputError

MAX_BYTES = 64 * 1024
MAX_DEPTH = 40
MAX_NODES = 5_000
MOST_DIGITS = 300
"""Characters of a number at most."""

Path_ = tuple[str | int, ...]

_TEXT = "tag:yaml.org,2002:str"
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_TAGS = {_TEXT, *_NUMBERS, *(f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "map", "seq"))}

_Loader: Any = type("_Loader", (getattr(yaml, "CSafeLoader", yaml.SafeLoader),), {})
_Dumper: Any = type("_Dumper", (yaml.SafeDumper,), {})
for _tool in (_Loader, _Dumper):  # 1e-3, which YAML 1.1 takes for text
    _tool.add_implicit_resolver(
        "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
    )


def suite_files() -> dict[str, Path]:
    """Return the suites by name: those of the folder ``suites`` here first, then those of the package."""
    return {file.stem: file for folder in suite_folders() for file in sorted(folder.glob("*.yaml"))}


def suite_folders() -> list[Path]:
    """Return where suites are, those that count least first."""
    package = Path(__file__).resolve().parents[1]
    return [package / "_suites", package.parent / "suites", Path("suites")]


def find_suite(target: str) -> Path:
    """Return the file of a suite named by path or by name.

    Raises
    ------
    InputError
        If there is none.
    """
    known = suite_files()
    if target in known and not Path(target).is_file():
        return known[target]
    path = Path(os.path.expanduser(target))
    if path.is_dir():
        raise InputError(Fault("a folder, where a suite file is wanted", target))
    if not path.is_file():
        stem = path.stem if path.suffix else target
        raise InputError(Fault(f"no such suite file, nor a suite of that name{unknown_name(stem, known)}", target))
    return path


@dataclass
class Located:
    """Plain data, and the line of each value.

    Parameters
    ----------
    where : str
        The file's name, for messages.
    data : object
        Mappings, lists and scalars.
    lines : dict
        The line, from 1, of each value, by its path of keys and indices.
    settings : dict
        Where a value came from that was set after the text was read, by path: an option, or another path in the text.
    """

    where: str
    data: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)
    settings: dict[Path_, str | Path_] = field(default_factory=dict)

    @property
    def scales(self) -> list[str]:
        """The names of the scales that the suite declares, in its order."""
        scales = self.data.get("scales")
        return list(scales) if isinstance(scales, dict) else []

    def fault(self, path: Path_, message: str) -> Fault:
        """Make a fault of a value, with its line or that of the nearest value around it."""
        origin = self._origin(path)
        if isinstance(origin, str):
            return Fault(message, origin)
        around = (origin[:length] for length in range(len(origin), -1, -1))
        return Fault(message, self.where, next((self.lines[outer] for outer in around if outer in self.lines), None))

    def faults(self, found: Iterable[tuple[Path_, str]]) -> list[Fault]:
        """Return the faults found in the data, each once, by line."""
        return sorted(dict.fromkeys(self.fault(*one) for one in found), key=lambda fault: fault.line or 0)

    def _origin(self, path: Path_) -> str | Path_:
        """Return the option that set a value, or its path in the text."""
        for length in range(len(path), 0, -1):
            origin = self.settings.get(path[:length])
            if origin is not None:
                return origin if isinstance(origin, str) else (*origin, *path[length:])
        return path


def read_suite(target: str) -> Located:
    """Read the file of a suite named by path or by name; it is a mapping, and nothing else is checked.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    file = find_suite(target)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", str(file))) from error
    return mapping(read_yaml(content, str(file)))


def mapping(located: Located) -> Located:
    """Return what was read.

    Raises
    ------
    InputError
        If it is no mapping.
    """
    if not isinstance(located.data, dict):
        raise InputError(located.fault((), f"a suite is a mapping, found {shown(located.data)}"))
    return located


def read_yaml(content: bytes, where: str, ample: int = 1) -> Located:
    """Read a YAML document.

    Parameters
    ----------
    content : bytes
        UTF-8 text.
    where : str
        The file's name, for messages.
    ample : int
        How many times the usual size is taken: a suite as run has its ranges and defaults written out.

    Raises
    ------
    InputError
        Where it cannot be read: not text, not YAML, too large, too deep, with tags, or with a key twice.
    """
    most = ample * MAX_BYTES
    if len(content) > most:
        raise InputError(Fault(f"{len(content)} bytes is too large for a suite; valid is up to {most}", where))
    try:
        node = yaml.compose(content.decode("utf-8-sig"), Loader=_Loader)
        if node is None:
            raise InputError(Fault("the file is empty", where))
        lines = _lines(node, where, ample * MAX_NODES)
        return Located(where, as_read(yaml.constructor.SafeConstructor().construct_document(node)), lines)
    except UnicodeDecodeError as error:
        raise InputError(Fault(f"not UTF-8 text (byte {error.start})", where)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        message = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(Fault(f"not YAML: {message}", where, mark.line + 1 if mark else None)) from None
    except (LookupError, ValueError, RecursionError):
        raise InputError(Fault("a value is not what its tag says, or nested too deep", where)) from None


def as_read(value: Any) -> Any:
    """Return a value as it would be read from a file, with a copy of its own in each place that shares one."""
    if isinstance(value, Mapping):
        return {key: as_read(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # of NumPy
        return value.tolist()
    if isinstance(value, list | tuple | range):
        return list(map(as_read, value))
    return str(value) if isinstance(value, Path) else value


def written(data: Any) -> str:
    """Write what `read_yaml` reads."""
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110))


def _lines(root: yaml.Node, where: str, most: int) -> dict[Path_, int]:
    """Return the line of each value.

    Raises
    ------
    InputError
        If there are too many, or with each key that stands twice, each tag and each number without end.
    """
    lines: dict[Path_, int] = {}
    repeated: set[Path_] = set()
    faults = []
    for node, path, line in _values(root, (), root.start_mark.line + 1):
        if len(lines) >= most or len(path) > MAX_DEPTH:
            words = f"too large for a suite; valid is up to {most} values, anchors expanded, and {MAX_DEPTH} levels"
            raise InputError(Fault(words, where, line))
        if path in lines:
            repeated.add(path)
            if path[:-1] not in repeated:
                faults.append(Fault(f"the key {shown(path[-1])} occurs twice", where, line))
        if node.tag not in _TAGS:
            words = f"the tag {shown(node.tag)} is not supported; valid are mappings, lists, text (quote a date), "
            faults.append(Fault(f"{words}numbers, true, false, null", where, line))
        elif node.tag in _NUMBERS and len(node.value) > MOST_DIGITS:
            faults.append(Fault(f"{shown(node.value)} is not a value that can be read", where, line))
        lines[path] = line
    if faults:
        raise InputError(faults)
    return lines


def _values(node: yaml.Node, path: Path_, line: int) -> Iterator[tuple[yaml.Node, Path_, int]]:
    """Yield each value with its path and line, the outer ones first; all keys become text."""
    yield node, path, line
    if isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            yield from _values(item, (*path, i), item.start_mark.line + 1)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                key.tag = _TEXT
            word = key.value if isinstance(key, yaml.ScalarNode) else "?"
            yield from _values(value, (*path, word), key.start_mark.line + 1)
