"""Print what `spcabench check` and `spcabench run` say of methods with one fault each, and how long they take.

::

    python tools/faults.py [NAME...]

The methods are in `tests/check/faulty_plugin.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from spcabench.store.folder import RunFolder
from spcabench.store.frame import VARIES

sys.path.append(str(Path(__file__).parents[1] / "tests" / "check"))
import faulty_plugin
from faulty_plugin import FAULTS

PLUGIN = Path(faulty_plugin.__file__)
SUITE = """\
name: faults
datasets: [{name: gaussian, params: {n: 100, d: 12}}]
n_components: 2
n_nonzero: 4
repeats: 2
metrics: [cpev]
limits: {time: 3, memory: 1}
"""


@dataclass(frozen=True)
class Said:
    """What is said of a fault.

    Parameters
    ----------
    broken : list of str
        The promises that `check` finds broken.
    check : str
        Its words.
    check_seconds : float
    status : str
        Of the cell of a run; ``refused`` if there was none.
    run : str
        Its reason, or that the loadings of a repeat differ.
    run_seconds : float
    """

    broken: list[str]
    check: str
    check_seconds: float
    status: str
    run: str
    run_seconds: float


def said_of(name: str) -> Said:
    """Check a method, and run it."""
    with tempfile.TemporaryDirectory() as folder:
        words, check_seconds = _called(folder, "check", name)
        lines = words.splitlines()
        broken = [number for number, line in enumerate(lines) if ": BROKEN" in line]
        (Path(folder) / "faults.yaml").write_text(f"{SUITE}methods: [{name}]\n", encoding="utf-8")
        printed, run_seconds = _called(folder, "run", "faults.yaml", "-o", "run")
        record = next(iter(RunFolder(Path(folder) / "run").records()), None)
    return Said(
        [lines[number].split(":")[0].strip() for number in broken],
        "; ".join(lines[number + 2].strip() for number in broken),
        check_seconds,
        record.status if record else "refused",
        (VARIES if record.fit.varies else record.reason) if record else printed.strip(),
        run_seconds,
    )


def _called(folder: str, *words: str) -> tuple[str, float]:
    begin = time.monotonic()
    command = [sys.executable, "-m", "spcabench", "--plugin", str(PLUGIN), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, time.monotonic() - begin


def main(*names: str) -> None:
    """Print the table."""
    rows = []
    for name in names or FAULTS:
        said = said_of(name)
        check, run = f"{', '.join(said.broken) or 'kept'}: {said.check}", f"{said.status}: {said.run}"
        rows.append([name, check.strip(": "), f"{said.check_seconds:.0f}", run.strip(": "), f"{said.run_seconds:.0f}"])
        print(rows[-1], file=sys.stderr)
    print(tabulate(rows, ("fault", "check", "s", "run", "s"), tablefmt="github"))


if __name__ == "__main__":
    main(*sys.argv[1:])
