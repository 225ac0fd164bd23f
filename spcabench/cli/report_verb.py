"""The verb report."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.execute import results_of
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.warn import say, warn

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.store.about import About
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded


@click.command(
    "report",
    epilog="Examples: spcabench report reports/mnist_outlier; "
    "spcabench report reports/mnist_outlier --suite suites/mnist_outlier.yaml",
)
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.option(
    "--suite",
    metavar="FILE",
    shell_complete=complete_suite,
    help="Report what this suite asks for, such as other columns or figures, at the run's scale.  "
    "[default: the suite as it was run]",
)
@click.pass_context
def command(ctx: click.Context, run: str, suite: str | None) -> None:
    """Make the report of RUN (a run's folder, or its suite's name) again, from its records alone."""
    from spcabench.report.build import build

    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    results, doubts = (
        _as_asked(suite, folder, registry)
        if suite is not None
        else (results_of(loaded, folder, registry), _edited(folder, registry))
    )
    for doubt in doubts:
        warn(doubt)
    page = build(results, say)
    show(f"report: {page}, {page.with_suffix('.html').name}")


def _edited(folder: RunFolder, registry: Registry) -> Iterable[str]:
    """Report that the suite's file is no longer what was run."""
    from spcabench.errors import InputError
    from spcabench.suite.load import resolved_yaml

    about = folder.about()
    file = about.suite
    if not _is_file(file):
        return
    try:
        is_as_run = resolved_yaml(_at_scale(file, about, registry).suite) == folder.suite_text()
    except InputError:
        is_as_run = False
    if not is_as_run:
        yield f"{file} has changed since it was run; this is the report of the suite as run, without --suite {file}"


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a zero byte in it
        return False


def _at_scale(file: str, about: About, registry: Registry) -> Loaded:
    """Read a suite at the scale and with the settings of a run."""
    from spcabench.suite.load import load_suite
    from spcabench.suite.models import DEFAULT

    return load_suite(file, registry, about.settings, about.scale or DEFAULT)


def _as_asked(file: str, folder: RunFolder, registry: Registry) -> tuple[Results, Iterable[str]]:
    """Return the results that another suite asks for, and what of it the run does not have.

    Raises
    ------
    InputError
        If the suite shares no cell with the run.
    """
    from spcabench.errors import Fault, InputError

    about = folder.about()
    loaded = _at_scale(file, about, registry)
    results = results_of(loaded, folder, registry)
    pending = sum(not key for key in results.frame["key"])
    if pending == len(results.frame):
        raise InputError(Fault(f"none of its cells is in the run {folder.path}", file))
    remedy = f"; {_command(file, about, folder)} does what is missing"
    known = {metric.name for metric in results.used} | set(results.frame.columns[results.frame.notna().any()])
    lacking = [name for name in results.metrics if name not in known]
    doubts = [f"{pending} of {len(results.frame)} cells of {file} were not run{remedy}"] if pending else []
    doubts += [f"no values of {', '.join(lacking)} in this run{remedy}"] if lacking else []
    return replace(results, form=", ".join(filter(None, (results.form, f"reported as {file} asks")))), doubts


def _command(file: str, about: About, folder: RunFolder) -> str:
    """Return the command that runs a suite into a folder at the scale and with the settings of its run."""
    from spcabench.suite.models import DEFAULT

    scale = [] if about.scale in ("", DEFAULT) else ["--scale", about.scale]
    settings = [word for setting in about.settings for word in ("--set", setting)]
    return shlex.join(["spcabench", "run", file, *scale, *settings, "-o", str(folder.path)])
