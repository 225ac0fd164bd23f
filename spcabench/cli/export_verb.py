"""The verb export."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.cli import common

FORMATS = ("csv", "parquet", "json", "latex")


@click.command("export", epilog="Example: spcabench export mnist_outlier --format csv -o results.csv")
@click.argument("run", metavar="RUN", shell_complete=common.complete_suite)
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv", show_default=True, help="What to write.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="The file to write.",
)
@click.pass_context
def command(ctx: click.Context, run: str, form: str, output: Path) -> None:
    """Write the results of RUN (a run's folder, or its suite's name): a row per cell, or the main table in LaTeX."""
    from spcabench.errors import Fault, InputError
    from spcabench.report.export import EXPORTS
    from spcabench.store.files import write_bytes

    registry = common.registry_of(ctx)
    loaded, folder = common.existing_run(run, registry)
    content = EXPORTS[form](common.results_of(loaded, folder, registry))
    try:
        write_bytes(output, content)
    except OSError as error:
        raise InputError(Fault(f"cannot be written: {error.strerror}", str(output))) from error
    click.echo(f"{form}: {output}")
