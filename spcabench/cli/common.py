"""What several verbs share: options, completion, and how their arguments become a registry and a suite."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.run.options import Options
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded

WIDE = 240
"""Columns of a table that is written to a file or a pipe."""

F = TypeVar("F", bound=Callable[..., Any])


def registry_of(ctx: click.Context) -> Registry:
    """Load the registry with the plugin files named before the verb."""
    from spcabench.plugins import load_registry, plugin_files

    return load_registry(plugin_files(ctx.find_root().obj or ()))


def complete_suite(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of suites, and files."""
    from spcabench.suite.load import suite_files

    names = [CompletionItem(name) for name in sorted(suite_files()) if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of methods, data sets, metrics and suites."""
    from spcabench.suite.load import suite_files

    registry = registry_of(ctx)
    names = [*registry.methods, *registry.datasets, *registry.metrics, *suite_files()]
    return [CompletionItem(name) for name in sorted(set(names)) if name.startswith(incomplete)]


def suite_argument(function: F) -> F:
    """Take a suite, by name or path."""
    return click.argument("suite", shell_complete=complete_suite)(function)


def setting_option(function: F) -> F:
    """Take overrides of the suite."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="Override a value of the suite, e.g. n_components=10, limits.time=60, datasets.0.params.n=100 or "
        "methods.rspca.params.p=0 (an entry by index, label or name); may be repeated.",
    )(function)


def complete_scale(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the scales of the suite that is named before."""
    from spcabench.errors import InputError
    from spcabench.suite.load import suite_scales

    left = [*ctx.args, ""]  # an option without its value leaves the arguments unparsed
    try:
        scales = suite_scales(ctx.params.get("suite") or left[0])
    except InputError:
        return []
    return [CompletionItem(scale) for scale in scales if scale.startswith(incomplete)]


def scale_option(function: F) -> F:
    """Take the scale of the suite, as the argument ``scale``."""

    @click.option(
        "--scale",
        default="default",
        metavar="NAME",
        shell_complete=complete_scale,
        help="A scale that the suite declares, such as quick or full; what --set says comes after it.  "
        "[default: the suite as written]",
    )
    @click.option(
        "--quick",
        is_flag=True,
        help="Short for --scale quick.  Where a suite declares no quick scale, its default form is the quick one.",
    )
    @functools.wraps(function)
    def with_scale(*args: Any, scale: str, quick: bool, **others: Any) -> Any:
        if quick and scale != "default":
            raise click.UsageError("--quick and --scale exclude each other")
        return function(*args, scale="quick" if quick else scale, **others)

    return cast(F, with_scale)


def choice_options(function: F) -> F:
    """Take patterns of the methods and data sets that are meant, as the arguments ``only`` and ``skip``."""
    only = click.option(
        "--only", multiple=True, metavar="PATTERN", help="Only methods or data sets of that label; repeatable."
    )
    skip = click.option(
        "--skip", multiple=True, metavar="PATTERN", help="Not methods or data sets of that label; repeatable."
    )
    return only(skip(function))


def output_option(function: F) -> F:
    """Take the folder of the run."""
    return click.option(
        "--output",
        "-o",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="The run's folder.  [default: reports/SUITE, of a scale reports/SUITE-SCALE]",
    )(function)


def folder_of(loaded: Loaded, output: Path | None) -> RunFolder:
    """Return the folder of a run of a suite, at its scale."""
    from spcabench.store.folder import RunFolder

    return RunFolder(output if output is not None else Path("reports") / loaded.run_name)


def existing_run(target: str, registry: Registry) -> tuple[Loaded, RunFolder]:
    """Return the run named by its folder or by its suite's name.

    Raises
    ------
    InputError
        If there is none.
    """
    from spcabench.errors import Fault, InputError
    from spcabench.parameters import unknown_name
    from spcabench.store.folder import RunFolder

    places = [Path(target)]
    if places[0].name == target and not places[0].is_dir():
        places.append(Path("reports") / target.removesuffix(".yaml"))
    for path in places:
        folder = RunFolder(path)
        if path.is_dir() and folder.suite_file.is_file():
            return _as_run(folder, registry), folder
    known = [file.parent.name for file in Path("reports").glob("*/suite.yaml")]
    raise InputError(Fault(f"no run there; runs in reports{unknown_name(target, known)}", target))


def _as_run(folder: RunFolder, registry: Registry) -> Loaded:
    """Read the suite of a run; where it cannot be read, name the plugins of the run that are not loaded."""
    from spcabench.errors import Fault, InputError
    from spcabench.suite.load import load_resolved

    try:
        return load_resolved(folder.suite_file, registry)
    except InputError as error:
        kept = (folder.read_json("run.json") or {}).get("environment", {})
        files = [name.removeprefix("plugin ") for name in kept if name.startswith("plugin ")]
        loaded = {plugin.origin for plugin in registry.plugins}
        options = " ".join(f"--plugin {file}" for file in files if file not in loaded)
        hint = [Fault(f"this run was made with {options}", str(folder.path))] if options else []
        raise InputError([*error.faults, *hint]) from error


def results_of(loaded: Loaded, folder: RunFolder, registry: Registry) -> Results:
    """Gather what a report is made from."""
    from spcabench.report.model import Results
    from spcabench.store.frame import results_frame

    about = folder.read_json("run.json") or {}
    return Results(
        suite=loaded.suite,
        folder=folder,
        frame=results_frame(folder, loaded.plan),
        metrics={entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics},
        command=str(about.get("command", "")),
        form=form_of(about),
        about=about.get("environment", {}),
    )


def form_of(about: Mapping[str, Any]) -> str:
    """Describe the scale of a run and what was set in it, from its ``run.json``; nothing where that does not say it."""
    if "scale" not in about:
        return ""
    settings = about.get("settings")
    return f"{about['scale']} scale" + (f", with {', '.join(settings)}" if settings else "")


def execute(ctx: click.Context, loaded: Loaded, folder: RunFolder, registry: Registry, options: Options) -> None:
    """Run, make the report, show the main table, and set the exit code."""
    from spcabench.report.build import write
    from spcabench.report.document import document
    from spcabench.report.render.terminal import MainTable
    from spcabench.run.host import run
    from spcabench.run.progress import listener
    from spcabench.store.record import FAILED

    with listener() as tell:
        run(loaded.suite, loaded.plan, registry, folder, options, tell)
    results = results_of(loaded, folder, registry)
    report = document(results)
    page = write(report, folder)
    _show(MainTable(report))
    click.echo(f"report: {page}, {page.with_suffix('.html').name}")
    if results.frame["status"].isin(FAILED).any():
        ctx.exit(1)


def _show(table: object) -> None:
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> None:
    """Print a plain table."""
    from tabulate import tabulate

    click.echo(tabulate(rows, headers=headers, disable_numparse=True))
