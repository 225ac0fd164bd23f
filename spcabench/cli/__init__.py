"""The command line: a file for a verb or a few, imported when one is called."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from typing import Any, NoReturn

import click

from spcabench.parameters import unknown_name
from spcabench.wording import InputError, StoreChanged

VERBS = {
    "try": ("run_verbs", "Find sparse components of a table of your own."),
    "run": ("run_verbs", "Run a suite, or resume it, and write its report."),
    "plan": ("progress_verbs", "Show what suites would run, or only check their files."),
    "status": ("progress_verbs", "Show the progress of a run."),
    "report": ("results_verbs", "Make a run's report again from its records alone."),
    "compare": ("results_verbs", "Show what changed between two runs."),
    "certify": ("results_verbs", "Prove how far a component can be from the best one."),
    "export": ("results_verbs", "Write a run's results as CSV, Parquet, JSON or LaTeX."),
    "cite": ("results_verbs", "Print the BibTeX entries of a run's methods."),
    "site": ("results_verbs", "Make a static leaderboard of runs."),
    "submission": ("authors_verbs", "Write a method's results for a pull request, or merge those of others."),
    "list": ("names_verbs", "List methods, data sets, metrics, figures or suites."),
    "data": ("names_verbs", "List the data sets and their sources, or fetch them."),
    "info": ("names_verbs", "Describe a method, data set, metric or suite."),
    "plugins": ("names_verbs", "List the plugins found, and why any is broken."),
    "check": ("authors_verbs", "Hold a plugin's methods, data sets and metrics to their promises."),
    "new": ("authors_verbs", "Write a plugin that already runs, for you to change."),
}
"""The verbs in the order of use, each with its module and what it does."""

EARLIER = {
    "submit": "spcabench submission write NAME",
    "merge": "spcabench submission merge FOLDER...",
    "score": "spcabench report RUN --rescore",
    "clean": "spcabench status RUN --clean",
    "published": "spcabench run published",
    "validate": "spcabench plan SUITE... --check",
    "schema": "spcabench plan --schema",
    "completion": 'eval "$(_SPCABENCH_COMPLETE=bash_source spcabench)"',
}
"""Verbs of earlier versions, and what does the same now."""

MOST_FAULTS = 50
"""Faults that are printed at most; the rest is counted."""


def _add_plugins(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
    """Keep the plugin files, whether they are named before the verb or after it."""
    root = ctx.find_root()
    root.obj = (*(root.obj or ()), *value)


PLUGIN = click.Option(
    ["--plugin"],
    multiple=True,
    metavar="FILE.py",
    callback=_add_plugins,
    expose_value=False,
    is_eager=True,
    help="Load a single-file plugin; may be repeated, before or after the command. Also: SPCABENCH_PLUGINS.",
)
"""The option that each verb takes, and the program too."""


class _Verbs(click.Group):
    """Verbs that are imported only when called, each from its own module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of use."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb."""
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"spcabench.cli.{VERBS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_verb")
        within = command.commands.values() if isinstance(command, click.Group) else ()
        for one in (command, *within):
            if PLUGIN not in one.params:
                one.params.append(PLUGIN)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(verb, said) for verb, (_, said) in VERBS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a verb, or suggest the nearest."""
        if args and args[0] in EARLIER:
            raise InputError(f"spcabench {args[0]} is now: {EARLIER[args[0]]}")
        if args and args[0] not in VERBS:
            ctx.fail(f"no command '{args[0]}'{unknown_name(args[0], VERBS)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Verbs,
    epilog="Example: spcabench run mnist_outlier. spcabench COMMAND --help shows what a command takes. "
    'Completion in the shell: eval "$(_SPCABENCH_COMPLETE=bash_source spcabench)"; also zsh_source, fish_source.',
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    params=[PLUGIN],
)
@click.version_option(package_name="spcabench")
def spcabench() -> None:
    """Put sparse PCA methods side by side: same data, same sparsity, same metrics, same clock."""


def run_command(command: click.Command, interrupted: str) -> NoReturn:
    """Run a command line; bad input ends in one clear message and exit code 2, Ctrl-C in 130."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the locale may not have every character
    try:
        code = command.main(standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:
        code = 130
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C twice
            code = _explained(error, interrupted)
        if code is None:
            raise
    sys.exit(code or 0)


def _explained(error: BaseException, interrupted: str) -> int | None:
    """Say what ended a command, and return its exit code; None of a fault of this program."""
    from spcabench.cli.terminal import complain, refused
    from spcabench.importing import Unusable

    if isinstance(error, InputError):
        for fault in error.faults[:MOST_FAULTS]:
            complain(str(fault))
        if len(error.faults) > MOST_FAULTS:
            complain(f"and {len(error.faults) - MOST_FAULTS} more; they may go when these are mended")
        return 2
    if isinstance(error, click.ClickException):
        error.show()
        return 2
    if isinstance(error, StoreChanged | Unusable):
        complain(str(error))
        return 1 if isinstance(error, StoreChanged) else 2
    if isinstance(error, KeyboardInterrupt | click.Abort):
        complain(interrupted)
        return 130
    if isinstance(error, BrokenPipeError):
        _drop_output()
        return 0
    reason = refused(error)
    if reason is None:
        return None
    complain(f"{reason}; what was finished is kept")
    _drop_output()  # it may have no place
    return 2


def _drop_output() -> None:
    """Drop what is still to be printed."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> NoReturn:
    """Run the command line of spcabench."""
    run_command(spcabench, "interrupted; what was finished is kept, and running again resumes")
