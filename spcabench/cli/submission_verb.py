"""The verb submission: a method's results as a folder, and such folders added to a run."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.cli.shared import complete_name, files_of, output_option, registry_of
from spcabench.cli.terminal import say, show
from spcabench.report.find_run import existing_run

_FOLDER: click.Path[Path] = click.Path(path_type=Path, file_okay=False)


@click.group("submission", epilog="Example: spcabench submission merge submissions/my_method --into leaderboard")
def command() -> None:
    """Write a method's results as a folder that a pull request adds, or merge such folders into a run."""


@command.command(
    epilog="Example: spcabench submission write my_method --plugin my_method.py --run reports/leaderboard "
    "--output submissions/my_method",
)
@click.argument("method", metavar="NAME", shell_complete=complete_name)
@click.option("--run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@output_option("FOLDER", "Where to write; the folder must not be there, or be empty.", required=True, file_okay=False)
@click.pass_context
def write(ctx: click.Context, method: str, run: str, output: Path) -> None:
    """Write what others need to judge the method with the label NAME, whose cells RUN has.

    The folder has its specification, machine and versions, records and loadings, licence, what spcabench check finds,
    the file of a single-file plugin, and a README.  A plugin names its licence: a file in a line such as
    "# SPDX-License-Identifier: BSD-3-Clause", a package in its pyproject.toml.
    """
    from spcabench.check.isolated import workers
    from spcabench.check.subjects import subjects
    from spcabench.submission.write import results_of, submit

    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    entry, results = results_of(method, loaded, folder)
    say(f"checking {entry.name}")
    (subject,) = (one for one in subjects(entry.name, registry) if one.kind == "method")
    with workers(files_of(ctx), [subject]) as find:
        findings = list(subject.findings(find))
    submit(entry, results, findings, loaded, folder, registry, output)
    show(f"submission: {output}, {len(results)} records")


@command.command(
    epilog="Example: spcabench submission merge submissions/my_method --into reports/leaderboard.  "
    "Exit codes: 0 all were merged, 2 something is wrong and none was.",
)
@click.argument("submissions", metavar="FOLDER...", nargs=-1, required=True, type=_FOLDER)
@click.option("--into", "run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@click.pass_context
def merge(ctx: click.Context, submissions: tuple[Path, ...], run: str) -> None:
    """Check each FOLDER that spcabench submission write wrote, and add its records to RUN; nothing is fitted.

    The single-file plugins of the submissions are imported, so read them first.  Data, versions, limits, code, metrics
    and the class of the machine must be those of RUN, and the method must have kept its promises.  Some metrics are
    computed again from the loadings.  Times of another processor are multiplied by the ratio of the reference fits.
    """
    from spcabench.plugins import load_registry, plugin_files
    from spcabench.submission.manifest import read_manifest
    from spcabench.submission.merge import merge as merged
    from spcabench.submission.merge import plugin_file

    read = [(path, read_manifest(path)) for path in submissions]
    files = [str(file) for path, manifest in read if (file := plugin_file(path, manifest))]
    registry = load_registry(plugin_files([*(ctx.find_root().obj or ()), *files]))
    for taken in merged(read, *existing_run(run, registry), registry):
        times = "" if taken.factor == 1 else f"; times are multiplied by {taken.factor:.3g}"
        show(f"{taken.method}: {taken.records} records merged into {run}{times}")
    options = "".join(f" --plugin {file}" for file in files)
    show(f"to make the site: spcabench site {run}{options} --output site")
