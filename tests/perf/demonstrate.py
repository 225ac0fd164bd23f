"""Show what the speed gate sees: no alarm of identical code, and solvers that were slowed on purpose, or exit with 1.

``python tests/perf/demonstrate.py`` takes the files as they are as base and as head; ``--help`` has the numbers.  A
slowed solver repeats a product at the start of each fit of head, as often as makes the share asked for, by what one
product costs where it is measured alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import spcabench_methods

from spcabench.perf.comparing import Measures, times
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
PLANT = "        extra = np.ones((60, 60))\n        for _ in range(EXTRA):\n            extra @ extra\n"
"""What follows that line in head; EXTRA is 0 but in the fits of a case that is slowed."""
MORE = """

class _Product:
    family, solver, size, quick = "product", "product", "", False

    def prepare(self):
        return self, np.ones((60, 60))

    def fit(self, X):
        for _ in range(100):
            X @ X
        self.components_ = X[:1]


class _Slowed:
    def __init__(self, case, slow, repeats):
        self.case, self.slow, self.repeats = case, slow, repeats
        self.family, self.solver, self.size, self.quick = case.family, case.solver, case.size, False

    def prepare(self):
        self.method, X = self.case.prepare()
        self.module = sys.modules[getattr(spcabench_methods, self.slow).__module__]
        return self, X

    def fit(self, X):
        self.module.EXTRA = self.repeats
        self.components_ = self.method.fit(X).components_
        self.module.EXTRA = 0


import sys

CASES["product"] = _Product()
for _case, _slow, _repeats in SLOWED:
    CASES[f"{_case}; {_slow} slowed"] = _Slowed(CASES[_case], _slow, _repeats)
