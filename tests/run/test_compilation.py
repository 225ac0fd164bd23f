"""Compilation counts neither for the clock nor for the limit, and its results are in the user's cache folder."""

import os
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numba
import numpy as np
import pytest
from tasks import fit_task

from spcabench.dataset import Dataset
from spcabench.process import numba_cache
from spcabench.run.executors.watch import Watch
from spcabench.run.worker import estimator
from spcabench.run.worker.clock import FitClock
from spcabench.suite.models import Limits

PLUGIN = Path(__file__).parent / "compiled_methods.py"


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """Let the workers begin with an empty cache."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_compilation_is_outside_the_clock_and_the_limit(ran, empty_cache):
    """Compiled in the clock, the fits would take a second or more; the limit is half of one."""
    _, folder, _ = ran(methods=["second", "late"], plugins=[PLUGIN], limits={"time": 0.5})
    for record in folder.records():
        assert record.status == "ok", record.reason
        assert record.timing.cpu_time[0] < 0.1
    (compiled,) = {file.parents[1] for file in empty_cache.rglob("compiled_methods.total-*.nbi")}
    assert (
        compiled == empty_cache / "spcabench" / "numba" / f"spcabench-{version('spcabench')}-numba-{numba.__version__}"
    )


@numba.njit
def minus(first, second):
    return first - second


@numba.njit
def plus(first, second):
    return first + second


def test_the_clock_stands_still_while_numba_compiles():
    """In a process of its own: threads that other tests leave may hold numba's lock."""
    words = [sys.executable, "-c", f"import {__name__}; {__name__}.compile_by_the_clock()"]
    subprocess.run(words, check=True, cwd=Path(__file__).parent)


def compile_by_the_clock():
    phases = []
    minus(1, 2)  # as a warm-up: numba makes itself ready once a process, before it takes its lock
    with FitClock(phases.append) as clock:
        clock.begin("fit")
        start = time.perf_counter()
        plus(1, 2)
        took = time.perf_counter() - start
        assert clock.passed[0] < 0.5 * took
        assert phases == ["fit", "compilation", "fit"]
    before = clock.passed[0]
    plus(1.0, 2.0)
    assert clock.passed[0] > before + 0.01, "it watches no longer"


def test_pauses_nest_and_the_limit_waits_for_the_outermost():
    watch = Watch(Path(), Limits(time=0.2, memory=1.0))
    with FitClock(lambda phase: watch.enter(phase, time.monotonic())) as clock:
        clock.begin("fit")
        clock.pause()
        clock.pause()
        time.sleep(0.4)
        clock.resume()
        assert watch.phase == "compilation"
        clock.resume()
        assert clock.passed[0] < 0.1
        assert watch.why_late(time.monotonic()) == ""
        time.sleep(0.3)
        assert watch.why_late(time.monotonic()) == "the fit took longer than its limit of 0.2 s"
        assert clock.passed[0] >= 0.3


def test_the_cache_is_where_the_user_has_it():
    assert numba_cache({"NUMBA_CACHE_DIR": "/mine"}) == {"NUMBA_CACHE_DIR": "/mine"}
    (named,) = numba_cache({"XDG_CACHE_HOME": os.path.abspath("caches")}).values()
    assert Path(named).parent == Path("caches").absolute() / "spcabench" / "numba"
    for environment in ({}, {"XDG_CACHE_HOME": "relative"}):
        (named,) = numba_cache(environment).values()
        own = "Library/Caches" if sys.platform == "darwin" else ".cache"
        assert Path(named).is_relative_to(Path.home() / own / "spcabench")


class Seen:
    """A method that remembers what it was made with, and the data it saw."""

    fits: list = []  # noqa: RUF012

    def __init__(self, n_components=1, n_nonzero=None, covariance=None):
        self.made = n_components, n_nonzero

    def fit(self, X):
        assert not X.flags.writeable
        self.fits.append((*self.made, X.shape))


@pytest.mark.parametrize(
    ("shape", "n_components", "n_nonzero", "seen"),
    [
        ((30, 10), 5, 4, (2, 2, (24, 6))),
        ((30, 121), 5, (4, 3, 2, 1, 1), (2, [2, 2], (24, 100))),
        ((30, 120), 1, (4,), (1, [2], (24, 6))),
        ((30, 10), 1, None, (1, None, (24, 6))),
        ((8,), 3, None, (2, None, (6, 6))),
    ],
)
def test_the_warm_up_has_once_what_decides_what_is_compiled(monkeypatch, shape, n_components, n_nonzero, seen):
    """The last data set is a covariance."""
    monkeypatch.setattr(estimator, "_WARM", set())
    Seen.fits.clear()
    dataset = Dataset(X=np.zeros(shape)) if len(shape) == 2 else Dataset(covariance=np.eye(*shape))
    task = fit_task("tests:Seen", n_components=n_components, n_nonzero=n_nonzero)
    for _ in range(2):
        estimator.warm_up(estimator.Maker(Seen, task, dataset))
    assert Seen.fits == [seen]
