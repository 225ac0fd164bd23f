"""The arrows between the rooms of the package go one way, as the design has them."""

import ast
import re
from pathlib import Path

import pytest

import spcabench

ROOT = Path(spcabench.__file__).parent

FLOORS = [
    {"wording", "parameters", "process"},
    {"importing", "traces", "calibrate"},
    {"own_parameters"},
    {"specs"},
    {"dataset"},
    {"hookspecs", "program", "foreign", "originals"},
    {"plugins"},
    {"analysis"},
    {"metrics", "suite"},
    {"store"},
    {"run", "report", "perf"},
    {"check", "scaffold", "site", "plots"},
    {"submission", "explore"},
    {"api"},
    {"cli"},
    {"__main__"},
]
"""From the ground up: a room imports from itself and from lower floors, never from beside or above."""

FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
MODULES = [file for file in sorted(ROOT.rglob("*.py")) if file != ROOT / "__init__.py"]
"""All but the package itself, which hands out the public names of any room when they are first used."""


def room_of(file):
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(source):
    """Return the rooms that a source imports, also inside functions, and those that it names as text to be imported."""
    rooms = set()
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and re.fullmatch(r"spcabench(\.\w+)+", str(node.value)):
            names = [node.value]
        rooms |= {name.split(".")[1] for name in names if name.startswith("spcabench.")}
    return rooms & FLOOR.keys()


def wrong(room, rooms):
    return sorted(other for other in rooms if other != room and FLOOR[other] >= FLOOR[room])


def test_every_room_has_its_floor():
    assert {room_of(file) for file in MODULES} <= FLOOR.keys()


@pytest.mark.parametrize("room", sorted({room_of(file) for file in MODULES}))
def test_a_room_imports_from_below_alone(room):
    faults = {
        str(file.relative_to(ROOT)): found
        for file in MODULES
        if room_of(file) == room and (found := wrong(room, imported(file.read_text())))
    }
    assert not faults


def test_no_import_is_relative():
    """Or the test above would not see it."""
    for file in MODULES:
        assert not [n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.ImportFrom) and n.level], file


def test_an_arrow_that_points_up_is_seen():
    assert wrong("specs", imported("def f():\n    from spcabench.run import options")) == ["run"]
    assert wrong("store", imported("import spcabench.run.host")) == ["run"]
    assert wrong("run", imported('import_module("spcabench.api.running").run')) == ["api"]
    assert wrong("run", imported("from spcabench import wording, report")) == ["report"]
