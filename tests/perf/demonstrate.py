"""Show what the speed gate sees: no alarm of identical code, and solvers that were slowed on purpose.

``python tests/perf/demonstrate.py`` takes the files as they are as base and as head; ``--help`` has the numbers.  A
slowed solver repeats a product at the start of each fit of head, as often as makes the share asked for, by what one
product costs where it is measured alone.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import spcabench_methods

from spcabench.perf.comparing import times
from spcabench.perf.measured import Interval, Limits
from spcabench.perf.processes import Counting, Process, counting_here, process
from spcabench.perf.sides import Side, both_sides, commit_of, repository

SIZE = "100 x 60"
SLOWED = {
    "tpower": "TPower",
    "rsvd_l1": "RSVD",
    "gpower_l0": "GPower",
    "gpower_block": "GPowerBlock",
    "itspca": "ITSPCA",
    "cop": "COPPCA",
    "spcart_l0": "SPCArt",
    "manpg": "ManPG",
    "varimax": "Rotation",
    "am_gpower": "AMGPower",
}
"""Solvers whose own files have no kernel of numba: nothing is compiled again after an edit."""
START = "-> Iterator[Component]:\n", "-> Iterable[Component]:\n"
"""What the line that begins the work of a solver ends with."""
PRODUCT = """

class _Product:
    family, solver, size, quick = "product", "product", "", False

    def prepare(self):
        return self, np.ones((60, 60))

    def fit(self, X):
        for _ in range(100):
            X @ X


