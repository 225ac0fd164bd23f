"""The program that runs the benchmarks of one commit for `spcabench.perf.sides`.

It stands alone: the commit that it measures may be older than this file.  ``python -P program.py SITE RESULT WORDS...``
starts it, with the folder in which the commit is installed, the file for what is found, and the words for pytest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
from pathlib import Path
from typing import Any

import pytest
from numpy.random import bit_generator


class Found:
    """What the benchmarks keep, and why others failed, by the names of their tests."""

    def __init__(self) -> None:
        self.fits: dict[str, dict[str, Any]] = {}
        self.reasons: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        """Keep what a benchmark keeps."""
        yield
        if "benchmark" in item.funcargs:
            self.fits[_name(item.nodeid)] = item.funcargs["benchmark"].extra_info

    def pytest_exception_interact(self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[Any]) -> None:
        """Keep why a benchmark, or the import of its file, failed."""
        if call.excinfo is not None:
            self.reasons[_name(node.nodeid)] = call.excinfo.exconly(tryshort=True).strip().splitlines()[-1]


def _name(nodeid: str) -> str:
    file, mark, test = nodeid.partition("::")
    return Path(file).name + mark + test


def imports_from(site: Path) -> bool:
    """Return whether something that a folder has is imported, and from there; nothing of it may be from elsewhere."""
    own = {entry.name.partition(".")[0] for entry in site.iterdir() if entry.suffix != ".dist-info"}
    modules = [sys.modules[name] for name in own & sys.modules.keys()]
    places = [Path(module.__file__ or next(iter(module.__path__))).resolve() for module in modules]
    return bool(places) and all(place.is_relative_to(site.resolve()) for place in places)


def fix_entropy() -> None:
    """Let numpy draw the same bits wherever no seed is given.

    A `RandomState` is seeded with such bits before it takes the seed that it was asked for.  How many instructions that
    takes depends on the bits: they are passed as Python's integers, which are longer above 2^30.
    """
    setattr(bit_generator, "randbits", lambda bits: (1 << bits) - 1)  # noqa: B010


def main(site: str, result: str, *words: str) -> None:
    """Run the benchmarks, and write what is found as JSON."""
    fix_entropy()
    standard = (BuiltinImporter, FrozenImporter, PathFinder)
    sys.meta_path.sort(key=lambda finder: finder not in standard)  # those of editable installations come last
    found = Found()
    pytest.main([*words], plugins=[found])
    about = {"fits": found.fits, "reasons": found.reasons, "measured": imports_from(Path(site))}
    Path(result).write_text(json.dumps(about), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
