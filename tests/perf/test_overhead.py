"""What the harness costs beside the fits; run by ``pytest tests/perf``."""

import os
import sys
from pathlib import Path
from time import perf_counter

import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "run"))
from conftest import ODD, SUITE  # the runner's, not a conftest beside this file

from spcabench.plugins import load_registry
from spcabench.run.host import Options, run
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite


@pytest.fixture
def host(tmp_path):
    """Give a function that runs a suite of so many cells, whose fits take no time."""
    registry = load_registry([ODD])

    def prepare(cells, seeds):
        file = tmp_path / "odd.yaml"
        methods = [{"name": "axes", "params": {"pause": [1e-9 * step for step in range(cells // seeds)]}}]
        file.write_text(yaml.safe_dump({**SUITE, "methods": methods, "seeds": seeds}))
        loaded = load_suite(str(file), registry)
        assert len(loaded.plan.cells) == cells
        return loaded

    def go(loaded, folder, **options):
        run(
            loaded.suite,
            loaded.plan,
            registry,
            RunFolder(tmp_path / folder),
            Options(plugins=[ODD], **options),
            lambda event: None,
        )

    return prepare, go


@pytest.mark.parametrize(("isolation", "goal"), [(True, 0.050), (False, 0.002)])
def test_cell(benchmark, host, isolation, goal):
    prepare, go = host
    few, many = prepare(10, 1), prepare(210, 1)
    turn = iter(range(100))

    def fresh(loaded):
        go(loaded, f"run-{next(turn)}", isolation=isolation)

    def timed(loaded):
        start = perf_counter()
        fresh(loaded)
        return perf_counter() - start

    timed(few)
    start = min(timed(few) for _ in range(3))
    benchmark.pedantic(fresh, args=(many,), rounds=3)
    each = (benchmark.stats.stats.min - start) / 200
    benchmark.extra_info["ms a cell"] = round(1000 * each, 2)
    assert each < goal


def test_resume_of_a_finished_run(benchmark, host, monkeypatch):
    prepare, go = host
    loaded = prepare(10_000, 10)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        go(loaded, "run", isolation=False)
    benchmark.pedantic(go, args=(loaded, "run"), rounds=3)
    assert benchmark.stats.stats.min < 3.0