CASES["product"] = _Product()
"""
"""A case whose fit is a hundred products."""
FITS = 3
"""Fits of a count."""
LIMITS = Limits()

Both = tuple[Side, Side]


def name_of(solver: str) -> str:
    """Return the case of a solver."""
    return f"{solver}, {SIZE}"


@contextmanager
def slowed(side: Side, solver: str, repeats: int) -> Iterator[None]:
    """Have a solver of one side repeat a product before each fit."""
    (package,) = (side.folder / "env" / "lib").glob("python*/site-packages/spcabench_methods")
    module = getattr(spcabench_methods, SLOWED[solver]).__module__
    file = package.joinpath(*module.split(".")[1:]).with_suffix(".py")
    text = file.read_text(encoding="utf-8")
    head, signature, rest = text.partition("    def _components(")
    end = min(rest.index(ending) + len(ending) for ending in START if ending in rest)
    more = f"        extra = np.ones((60, 60))\n        for _ in range({repeats}):\n            extra @ extra\n"
    file.write_text(head + signature + rest[:end] + more + rest[end:], encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


def counts(one: Process, solvers: Sequence[str]) -> dict[str, float]:
    """Return the instructions of a fit of each solver."""
    return {solver: one.ask("count", case=name_of(solver), fits=FITS) for solver in solvers}


def identical_counts(sides: Both, file: Path, counting: Counting, comparisons: int, starts: int) -> None:
    """Compare identical code by instructions, in new processes after each part of the comparisons."""
    solvers, ratios, alarms = list(SLOWED)[:3], [], 0
    for _ in range(starts):
        with ExitStack() as stack:
            base, head = (stack.enter_context(process(side, file, counting)) for side in sides)
            for _ in range(comparisons // starts):
                ours, theirs = counts(head, solvers), counts(base, solvers)
                found = [ours[solver] / theirs[solver] for solver in solvers]
                alarms += max(found) > 1.0 + LIMITS.instructions
                ratios += found
    worst = max(abs(ratio - 1.0) for ratio in ratios)
    print(
        f"identical code, instructions: {comparisons // starts * starts} comparisons of {len(solvers)} solvers: ",
        end="",
    )
    print(f"{alarms} false alarms, ratios differ from 1 by at most {100 * worst:.4f} %", flush=True)


def alarm_of_time(sides: Both, file: Path, solver: str) -> tuple[bool, Interval]:
    """Return whether times alarm twice, as a comparison has it, and the first interval."""
    first, second = (
        Interval.of([head / base for base, head in taken])
        for taken in (times(sides, file, [name_of(solver)], 16)[name_of(solver)] for _ in range(2))
    )
    return min(first.low, second.low) > 1.0 + LIMITS.time, first


def identical_times(sides: Both, file: Path, comparisons: int) -> None:
    """Compare identical code by time."""
    solver, found = next(iter(SLOWED)), []
    for _ in range(comparisons):
        taken = times(sides, file, [name_of(solver)], 16)[name_of(solver)]
        found.append(Interval.of([head / base for base, head in taken]))
    alarms = sum(one.low > 1.0 + LIMITS.time for one in found)
    print(
        f"identical code, time: {comparisons} comparisons of {solver}: {alarms} false alarms before any rerun, ", end=""
    )
    print(f"medians from {min(o.middle for o in found):.3f} to {max(o.middle for o in found):.3f}", flush=True)


def slowed_counts(sides: Both, file: Path, counting: Counting, share: float, cases: int) -> int:
    """Slow one solver after the other, and return how often it alone was named."""
    caught, solvers = 0, list(SLOWED)[:cases]
    with process(sides[0], file, counting) as base:
        product = base.ask("count", case="product", fits=1) / 100
        before = counts(base, solvers)
    for i, solver in enumerate(solvers):
        repeats = round(share * before[solver] / product)
        with slowed(sides[1], solver, repeats), process(sides[1], file, counting) as head:
            after = counts(head, [solver, solvers[i - 1]])
        ratios = {name: after[name] / before[name] for name in after}
        named = [name for name, ratio in ratios.items() if ratio > 1.0 + LIMITS.instructions]
        caught += named == [solver]
        true = repeats * product / before[solver]
        print(
            f"{solver} slowed by {100 * true:.2f} %: {100 * (ratios[solver] - 1):+.2f} % counted, named: {named}",
            flush=True,
        )
    print(f"instructions: {caught} of {len(solvers)} caught, and named alone", flush=True)
    return caught


def slowed_times(sides: Both, file: Path, share: float, cases: int) -> int:
    """Slow one solver after the other, and return how often times in turns alarm."""
    caught, solvers = 0, list(SLOWED)[:cases]
    with process(sides[0], file) as base:
        base.ask("warm", case="product")
        product = min(base.ask("time", case="product", fits=20) for _ in range(5)) / 100
        fits = {name: [base.ask("time", case=name_of(name), fits=20) for _ in range(5)] for name in solvers}
    for solver in solvers:
        repeats = round(share * min(fits[solver]) / product)
        with slowed(sides[1], solver, repeats):
            alarm, found = alarm_of_time(sides, file, solver)
        caught += alarm
        print(
            f"{solver} slowed by {100 * share:.0f} %: {found.middle:.3f} [{found.low:.3f}, {found.high:.3f}]",
            flush=True,
        )
    print(f"time: {caught} of {len(solvers)} caught", flush=True)
    return caught


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=40, help="of identical code, by each measure")
    parser.add_argument("--starts", type=int, default=8, help="of processes in which these are counted")
    parser.add_argument("--slowed", type=int, default=10, help="solvers, by each measure")
    parser.add_argument("--folder", type=Path, help="keep the two environments in this new folder")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = asked.folder or Path(scratch)
        root = repository(Path(__file__).parent)
        commit = commit_of(root, None, Path(scratch))
        sides = both_sides(root, commit, commit, place)
        file = place / "cases.py"
        file.write_text(Path(__file__).with_name("solvers.py").read_text(encoding="utf-8") + PRODUCT, encoding="utf-8")
        for side in sides:
            with process(side, file) as one:
                for solver in SLOWED:
                    one.ask("warm", case=name_of(solver))
        counting = counting_here(sides[1], file)
        print(f"instructions are counted by: {counting}", flush=True)
        if counting != "none":
            identical_counts(sides, file, counting, asked.comparisons, asked.starts)
            slowed_counts(sides, file, counting, 0.1, asked.slowed)
        identical_times(sides, file, asked.comparisons)
        slowed_times(sides, file, 0.3, asked.slowed)


if __name__ == "__main__":
    main()