"""
"""Cases beside those of `solvers.py`: a fit that is a hundred products, and fits while a solver is slowed."""
FITS = 3
"""Fits of a count."""
LIMITS = Limits()

Both = tuple[Side, Side]


def name_of(solver: str) -> str:
    """Return the case of a solver."""
    return f"{solver}, {SIZE}"


def plant(side: Side) -> None:
    """Have each solver of one side repeat a product before its work, as often as its case says."""
    (package,) = (side.folder / "env" / "lib").glob("python*/site-packages/spcabench_methods")
    for estimator in SLOWED.values():
        module = getattr(spcabench_methods, estimator).__module__
        file = package.joinpath(*module.split(".")[1:]).with_suffix(".py")
        head, signature, rest = file.read_text(encoding="utf-8").partition("    def _components(")
        end = min(rest.index(ending) + len(ending) for ending in START if ending in rest)
        file.write_text(f"{head}{signature}{rest[:end]}{PLANT}{rest[end:]}\n\nEXTRA = 0\n", encoding="utf-8")


def with_slowed(folder: Path, repeats: Mapping[str, int]) -> Path:
    """Write the cases: those of `solvers.py`, and each solver slowed, with the one before it beside it."""
    solvers = list(repeats)
    pairs = [(name, solver) for i, solver in enumerate(solvers) for name in (solver, solvers[i - 1])]
    slowed = [(name_of(name), SLOWED[solver], repeats[solver]) for name, solver in pairs]
    file = folder / "cases.py"
    ours = Path(__file__).with_name("solvers.py").read_text(encoding="utf-8")
    file.write_text(f"{ours}\nSLOWED = {slowed!r}\n{MORE}", encoding="utf-8")
    return file


def case_of(solver: str, slow: str) -> str:
    """Return the case of a solver while one is slowed."""
    return f"{name_of(solver)}; {SLOWED[slow]} slowed"


def counts(one: Process, solvers: Sequence[str]) -> dict[str, float]:
    """Return the instructions of a fit of each solver."""
    return {solver: one.ask("count", case=name_of(solver), fits=FITS) for solver in solvers}


def identical_counts(sides: Both, file: Path, counting: Counting, comparisons: int, starts: int) -> int:
    """Compare identical code by instructions, one solver after the other, in so many pairs of processes."""
    ratios: list[float] = []
    for _ in range(starts):
        with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
            both = [stack.enter_context(process(side, file, counting)) for side in sides]
            for i in range(comparisons // starts):
                solvers = [list(SLOWED)[i % len(SLOWED)]]
                base, head = pool.map(lambda one, solvers=solvers: counts(one, solvers), both)
                ratios.append(head[solvers[0]] / base[solvers[0]])
    alarms = sum(ratio > 1.0 + LIMITS.instructions for ratio in ratios)
    worst = 100 * max(abs(ratio - 1.0) for ratio in ratios)
    print(f"identical code, instructions: {len(ratios)} comparisons, {alarms} false alarms, ", end="")
    print(f"ratios differ from 1 by at most {worst:.4f} %", flush=True)
    return alarms


def identical_times(sides: Both, file: Path, comparisons: int) -> int:
    """Compare identical code by time, all solvers in each pair of processes."""
    names, found = [name_of(solver) for solver in SLOWED], []
    for _ in range(comparisons // len(names)):
        found += [interval(taken) for taken in times(sides, file, names, Measures()).values()]
    alarms = sum(one.low > 1.0 + LIMITS.time for one in found)
    print(f"identical code, time: {len(found)} comparisons, {alarms} alarms before a second measurement, ", end="")
    print(f"medians from {min(o.middle for o in found):.3f} to {max(o.middle for o in found):.3f}", flush=True)
    return alarms


def slowed_counts(sides: Both, folder: Path, counting: Counting, share: float, number: int) -> int:
    """Slow one solver after the other, and return how often it alone was named."""
    caught, solvers = 0, list(SLOWED)[:number]
    with process(sides[0], with_slowed(folder, {}), counting) as base:
        product = base.ask("count", case="product", fits=1) / 100
        before = counts(base, solvers)
    repeats = {solver: round(share * before[solver] / product) for solver in solvers}
    with process(sides[1], with_slowed(folder, repeats), counting) as head:
        for i, solver in enumerate(solvers):
            both = (solver, solvers[i - 1])
            after = {name: head.ask("count", case=case_of(name, solver), fits=FITS) for name in both}
            ratios = {name: after[name] / before[name] for name in both}
            named = [name for name, ratio in ratios.items() if ratio > 1.0 + LIMITS.instructions]
            caught += named == [solver]
            true = 100 * repeats[solver] * product / before[solver]
            print(f"{solver} slowed by {true:.2f} %: {100 * (ratios[solver] - 1):+.2f} %, named {named}", flush=True)
    print(f"instructions: {caught} of {len(solvers)} caught, and named alone", flush=True)
    return caught


def slowed_times(sides: Both, folder: Path, share: float, number: int) -> int:
    """Slow one solver after the other, and return how often times in turns alarm twice, in two pairs of processes."""
    solvers = list(SLOWED)[:number]
    with process(sides[0], with_slowed(folder, {})) as base:
        product = seconds(base, "product") / 100
        repeats = {solver: round(share * seconds(base, name_of(solver)) / product) for solver in solvers}
    file, names = with_slowed(folder, repeats), [case_of(solver, solver) for solver in solvers]
    first, second = (
        {name: interval(taken[name]) for name in names}
        for taken in (times(sides, file, names, Measures()) for _ in range(2))
    )
    caught = [name for name in names if min(first[name].low, second[name].low) > 1.0 + LIMITS.time]
    for name in names:
        print(
            f"{name} by {100 * share:.0f} %: {first[name].middle:.3f} [{first[name].low:.3f}, {first[name].high:.3f}]"
        )
    print(f"time: {len(caught)} of {len(solvers)} caught", flush=True)
    return len(caught)


def seconds(one: Process, case: str) -> float:
    """Return the processor seconds of a fit, the least of some means."""
    return float(min(one.ask("time", case=case, fits=10) for _ in range(8)))


def interval(taken: Sequence[tuple[float, float]]) -> Interval:
    """Return the interval of the ratios of head to base."""
    return Interval.of([head / base for base, head in taken])


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=40, help="of identical code, by each measure")
    parser.add_argument("--starts", type=int, default=4, help="pairs of processes in which these are counted")
    parser.add_argument("--slowed", type=int, default=10, help="solvers, by each measure")
    parser.add_argument("--folder", type=Path, help="keep the two environments in this new folder")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = asked.folder or Path(scratch)
        root = repository(Path(__file__).parent)
        commit = commit_of(root, None, Path(scratch))
        sides = both_sides(root, commit, commit, place)
        file = with_slowed(place, {})
        for side in sides:
            with process(side, file) as one:
                for solver in SLOWED:
                    one.ask("warm", case=name_of(solver))
        counting = counting_here(sides[1], file)
        print(f"instructions are counted by: {counting}", flush=True)
        counted = counting != "none"
        alarms = identical_times(sides, file, asked.comparisons)
        alarms += identical_counts(sides, file, counting, asked.comparisons, asked.starts) if counted else 0
        plant(sides[1])
        caught = slowed_times(sides, place, 0.3, asked.slowed)
        caught += slowed_counts(sides, place, counting, 0.1, asked.slowed) if counted else 0
    sys.exit(alarms > 0 or caught < asked.slowed * (2 if counted else 1))


if __name__ == "__main__":
    main()
