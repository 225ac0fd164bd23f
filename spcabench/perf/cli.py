"""The command line of the speed gate."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click

from spcabench.perf.measured import Case, Limits

DEFAULT_CASES = Path("tests") / "perf" / "solvers.py"
SHARE = click.FloatRange(0.0)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Example: spcabench-perf compare main",
)
@click.version_option(package_name="spcabench")
def spcabench_perf() -> None:
    """Compare the speed of two commits, and draw the history of speeds."""


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
    default=Limits.instructions,
    show_default=True,
    help="More instructions than this share fail.",
)
@click.option(
    "--most-time",
    type=SHARE,
    default=Limits.time,
    show_default=True,
    help="More time than this share fails, if the whole interval is beyond.",
)
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep what was measured of HEAD in this folder, as pytest-benchmark does.",
)
@click.pass_context
def compare(
    ctx: click.Context,
    base: str,
    head: str | None,
    cases: Path | None,
    only: tuple[str, ...],
    quick: bool,
    no_time: bool,
    no_counts: bool,
    most_instructions: float,
    most_time: float,
    save: Path | None,
) -> None:
    """Compare the fits of HEAD with those of BASE; HEAD is by default the files as they are.

    Both are installed into environments of their own, which share the dependencies that are installed here.  The
    exit code is 1 if a fit takes more instructions or more time than it may, explains less variance, or no longer
    works; what is found worse is measured a second time before it counts.
    """
    from spcabench.perf import comparing, history, sides
    from spcabench.perf.processes import counting_here
    from spcabench.perf.table import summary, table

    root = sides.repository(Path.cwd())
    file = (cases or root / DEFAULT_CASES).resolve()
    limits = Limits(most_instructions, most_time)
    with tempfile.TemporaryDirectory(prefix="spcabench-perf-") as scratch:
        place = Path(scratch)
        commits = [sides.commit_of(root, name, place) for name in (base, head)]
        say(f"installing {base} and {head or 'the files as they are'}")
        both = sides.both_sides(root, commits[0], commits[1], place)
        chosen = _chosen(comparing.cases_of(both, file), only, quick)
        measures = comparing.Measures("none" if no_counts else counting_here(both[1], file))
        measures = replace(measures, starts=0) if no_time else measures
        rows = comparing.compared(both, file, chosen, measures, limits, say)
    click.echo(table(rows, limits))
    click.echo(f"\n{summary(rows, limits)}")
    if measures.counting == "none" and not no_counts:
        say("nothing here counts instructions: install valgrind, or allow the processor's counter")
    if save is not None:
        say(f"kept: {history.save(rows, measures.counting, sides.about(root, head), save)}")
    ctx.exit(int(any(row.alarms(limits) for row in rows)))


def _chosen(cases: dict[str, Case], only: tuple[str, ...], quick: bool) -> list[Case]:
    """Return the cases that are asked for.

    Raises
    ------
    InputError
        If there are none of a solver.
    """
    from spcabench.parameters import unknown_name
    from spcabench.wording import Fault, InputError

    known = {case.solver for case in cases.values()}
    for solver in only:
        if solver not in known:
            raise InputError(Fault(f"no case of a solver '{solver}'{unknown_name(solver, sorted(known))}", "--only"))
    return [case for case in cases.values() if (not only or case.solver in only) and (case.quick or not quick)]


@spcabench_perf.command("history", epilog="Example: spcabench-perf history .benchmarks -o speeds.html")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("speeds.html"),
    show_default=True,
    help="The page.",
)
def history_page(folder: Path, output: Path) -> None:
    """Draw what FOLDER keeps, commit by commit, with the steps that are detected."""
    from spcabench.perf.history import points
    from spcabench.perf.page import page
    from spcabench.wording import Fault, InputError

    files = sorted(folder.rglob("*.json"))
    if not files:
        raise InputError(
            Fault("no saved file in it; `spcabench-perf compare BASE --save FOLDER` keeps one", str(folder))
        )
    output.write_text(page(points(files)), encoding="utf-8")
    click.echo(f"page: {output}")


def say(text: str) -> None:
    """Print how far a command is."""
    click.echo(text, err=True)


def main() -> NoReturn:
    """Run the command line; bad input ends in one clear message and exit code 2."""
    from spcabench.wording import InputError

    try:
        code = spcabench_perf.main(standalone_mode=False)
    except InputError as error:
        say("\n".join(f"error: {fault}" for fault in error.faults))
        code = 2
    except click.ClickException as error:
        error.show()
        code = 2
    except (KeyboardInterrupt, click.Abort):
        say("error: interrupted")
        code = 130
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
