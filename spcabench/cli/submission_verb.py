"""The verb submission: a method's results as a folder, and such folders added to a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, files_of, jobs_option, output_option, registry_of
from spcabench.cli.terminal import say, show
from spcabench.report.find_run import existing_run

if TYPE_CHECKING:
    from spcabench.check.subjects import Finding
    from spcabench.plugins import Registry

_FOLDER: click.Path[Path] = click.Path(path_type=Path, file_okay=False)


@click.group("submission", epilog="Example: spcabench submission merge submissions/my_method --into leaderboard")
def submission_verb() -> None:
    """Write a method's results as a folder that a pull request adds, or merge such folders into a run."""


def _findings(files: Sequence[Path], registry: Registry, name: str) -> list[Finding]:
    """Try what a method promises, each promise in a process of its own."""
    from spcabench.check.isolated import workers
    from spcabench.check.subjects import subjects

    say(f"checking {name}")
    (subject,) = (one for one in subjects(name, registry) if one.kind == "method")
    with workers(files, [subject]) as find:
        return list(subject.findings(find))


@submission_verb.command(
    epilog="Example: spcabench submission write my_method --plugin my_method.py --run reports/leaderboard "
    "--output submissions/my_method",
)
@click.argument("method", metavar="NAME", shell_complete=complete_name)
@click.option("--run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@output_option("FOLDER", "Where to write; the folder must not be there, or be empty.", required=True, file_okay=False)
@click.pass_context
def write(ctx: click.Context, method: str, run: str, output: Path) -> None:
    """Write what others need to judge the method with the label NAME, whose cells RUN has.

    The folder has its specification, machine and versions, records and loadings, the file of a single-file plugin, and
    a README.  A promise that spcabench check finds broken is an error.
    """
    from spcabench.submission.write import results_of, submit

    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    entry, results = results_of(method, loaded, folder)
    submit(entry, results, _findings(files_of(ctx), registry, entry.name), loaded, folder, registry, output)
    show(f"submission: {output}, {len(results)} records")


@submission_verb.command(
    epilog="Example: spcabench submission merge submissions/my_method --into reports/leaderboard.  "
    "Exit codes: 0 all were merged, 2 something is wrong and none was.",
)
@click.argument("submissions", metavar="FOLDER...", nargs=-1, required=True, type=_FOLDER)
@click.option("--into", "run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@jobs_option
@click.pass_context
def merge(ctx: click.Context, submissions: tuple[Path, ...], run: str, jobs: int) -> None:
    """Try each FOLDER that spcabench submission write wrote, and add its method to RUN.

    The single-file plugins of the submissions are imported, so read them first.  The promises of each method are tried,
    and all its cells are fitted again: what was fitted here counts, and nothing that was submitted.
    """
    from functools import partial

    from spcabench.plugins import load_registry, plugin_files
    from spcabench.run.options import Options
    from spcabench.run.progress import listener
    from spcabench.submission.manifest import plugin_file, read_manifest
    from spcabench.submission.merge import merge as merged

    read = [(path, read_manifest(path)) for path in submissions]
    files = [str(file) for path, manifest in read if (file := plugin_file(path, manifest))]
    plugins = plugin_files([*(ctx.find_root().obj or ()), *files])
    registry = load_registry(plugins)
    options = Options(jobs=jobs, plugins=plugins)
    with listener() as tell:
        found = merged(
            read, *existing_run(run, registry), registry, options, partial(_findings, plugins, registry), tell
        )
    for trial in found:
        show(f"{trial.manifest.method}, merged into {run}: {trial}")
    named = "".join(f" --plugin {file}" for file in files)
    show(f"to make the site: spcabench site {run}{named} --output site")
