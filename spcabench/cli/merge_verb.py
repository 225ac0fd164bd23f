"""The verb merge."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.show import show


@click.command(
    "merge",
    epilog="Example: spcabench merge submissions/my_method --into reports/leaderboard.  Exit codes: 0 all were merged, "
    "2 something is wrong and none was.",
)
@click.argument(
    "submissions", metavar="SUBMISSION...", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False)
)
@click.option("--into", "run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@click.pass_context
def command(ctx: click.Context, submissions: tuple[Path, ...], run: str) -> None:
    """Check each SUBMISSION, a folder that spcabench submit wrote, and add its records to RUN; nothing is fitted.

    The single-file plugins of the submissions are imported, so read them first.  Data, versions, limits, code, metrics
    and the class of the machine must be those of RUN, and the method must have kept its promises.  Some metrics are
    computed again from the loadings.  Times of another processor are multiplied by the ratio of the reference fits.
    """
    from spcabench.plugins import load_registry, plugin_files
    from spcabench.submission.manifest import read_manifest
    from spcabench.submission.merge import merge, plugin_file

    read = [(path, read_manifest(path)) for path in submissions]
    files = [str(file) for path, manifest in read if (file := plugin_file(path, manifest))]
    registry = load_registry(plugin_files([*(ctx.find_root().obj or ()), *files]))
    for taken in merge(read, *existing_run(run, registry), registry):
        times = "" if taken.factor == 1 else f"; times are multiplied by {taken.factor:.3g}"
        show(f"{taken.method}: {taken.records} records merged into {run}{times}")
    options = "".join(f" --plugin {file}" for file in files)
    show(f"to make the site: spcabench site {run}{options} --output site")
