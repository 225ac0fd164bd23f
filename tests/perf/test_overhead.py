"""The CPU time of a cell beside its fit; run by ``pytest tests/perf/test_overhead.py -s``."""

import os
import sys
from pathlib import Path

import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "run"))
from odd_suite import ODD, SUITE

from spcabench.plugins import load_registry
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite


def trivial(cells):
    """Return a suite whose fits take no time."""
    return {**SUITE, "methods": [{"name": "axes", "params": {"pause": [1e-9 * step for step in range(cells)]}}]}


def compiled(cells):
    """Return a suite whose fits run kernels that numba compiled before."""
    method = {"name": "tpower", "params": {"tol": [1e-6 + 1e-9 * step for step in range(cells)]}}
    return {**SUITE, "datasets": ["pitprops"], "methods": [method]}


@pytest.mark.parametrize(
    ("suite", "isolation", "most"), [(trivial, True, 0.025), (trivial, False, 0.002), (compiled, True, 0.1)]
)
def test_cell(tmp_path, suite, isolation, most):
    registry = load_registry([ODD])

    def spent(cells):
        file = tmp_path / f"suite-{cells}.yaml"
        file.write_text(yaml.safe_dump(suite(cells)))
        loaded, folder = load_suite(str(file), registry), RunFolder(tmp_path / f"run-{cells}")
        before = os.times()
        run(loaded.suite, loaded.plan, registry, folder, Options(plugins=[ODD], isolation=isolation), lambda _: None)
        fits = sum(sum(record.timing.cpu_time) for record in folder.records())
        return sum(os.times()[:4]) - sum(before[:4]) - fits

    few, many = (spent(cells) for cells in (10, 210))
    print(f"{1000 * (many - few) / 200:.1f} ms of CPU a cell, load {os.getloadavg()[0]:.1f}")
    assert (many - few) / 200 < most
