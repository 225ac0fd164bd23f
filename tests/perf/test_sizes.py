"""What a run of 20,000 cells costs when it is looked at again; run by ``pytest -n 0 tests/perf/test_sizes.py -s``."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "run"))
from many_cells import many_cells

MOST_SECONDS, MOST_MEMORY = 0.5, 64
"""CPU seconds, and MiB, of resuming 20,000 finished cells beyond those of 20."""
DO = """
import os, resource, sys
from pathlib import Path
from many_cells import ODD
from spcabench.plugins import load_registry
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import load_suite
what, suite, path = sys.argv[1:]
registry = load_registry([ODD])
loaded, folder = load_suite(suite, registry), RunFolder(Path(path))
before = os.times()
if what == "resume":
    said = []
    run(loaded.suite, loaded.plan, registry, folder, Options(plugins=[ODD]), said.append)
    assert f"{len(loaded.plan.cells)} of {len(loaded.plan.cells)} cells" in said[-1].text
else:
    assert (results_frame(folder, loaded.plan).status == "ok").all()
after = os.times()
print(sum(after[:2]) - sum(before[:2]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def spent(what, place, cells):
    """Return CPU seconds after the import and the plan, and the peak of MiB, of a process that looks at a run."""
    words = [sys.executable, "-c", DO, what, place / f"many_{cells}.yaml", place / f"run_{cells}"]
    path = os.pathsep.join(map(str, [Path(__file__).parents[1] / "run", Path(__file__).parents[2]]))
    out = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path})
    seconds, memory = map(float, out.stdout.split())
    return seconds, memory


def test_many_cells(tmp_path):
    costs = {}
    for cells in (20, 20_000):
        many_cells(tmp_path, cells)
        spent("resume", tmp_path, cells)
        for what in ("resume", "frame"):
            costs[cells, what] = min(spent(what, tmp_path, cells) for _ in range(3))
    for (cells, what), (seconds, memory) in costs.items():
        print(f"{cells:7} {what:13} {seconds:6.2f} s of CPU {memory:5.0f} MiB")
    assert costs[20_000, "resume"][0] - costs[20, "resume"][0] < MOST_SECONDS
    assert costs[20_000, "resume"][1] - costs[20, "resume"][1] < MOST_MEMORY
