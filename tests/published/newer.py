"""The command that times the newer methods beside TPower, and remakes reports/newer.md.

::

    python tests/published/newer.py

The machine should do nothing else.
"""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from checks import table

import spcabench

COMMAND = "python tests/published/newer.py"
PAGE = Path(__file__).parents[2] / "reports" / "newer.md"

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

HEAD = """# The newer methods beside TPower

One component with {K} nonzeros of {N} x {D} samples of a spike of variance {SPIKE:g} on {K} features in white noise,
seed 0.  The seconds are CPU time of one thread, the median of {REPEATS} fits, or the least where other work shared the
cores; each fit has a process of its own, in turns.  A method whose penalty is searched for {K} nonzeros has the wall
seconds of the search beside it.  The ratio is to the seconds of TPower, which by default starts from several starts;
the variance is a share of that of TPower's loading.  A method that takes more than {LIMIT} s with its search has timed
out.  `{COMMAND}` makes this page; {cpu}, Python {python}, {today}, {cores} cores,
on which the load was {load:.1f} when it began.
"""


def rows() -> Iterator[tuple[str, ...]]:
    """Run the methods and yield the rows of the table, the fastest first."""
    with tempfile.TemporaryDirectory() as folder:
        found = spcabench.run(SUITE, folder, progress=False).frame.set_index("method")
    base = found.loc[BESIDE]
    for name, one in found.sort_values("cpu_time").iterrows():
        if one["status"] not in ("ok", "not_converged"):
            yield str(name), str(one["status"]), "", "", "", ""
            continue
        yield (
            str(name),
            f"{one['cpu_time']:.4f}",
            f"{one['cpu_time'] / base['cpu_time']:.2f}",
            f"{one['search_time']:.3f} ({int(one['n_fits'])} fits)" if one["n_fits"] else "",
            f"{one['explained_variance'] / base['explained_variance']:.4f}",
            f"{one['fitted_nonzeros']:g}",
        )


def page() -> str:
    """Compute the page."""
    head = HEAD.format(
        **{name: globals()[name] for name in ("K", "N", "D", "SPIKE", "REPEATS", "LIMIT", "COMMAND")},
        cpu=platform.processor() or platform.machine(),
        python=platform.python_version(),
        today=date.today(),
        load=os.getloadavg()[0],
        cores=os.cpu_count(),
    )
    headers = ("method", "seconds", "ratio", "search, seconds", "variance", "nonzeros")
    return f"{head}\n{table(headers, rows())}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
