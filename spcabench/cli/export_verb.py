"""The verb export."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from spcabench.cli.shared import output_option, registry_of, run_argument
from spcabench.cli.terminal import show
from spcabench.report.find_run import existing_run, gathered

FORMATS = ("csv", "parquet", "json")
"""What the name of a file ends in."""


@click.command(
    "export",
    epilog="Examples: spcabench export mnist_outlier -o results.csv; spcabench export cop_pitprops --loadings -o -",
)
@run_argument
@output_option(
    "FILE",
    f"The file to write, which ends in {', '.join(FORMATS)}; - is standard output, as CSV.",
    required=True,
    dir_okay=False,
    allow_dash=True,
)
@click.option(
    "--loadings",
    is_flag=True,
    help="Write the loadings instead: a row per nonzero, with component, feature and value.",
)
@click.pass_context
def command(ctx: click.Context, run: str, output: Path, loadings: bool) -> None:
    """Write the results of RUN (a run's folder, or its suite's name): a row per cell."""
    from spcabench.report.export import EXPORTS, LOADINGS
    from spcabench.store.files import write_bytes
    from spcabench.wording import Fault, InputError, Unwritable

    is_printed = str(output) == "-"
    exports = LOADINGS if loadings else EXPORTS
    wanted = "csv" if is_printed else output.suffix.lower().removeprefix(".")
    if wanted not in exports:
        raise click.UsageError(f"{output}: ends in none of {', '.join(f'.{form}' for form in FORMATS)}")
    registry = registry_of(ctx)
    content = exports[wanted](gathered(*existing_run(run, registry), registry))
    if is_printed:
        sys.stdout.buffer.write(content)
        return
    try:
        write_bytes(output, content)
    except Unwritable as error:
        raise InputError(Fault(f"the export cannot be written: {error.__cause__}", str(output))) from error
    show(f"{wanted}: {output}")
