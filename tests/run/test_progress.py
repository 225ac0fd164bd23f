"""What a run shows as it goes: lines in a file or a pipe, a bar under coloured lines on a terminal."""

import io
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from odd_suite import ODD

from spcabench.cli.run_verbs import announced
from spcabench.plugins import load_registry
from spcabench.run import state
from spcabench.run.options import Options
from spcabench.run.progress import Event, listener
from spcabench.run.state import RunState
from spcabench.store.about import About
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.suite.load import load_suite

OK = Record(key="1", cell={}, status="ok")
SKIPPED = Record(key="3", cell={}, status="skipped", reason="b requires samples")
ERROR = Record(key="2", cell={}, status="error", reason="[boom]")

EVENTS = [
    Event("drawing toy", 0, 0),
    Event("toy: another data set stands in", 0, 2, loud=True),
    Event("a on toy: 1 ms", 1, 2, record=OK),
    Event("b on toy: error: [boom]", 2, 3, record=ERROR),
]


class Terminal(io.StringIO):
    """A terminal of one's own."""

    def isatty(self):
        return True


def tell_all(events):
    with listener() as tell:
        for event in events:
            tell(event)


@pytest.fixture
def on_terminal(monkeypatch):
    """Report events on a terminal with colours; give what was written to it."""
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "100"}.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def tell(events):
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        tell_all(events)
        return terminal.getvalue()

    return tell


def test_lines_tell_how_many_fits_are_done(capsys):
    tell_all(EVENTS)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "drawing toy",
        "!!! toy: another data set stands in",
        "[1/2] a on toy: 1 ms",
        "[2/3] b on toy: error: [boom]",
    ]


CELLS_OF_B = [
    Event("b on toy, seed 0: skipped: b requires samples", 1, 4, record=SKIPPED),
    Event("b on toy, seed 1: skipped: b requires samples", 2, 4, record=SKIPPED),
    Event("c on toy, seed 0: skipped: c does", 3, 4, record=replace(SKIPPED, reason="c does")),
    Event("a on toy: 1 ms", 4, 4, record=OK),
]


def test_why_a_method_is_skipped_is_said_once(capsys, on_terminal):
    tell_all(CELLS_OF_B)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("]")[0] for line in lines] == ["[1/4", "[3/4", "[4/4"]
    shown = on_terminal(CELLS_OF_B)
    assert ("seed 0: skipped: b requires" in shown, "seed 1" in shown) == (True, False)


@pytest.mark.parametrize(
    ("events", "bar"),
    [
        (EVENTS[:1], r"fits [━╸╺]+ 0/\? elapsed \d:\d\d:\d\d left"),
        (EVENTS[:3], r"fits [━╸╺]+ 1/2 elapsed \d:\d\d:\d\d left [-\d]:[-\d]{2}:[-\d]{2}"),
    ],
    ids=["nothing known", "known"],
)
def test_the_bar_on_a_terminal(events, bar, on_terminal):
    plain = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", on_terminal(events))
    last = plain.splitlines()[-1].strip()
    assert re.fullmatch(bar, last), last


def test_lines_on_a_terminal_are_coloured_by_what_they_tell(on_terminal):
    shown = on_terminal(EVENTS)
    assert "\x1b[2mdrawing toy\x1b[0m" in shown
    assert "\x1b[1;33m!!! toy: another data set stands in\x1b[0m" in shown
    assert "\x1b[2ma on toy: 1 ms\x1b[0m" in shown
    assert "\x1b[31mb on toy: error: [boom]\x1b[0m" in shown


def test_the_lines_of_a_run(verb, suite_file):
    code, out, err = verb("run", suite_file(methods=["axes", "raises"]), "-o", "out", "--no-isolation")
    assert code == 1, err
    planned, drawn, first, second = re.sub(r"[\d.]+ m?s\b", "T", err).splitlines()
    plan = "odd: 2 cells"
    assert planned == f"{plan}; the first fits will show how long it takes; results go to out"
    assert drawn == "drawing spiked, seed 0"
    assert first == "[1/2] axes on spiked, 1 nonzeros, seed 0: T"
    assert second == "[2/2] raises on spiked, 1 nonzeros, seed 0: error: ArithmeticError: the sum | was odd"
    *_, outcome, page = out.splitlines()
    assert outcome.strip() == "2 components.  2 cells: 1 error, 1 ok."
    assert page == "report: out/report.md, report.html"


HEAVY = """
import sys
from spcabench.cli import main
class Listener:
    def write(self, text):
        if isinstance(text, bytes):
            raise TypeError
        if text.strip():
            loaded = {"altair", "vl_convert", "dask", "spcabench.report.build"} & set(sys.modules)
            print(sorted(loaded), text, file=sys.__stdout__)
            sys.exit(0)
    def flush(self): pass
sys.stderr = Listener()
sys.argv[0] = "spcabench"
main()
"""


PLANNED = "mnist_outlier: 30 cells"


def test_the_first_line_comes_before_slow_imports(place):
    words = [sys.executable, "-c", HEAVY, "run", "mnist_outlier", "-o", "out"]
    first = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    assert first == f"[] {PLANNED}; about 4.5 min if nothing is done yet; results go to out"


@pytest.mark.parametrize(
    ("options", "duration"),
    [
        ({}, "about 4.5 min if nothing is done yet"),
        ({"jobs": 2, "only": ["dataset=training*"]}, "about 2.2 min if nothing is done yet"),
        ({"about": About(settings=("n_components=10",))}, "the first fits will show how long it takes"),
    ],
)
def test_the_first_line_has_an_estimate(options, duration):
    loaded = load_suite("mnist_outlier", load_registry(), options.get("about", About()).settings)
    assert announced(loaded, Path("out"), Options(**options)) == f"{PLANNED}; {duration}; results go to out"


def test_the_time_left_is_that_of_what_was_done_since_the_first_task(monkeypatch, place, suite_file):
    now = [100.0]
    monkeypatch.setattr(state.time, "monotonic", lambda: now[0])
    left, folder = [], RunFolder(place)
    loaded = load_suite(str(suite_file(seeds=4)), load_registry([ODD]))
    running = RunState(loaded.suite, loaded.plan.cells, {}, folder, Options(), lambda event: None)
    for cell in loaded.plan.cells:
        running.count(cell)
    for step, cell in enumerate(loaded.plan.cells):
        running.learn({cell.id: str(step)})
        running.begin(cell.id, cell.title)
        now[0] += 100.0
        running.end(cell.id)
        running.keep(cell, replace(ERROR, key=str(step)), None, "a fit")
        running.beat()
        left.append(state.last_snapshot(folder).left)
    assert left == [300.0, 200.0, 100.0, 0.0]
