"""Break the code on purpose, one place at a time, and see that the fast set of tests notices.

``python tools/mutants.py`` applies each mutant of ``mutants.yaml`` to a copy of the tree and runs the tests that are
likely to notice it.  If they all pass, it runs the whole fast set.  It prints which test noticed; that test must pass
without the mutant.  The exit code is 1 if more than `ALLOWED` mutants survive; if mutants are named, 1 if any does.
The script belongs to neither set of tests: it takes about twenty minutes.

A mutant has a name, a file, a text that is in it exactly once, and what stands there instead.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = 2
"""How many of all mutants may survive."""
PATIENCE = 1200.0
"""Seconds; tests that take longer have noticed the mutant."""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "build", "dist", "*.egg-info")


@dataclass(frozen=True)
class Mutant:
    """A change to one place of one file, and the tests that are likely to notice it."""

    name: str
    file: str
    old: str
    new: str
    tests: list[str]


@dataclass(frozen=True)
class Verdict:
    """Which test noticed a mutant, or an empty word, and how long that took."""

    killer: str
    seconds: float


class Tree:
    """A copy of the working tree, whose code is what its tests import."""

    def __init__(self, place: Path) -> None:
        self.place = place
        # Times of files are kept, and so what numba compiled stays valid.
        shutil.copytree(ROOT, place, ignore=LEFT_OUT, copy_function=shutil.copy2)
        code = "import spcabench, spcabench_methods as m; print(spcabench.__file__, m.__file__)"
        imported = self._run([sys.executable, "-c", code], {}).stdout.split()
        if not all(file.startswith(str(place)) for file in imported) or not imported:
            raise SystemExit(f"the copy of the tree is not what its tests import: {imported}")

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[dict[str, str]]:
        """Apply a mutant; yield what the environment of its tests needs."""
        file = self.place / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            with tempfile.TemporaryDirectory() as cache:
                # Numba keeps a compiled caller, with what it calls, when only what it calls has changed.
                yield {"NUMBA_CACHE_DIR": cache} if "njit" in text else {}
        finally:
            shutil.copy2(ROOT / mutant.file, file)

    def first_failure(self, tests: Sequence[str], environment: dict[str, str]) -> str:
        """Run tests until one fails; return its name, or an empty word if all pass."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-rfE", *tests]
        try:
            ended = self._run(command, environment)
        except subprocess.TimeoutExpired:
            return f"none ended within {PATIENCE:g} s"
        if ended.returncode not in (0, 1, 2):
            raise SystemExit(f"pytest could not run {' '.join(tests)}:\n{ended.stdout}{ended.stderr}")
        failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", ended.stdout, re.MULTILINE)
        if ended.returncode and not failed:
            raise SystemExit(f"pytest failed, but no test did:\n{ended.stdout}{ended.stderr}")
        return failed[1] if failed else ""

    def _run(self, command: Sequence[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(self.place), str(self.place / "plugins")])
        return subprocess.run(
            command,
            cwd=self.place,
            env={**os.environ, "PYTHONPATH": path, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


def mutants() -> list[Mutant]:
    """Read the mutants whose place and whose tests are there; the others are gone with what they broke."""
    return [mutant for mutant in declared() if not why_gone(mutant)]


def declared() -> list[Mutant]:
    """Read all mutants."""
    text = Path(__file__).with_name("mutants.yaml").read_text(encoding="utf-8")
    return [Mutant(**fields) for fields in yaml.safe_load(text)]


def why_gone(mutant: Mutant) -> str:
    """Return why a mutant cannot be tried; empty if it can."""
    if missing := [path for path in (mutant.file, *mutant.tests) if not (ROOT / path).exists()]:
        return f"{', '.join(missing)} is not there"
    times = (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old)
    return "" if times == 1 else f"its text stands {times} times in {mutant.file}, not once"


def judged(tree: Tree, mutant: Mutant, likely_only: bool) -> Verdict:
    """See whether any test of the fast set notices a mutant, the likely ones first."""
    start = time.monotonic()
    with tree.mutated(mutant) as environment:
        killer = tree.first_failure(["-n", "0", *mutant.tests], environment)
        if not killer and not likely_only:
            killer = tree.first_failure([], environment)
    if "::" in killer and tree.first_failure(["-n", "0", killer], {}):
        raise SystemExit(f"{killer} fails without any mutant too")
    return Verdict(killer, time.monotonic() - start)


def main() -> int:
    """Judge the mutants that are named, or all."""
    parser = argparse.ArgumentParser(description="Break the code on purpose, and see that the tests notice.")
    parser.add_argument("names", nargs="*", help="words in the names of the mutants to judge; all by default")
    parser.add_argument("--list", action="store_true", help="list the mutants and end")
    parser.add_argument("--likely-only", action="store_true", help="run only the tests likely to notice")
    chosen = parser.parse_args()
    for mutant in declared():
        if why := why_gone(mutant):
            print(f"gone, drop it or mend it: {mutant.name}: {why}", file=sys.stderr)
    found = [m for m in mutants() if not chosen.names or any(word in m.name for word in chosen.names)]
    if chosen.list or not found:
        print(*(f"{m.name}  ({m.file})" for m in found), sep="\n")
        return 0 if found else 2
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Tree(Path(folder) / "tree")
        print(f"| {'mutant':44} | {'seconds':>7} | noticed by\n|{'-' * 46}|{'-' * 8}:|{'-' * 11}", flush=True)
        survivors = 0
        for mutant in found:
            verdict = judged(tree, mutant, chosen.likely_only)
            survivors += not verdict.killer
            print(f"| {mutant.name:44} | {verdict.seconds:7.1f} | {verdict.killer or 'NOBODY'}", flush=True)
    print(f"\n{len(found) - survivors} of {len(found)} mutants were noticed.")
    return int(survivors > (0 if chosen.names else ALLOWED))


if __name__ == "__main__":
    sys.exit(main())
