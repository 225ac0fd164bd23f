"""The library stands alone: what it imports, and that its estimators fit without the host."""

import subprocess
import sys
from importlib.metadata import requires

from packaging.requirements import Requirement

NEEDED = ("numpy", "scipy", "scikit-learn", "numba")

PROGRAM = """
import sys
allowed, estimators = set(sys.argv[1].split(",")), sys.argv[2].split(",")

class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in allowed and top not in sys.stdlib_module_names and not top.startswith("_"):
            raise ModuleNotFoundError(f"the library imports {name}", name=top)

sys.meta_path.insert(0, Blocker())
import numpy as np
import spcabench_methods

X = np.random.default_rng(0).standard_normal((12, 5))
for name in estimators:
    getattr(spcabench_methods, name)().fit(X)
print(all(callable(getattr(spcabench_methods, name)) for name in spcabench_methods.__all__))
"""


def closure(names):
    """Return the import names of distributions and of all that they require."""
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            needs = [Requirement(line) for line in requires(name) or ()]
            left += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return {name.replace("scikit-learn", "sklearn").replace("-", "_") for name in found}


def test_estimators_import_and_fit_where_only_four_packages_are():
    allowed = {*closure(NEEDED), "cloudpickle", "spcabench_methods"}  # some builds of joblib have it beside them
    assert not allowed & {"spcabench", "pluggy", "pandas"}
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, ",".join(allowed), "PCA,TPower,GPower,GSPCA,RSPCA"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr
