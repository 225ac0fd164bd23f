"""What the harness costs beside the fits; run by ``pytest tests/perf``."""

import os
import resource
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "run"))
from odd_suite import ODD, SUITE

from spcabench.plugins import load_registry
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite


def axes(variants):
    """Return a suite whose fits take no time."""
    return {**SUITE, "methods": [{"name": "axes", "params": {"pause": [1e-9 * step for step in range(variants)]}}]}


def compiled(variants):
    """Return a suite whose fits run kernels that numba compiled before."""
    method = {"name": "tpower", "params": {"tol": [1e-6 + 1e-9 * step for step in range(variants)]}}
    return {"name": "compiled", "datasets": ["pitprops"], "n_nonzero": 5, "methods": [method], "metrics": ["cpev"]}


@pytest.fixture
def host(tmp_path):
    """Return a function that runs a suite of so many cells."""
    registry = load_registry([ODD])

    def prepare(cells, seeds, suite=axes):
        file = tmp_path / "odd.yaml"
        file.write_text(yaml.safe_dump({**suite(cells // seeds), "seeds": seeds}))
        loaded = load_suite(str(file), registry)
        assert len(loaded.plan.cells) == cells
        return loaded

    def go(loaded, folder, **options):
        place = RunFolder(tmp_path / folder)
        run(loaded.suite, loaded.plan, registry, place, Options(plugins=[ODD], **options), lambda event: None)
        return place

    return prepare, go


def clock():
    """Return wall seconds, and processor seconds of this process and of the children that have ended."""
    spent = os.times()
    return np.array([perf_counter(), spent.user + spent.system + spent.children_user + spent.children_system])


def fits(folder):
    """Return wall and processor seconds of all fits of a run."""
    timing = [record.timing for record in folder.records()]
    return np.array([sum(sum(getattr(times, name)) for times in timing) for name in ("fit_time", "cpu_time")])


@pytest.mark.parametrize(
    ("suite", "cells", "isolation", "goal"),
    [(axes, 1000, True, 0.030), (axes, 1000, False, 0.002), (compiled, 200, True, 0.1)],
)
def test_cell(benchmark, host, suite, cells, isolation, goal):
    prepare, go = host
    few, many = prepare(10, 10, suite), prepare(10 + cells, 10, suite)
    turn = iter(range(100))

    def timed(loaded):
        start = clock()
        folder = go(loaded, f"run-{next(turn)}", isolation=isolation)
        spent = clock() - start
        return spent - fits(folder)

    spent = []
    timed(few)
    start = np.min([timed(few) for _ in range(3)], axis=0)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.pedantic(lambda: spent.append(timed(many)), rounds=3)
    wall, cpu = (np.min(spent, axis=0) - start) / cells
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 2**10
    costs = {"wall ms a cell": 1000 * wall, "CPU ms a cell": 1000 * cpu, "MiB grown": grown, "load": os.getloadavg()[0]}
    benchmark.extra_info |= {name: round(float(value), 2) for name, value in costs.items()}
    print(benchmark.extra_info)
    assert wall < goal
    assert grown < 32


def test_resume_of_a_finished_run(benchmark, host):
    prepare, go = host
    loaded = prepare(10_000, 10)
    go(loaded, "run", isolation=False)
    benchmark.pedantic(go, args=(loaded, "run"), rounds=3)
    print({"load": os.getloadavg()[0]})
    assert benchmark.stats.stats.min < 3.0
