"""The program spcabench-perf: the speed gate."""

from __future__ import annotations

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import click

from spcabench.cli import run_command
from spcabench.cli.terminal import say, show
from spcabench.wording import InputError


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Example: spcabench-perf compare main",
)
@click.version_option(package_name="spcabench")
def spcabench_perf() -> None:
    """Compare the speed of two commits."""


@spcabench_perf.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="Examples: spcabench-perf compare main; spcabench-perf compare HEAD~10..main -k tpower; "
    "spcabench-perf compare main --spcabench-bench my_spca",
)
@click.argument("commits", metavar="BASE[..HEAD]")
@click.argument("words", metavar="[PYTEST_ARGS]...", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--most",
    type=click.FloatRange(0.0),
    default=0.05,
    show_default=True,
    help="More instructions than this share fail; stands before BASE.",
)
@click.pass_context
def compare(ctx: click.Context, /, commits: str, words: tuple[str, ...], most: float) -> None:
    """Count the instructions of fits at HEAD, by default the files as they are, and at BASE.

    What follows says to pytest which benchmarks: files, -k WORDS, or --spcabench-bench NAME for a registered method.
    By default they are the files bench_*.py in tests.  Both commits are installed into folders of their own, which
    share the dependencies that are installed here.  The exit code is 1 if a fit takes more instructions than it may,
    is worse, or no longer works, and 2 if nothing can be compared.
    """
    from spcabench.perf import sides
    from spcabench.perf.rows import rows_of, table

    if not (shutil.which("valgrind") and os.uname().machine == "x86_64"):
        raise InputError(
            "valgrind, which counts, is not here or knows no such processor; time fits by pytest-benchmark"
        )
    root = sides.repository(Path.cwd())
    asked = sides.asked(root, words)
    base, _, head = commits.partition("..")
    with tempfile.TemporaryDirectory(prefix="spcabench-perf-") as scratch:
        place = Path(scratch)
        hashes = {"base": sides.commit_of(root, base, place), "head": sides.commit_of(root, head or None, place)}
        say(f"installing {base} and {head or 'the files as they are'}")
        both = [sides.installed(root, commit, place / name) for name, commit in hashes.items()]
        with ThreadPoolExecutor(2) as pool:
            say("fitting on both sides, which compiles kernels")
            list(pool.map(lambda side: sides.benched(side, asked, counting=False), both))
            say("counting instructions")
            old, new = pool.map(lambda side: sides.benched(side, asked, counting=True), both)
    for side in (new, old):
        if side.fits and not side.measured:
            raise InputError("the benchmarks import other code than what the commit installs; name ones that import it")
    if not (old.fits or new.fits):
        raise InputError(f"no benchmark could be run at either commit\n{new.output}")
    rows = rows_of(old, new)
    show(table(rows, most))
    ctx.exit(int(any(row.alarms(most) for row in rows)))


def main() -> NoReturn:
    """Run the command line; bad input ends in one clear message and exit code 2."""
    run_command(spcabench_perf, "interrupted")


if __name__ == "__main__":
    main()
