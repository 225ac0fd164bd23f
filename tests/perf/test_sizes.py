"""What a run of many cells costs when it is looked at again; run by ``pytest -n 0 tests/perf/test_sizes.py -s``."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "run"))
from many_cells import many_cells
from spcabench.store.gist import Gist
from spcabench.store.seen import SETTLED, Seen

from spcabench.store.folder import RunFolder
from spcabench.store.inside import Inside, stamp_of

MOST_SECONDS = {"resume": 1.0, "status": 1.0}
"""CPU seconds of 20,000 cells, beyond those of 20."""

DO = """
import os, resource, sys
from pathlib import Path
from many_cells import ODD
from spcabench.plugins import load_registry
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.store.kept_cells import seen_cells
from spcabench.suite.load import load_suite
what, suite, path = sys.argv[1:]
registry = load_registry([ODD])
before = os.times()
loaded, folder = load_suite(suite, registry), RunFolder(Path(path))
if what == "resume":
    said = []
    run(loaded.suite, loaded.plan, registry, folder, Options(plugins=[ODD]), said.append)
    assert f"{len(loaded.plan.cells)} of {len(loaded.plan.cells)} cells" in said[-1].text
elif what == "status":
    assert all(gist.status == "ok" for _, gist in seen_cells(folder, loaded.plan))
else:
    assert (results_frame(folder, loaded.plan).status == "ok").all()
after = os.times()
print(sum(after[:2]) - sum(before[:2]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

LOOK = """
import os, resource, sys
from pathlib import Path
from spcabench.store.folder import RunFolder
path, count = sys.argv[1:]
keys = [f"{number:020d}" for number in range(int(count))]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = os.times()
assert all(gist is not None for gist in RunFolder(Path(path)).gists(keys))
after = os.times()
print(sum(after[:2]) - sum(before[:2]), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) / 1024)
"""


def spent(what, place, cells):
    """Return CPU seconds after the import, and the peak of MiB, of a process that looks at a run."""
    return measured(DO, what, place / f"many_{cells}.yaml", place / f"run_{cells}")


def measured(program, *words):
    """Return the CPU seconds and the MiB that a program prints."""
    words = [sys.executable, "-c", program, *words]
    path = os.pathsep.join(map(str, [Path(__file__).parents[1] / "run", Path(__file__).parents[2]]))
    out = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path})
    seconds, memory = map(float, out.stdout.split())
    return seconds, memory


def test_many_cells(tmp_path):
    costs = {}
    for cells in (20, 1000, 20_000):
        many_cells(tmp_path, cells)
        costs[cells, "first resume"] = spent("resume", tmp_path, cells)
        for what in ("resume", "status", "frame"):
            costs[cells, what] = min(spent(what, tmp_path, cells) for _ in range(3))
    for (cells, what), (seconds, memory) in costs.items():
        print(f"{cells:7} {what:13} {seconds:6.2f} s of CPU {memory:5.0f} MiB")
    for what, most in MOST_SECONDS.items():
        assert costs[20_000, what][0] - costs[20, what][0] < most
    assert costs[20_000, "resume"][1] - costs[20, "resume"][1] < 64


@pytest.fixture
def folder(tmp_path):
    """Return an empty folder of a run, which is removed at once: two million files are a burden."""
    yield RunFolder(tmp_path / "run")
    shutil.rmtree(tmp_path / "run")


def test_the_index_of_a_million_records(folder):
    count = 1_000_000
    folder.make()
    keys = [f"{number:020d}" for number in range(count)]
    records, loadings = (os.open(folder.path / kind, os.O_RDONLY) for kind in ("records", "loadings"))
    for number, key in enumerate(keys):
        os.close(os.open(f"{key}.json", os.O_CREAT, dir_fd=records))
        if number % 10_000 == 0:  # a file has so many names at most
            source = f"{key}.npz"
            os.close(os.open(source, os.O_CREAT, dir_fd=loadings))
        else:
            os.link(source, f"{key}.npz", src_dir_fd=loadings, dst_dir_fd=loadings)
    os.close(records)
    os.close(loadings)
    gist = Gist("ok", same="0" * 20, scored="1" * 20, fit_time=(0.01,))
    seen = Seen(Inside(folder.path))
    now = seen.look(keys)
    for place, key in enumerate(keys):
        seen.saw_loadings(key, stamp_of(now.loadings[place]))
        seen.saw(key, stamp_of(now.records[place]), gist)
    time.sleep(2 * SETTLED)
    seen.keep()
    seconds, memory = measured(LOOK, folder.path, str(count))
    print(f"{count} {seconds:.2f} s of CPU, {memory:.0f} MiB beyond the keys")
    assert seconds < 10
    assert memory < 500
