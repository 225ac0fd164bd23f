"""Time the newer methods beside TPower, and remake reports/newer.csv.

::

    python tools/newer.py

The machine should do nothing else.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

from snapshots import REPORTS, Row, made_here, write

import spcabench

COMMAND = "python tools/newer.py"
CSV = REPORTS / "newer.csv"

NEWER = (
    *("fps", "grad_fps", "fps_joint", "diag_threshold", "cov_threshold", "lowrank_threshold", "block_diag"),
    *("manpg", "amanpg", "inverse_power", "oja_threshold", "spcavrp", "spcavrp_subspace", "sca_l0", "sca_l1"),
    *("rospca", "eespca", "row_truncation", "local_search"),
)
BESIDE, PUBLISHED = "tpower", "tpower from its published start"
N, D, K, SPIKE, REPEATS, LIMIT = 200, 500, 10, 5.0, 5, 60

SUITE: dict[str, Any] = {
    "name": "newer",
    "datasets": [{"name": "spiked", "params": {"n": N, "d": D, "support_size": K, "spikes": [SPIKE]}}],
    "methods": [BESIDE, {"name": BESIDE, "label": PUBLISHED, "params": {"init": "published"}}, *NEWER],
    "n_components": 1,
    "n_nonzero": K,
    "repeats": REPEATS,
    "metrics": ["explained_variance", "fit_time"],
    "limits": {"time": LIMIT},
}


def rows() -> Iterator[Row]:
    """Run the methods and yield a row of each, the fastest first."""
    with tempfile.TemporaryDirectory() as folder:
        found = spcabench.run(SUITE, folder, progress=False).frame.set_index("method")
    base = found.loc[BESIDE]
    for name, one in found.sort_values("cpu_time").iterrows():
        if one["status"] not in ("ok", "not_converged"):
            yield {"method": str(name), "seconds": str(one["status"])}
            continue
        yield {
            "method": str(name),
            "seconds": f"{one['cpu_time']:.4f}",
            "ratio": f"{one['cpu_time'] / base['cpu_time']:.2f}",
            "search, seconds": f"{one['search_time']:.3f} ({int(one['n_fits'])} fits)" if one["n_fits"] else "",
            "variance": f"{one['explained_variance'] / base['explained_variance']:.4f}",
            "nonzeros": f"{one['fitted_nonzeros']:g}",
        }


if __name__ == "__main__":
    write(CSV, rows(), [made_here()])
