"""Where suites are, and YAML text -> plain data and the line of every value.

Only the safe loader is used, and never its constructor: mappings, lists and core scalars are read from the node tree;
anything else is a fault.  Size, depth and the growth of anchors are checked before anything is built.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from spcabench.parameters import shown, unknown_name
from spcabench.wording import Fault, InputError

MAX_BYTES = 64 * 1024
MAX_DEPTH = 40
MAX_NODES = 5_000
TOO_LARGE = 10**300

Path_ = tuple[str | int, ...]
_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_EXPONENT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+")  # 1e-3, which YAML 1.1 takes for text
_SCALARS = {f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str")}


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


def title_and_scales(file: Path) -> tuple[str, list[str]]:
    """Return the title of a suite and the names of its scales, for lists; nothing else of it is read or checked.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        data = yaml.load(file.read_text(encoding="utf-8-sig"), Loader=_FAST)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise InputError(Fault(f"cannot be read: {error}", str(file))) from error
    top = data if isinstance(data, dict) else {}
    scales = top.get("scales")
    return str(top.get("title", "")), list(map(str, scales)) if isinstance(scales, dict) else []


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
    faults : list
        What is wrong with the text, by path: tags, repeated keys, values that cannot be read.
    """

    where: str
    data: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)
    settings: dict[Path_, str | Path_] = field(default_factory=dict)
    faults: list[tuple[Path_, Fault]] = field(default_factory=list)

    def fault(self, path: Path_, message: str) -> Fault:
        """Make a fault of a value, with its line or that of the nearest value around it."""
        origin = self._origin(path)
        if isinstance(origin, str):
            return Fault(message, origin)
        around = (origin[:length] for length in range(len(origin), -1, -1))
        return Fault(message, self.where, next((self.lines[outer] for outer in around if outer in self.lines), None))

    def all_faults(self, found: Iterable[tuple[Path_, str]]) -> list[Fault]:
        """Return the faults of the text and those found in the data, each once, by line.

        It leaves out faults found in a value that the text's own faults cover.
        """
        spoilt = {path for path, _ in self.faults}

        def is_spoilt(path: Path_) -> bool:
            origin = self._origin(path)
            return any(origin[:length] in spoilt for length in range(1, len(origin) + 1))

        new = [self.fault(path, message) for path, message in found if not is_spoilt(path)]
        return sorted(dict.fromkeys([*(fault for _, fault in self.faults), *new]), key=lambda fault: fault.line or 0)

    def _origin(self, path: Path_) -> str | Path_:
        """Return the option that set a value, or its path in the text."""
        for length in range(len(path), 0, -1):
            origin = self.settings.get(path[:length])
            if origin is not None:
                return origin if isinstance(origin, str) else (*origin, *path[length:])
        return path


class _Loader(yaml.SafeLoader):
    def fetch_flow_collection_start(self, token: Any) -> None:
        """Refuse brackets nested too deep: the scanner's time grows with the square of their depth."""
        if self.flow_level > MAX_DEPTH:
            raise RecursionError
        super().fetch_flow_collection_start(token)


def read_yaml(content: bytes, where: str, ample: int = 1) -> Located:
    """Read a YAML document.

    A value that is a fault becomes None; `Located.faults` describes it.

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
        Where nothing can be read: not text, not YAML, too large, too deep.
    """
    if len(content) > ample * MAX_BYTES:
        most = ample * MAX_BYTES
        raise InputError(Fault(f"{len(content)} bytes is too large for a suite; valid is up to {most}", where))
    try:
        node = yaml.compose(content.decode("utf-8-sig"), Loader=_Loader)
    except UnicodeDecodeError as error:
        raise InputError(Fault(f"not UTF-8 text (byte {error.start})", where)) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = ", ".join(filter(None, (error.context, error.problem)))
        raise InputError(Fault(f"not YAML: {message}", where, mark.line + 1 if mark else None)) from None
    except yaml.YAMLError as error:
        raise InputError(Fault(f"not YAML: {str(error).splitlines()[0]}", where)) from None
    except RecursionError:
        raise InputError(Fault(f"nested too deep; valid is up to {MAX_DEPTH} levels", where)) from None
    if node is None:
        raise InputError(Fault("the file is empty", where))
    located = Located(where)
    located.data = _Reader(located, ample * MAX_NODES).plain(node, ())
    return located


class _Reader:
    def __init__(self, located: Located, most_nodes: int) -> None:
        self.where = located.where
        self.lines = located.lines
        self.faults = located.faults
        self._scalars = yaml.constructor.SafeConstructor()
        self._nodes = 0
        self._most_nodes = most_nodes

    def plain(self, node: yaml.Node, path: Path_) -> Any:
        line = node.start_mark.line + 1
        self.lines[path] = line
        self._nodes += 1
        if self._nodes > self._most_nodes:
            raise InputError(
                Fault(
                    f"too large for a suite; valid is up to {self._most_nodes} values, anchors expanded",
                    self.where,
                    line,
                )
            )
        if len(path) > MAX_DEPTH:
            raise InputError(Fault(f"nested too deep; valid is up to {MAX_DEPTH} levels", self.where, line))
        if isinstance(node, yaml.MappingNode) and node.tag == "tag:yaml.org,2002:map":
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag == "tag:yaml.org,2002:seq":
            return [self.plain(item, (*path, i)) for i, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
            return self._scalar(node, path)
        kind = node.tag.removeprefix("tag:yaml.org,2002:")
        what = (
            "a date is not supported, quote it"
            if kind == "timestamp"
            else f"the tag {shown(node.tag)} is not supported"
        )
        self._fault(f"{what}; valid are mappings, lists, text, numbers, true, false, null", line, path)
        return None

    def _mapping(self, node: yaml.MappingNode, path: Path_) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault("a key is a word, not a list or a mapping", line)
                continue
            if key_node.tag == "tag:yaml.org,2002:merge":
                self._fault("the merge key '<<' is not supported; write each key where it belongs", line)
                continue
            key = str(key_node.value)
            if key in data:
                self._fault(f"the key {shown(key)} occurs twice", line)
            data[key] = self.plain(value_node, (*path, key))
            self.lines[(*path, key)] = line
        return data

    def _scalar(self, node: yaml.ScalarNode, path: Path_) -> Any:
        try:
            if node.style is None and node.tag.endswith(":str") and _EXPONENT.fullmatch(node.value):
                return float(node.value)
            value = self._scalars.construct_object(node)
            if isinstance(value, int) and abs(value) >= TOO_LARGE:
                raise OverflowError
            return value
        except (ValueError, KeyError, OverflowError, yaml.YAMLError):
            self._fault(f"{shown(node.value)} is not a value that can be read", self.lines[path], path)
            return None

    def _fault(self, message: str, line: int, path: Path_ = ()) -> None:
        """Note a fault of the value at `path`; without a path, the fault of a key alone."""
        self.faults.append((path, Fault(message, self.where, line)))
