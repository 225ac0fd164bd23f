"""The program spcabench-perf: the speed gate."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NoReturn

import click

from spcabench.cli import run_command
from spcabench.cli.terminal import say, show

DEFAULT_CASES = Path("tests") / "perf" / "solvers.py"
STARTS = 3
"""Pairs of processes that measure times."""
SHARE = click.FloatRange(0.0)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Example: spcabench-perf compare main",
)
@click.version_option(package_name="spcabench")
def spcabench_perf() -> None:
    """Compare the speed of two commits."""


@spcabench_perf.command(
    epilog="Examples: spcabench-perf compare main; spcabench-perf compare v0.1.0 main --only tpower --no-time"
)
@click.argument("base")
@click.argument("head", required=False)
@click.option(
    "--cases",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of the cases.  [default: tests/perf/solvers.py of the repository]",
)
@click.option("--only", multiple=True, metavar="SOLVER", help="Compare this solver; may be repeated.")
@click.option("--quick", is_flag=True, help="Compare the small set alone.")
@click.option("--no-time", is_flag=True, help="Count instructions alone.")
@click.option("--no-counts", is_flag=True, help="Measure times alone.")
@click.option(
    "--most-instructions",
    type=SHARE,
    default=0.05,
    show_default=True,
    help="More instructions than this share fail.",
)
@click.option(
    "--most-time",
    type=SHARE,
    default=0.05,
    show_default=True,
    help="More time than this share fails, if the whole interval is beyond.",
)
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    base: str,
    head: str | None,
    cases: Path | None,
    only: tuple[str, ...],
    quick: bool,
    no_time: bool,
    no_counts: bool,
    **limits: float,
) -> None:
    """Compare the fits of HEAD with those of BASE; HEAD is by default the files as they are.

    Both are installed into folders of their own, which share the dependencies that are installed here.  The
    exit code is 1 if a fit takes more instructions or more time than it may, explains less variance, or no longer
    works; what is found worse is measured a second time before it counts.
    """
    from spcabench.perf import sides
    from spcabench.perf.rows import chosen, measured, table

    root = sides.repository(Path.cwd())
    file = (cases or root / DEFAULT_CASES).resolve()
    counting = not no_counts and sides.counts_here()
    with tempfile.TemporaryDirectory(prefix="spcabench-perf-") as scratch:
        place = Path(scratch)
        commits = {"base": sides.commit_of(root, base, place), "head": sides.commit_of(root, head, place)}
        say(f"installing {base} and {head or 'the files as they are'}")
        one, other = (sides.installed(root, commit, place / name) for name, commit in commits.items())
        how = (counting, 0 if no_time else STARTS, say)
        rows = measured((one, other), file, chosen(other, file, only, quick), *how)
        if doubtful := [row.case for row in rows if row.alarms(**limits)]:
            say(f"measuring {', '.join(case.name for case in doubtful)} once more")
            again = {row.case: row for row in measured((one, other), file, doubtful, *how)}
            pairs = [(again.get(row.case, row), row) for row in rows]
            rows = [min(pair, key=lambda row: len(row.alarms(**limits))) for pair in pairs]  # the second if alike
    show(table(rows, **limits))
    if not (counting or no_counts):
        say("nothing here counts instructions: install valgrind")
    ctx.exit(int(any(row.alarms(**limits) for row in rows)))


def main() -> NoReturn:
    """Run the command line; bad input ends in one clear message and exit code 2."""
    run_command(spcabench_perf, "interrupted")


if __name__ == "__main__":
    main()
