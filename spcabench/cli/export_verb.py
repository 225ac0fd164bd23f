"""The verb export."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from spcabench.cli.shared import output_option, registry_of, run_argument
from spcabench.cli.terminal import show, write_file
from spcabench.report.find_run import existing_run, gathered

FORMATS = ("csv", "parquet", "json", "latex")

SUFFIXES = {".csv": "csv", ".parquet": "parquet", ".json": "json", ".tex": "latex"}
"""The format of a file, by the end of its name."""


def _format(form: str | None, output: Path) -> str:
    """Return the format that was asked for, or that of the file's name; standard output is CSV."""
    named = SUFFIXES.get(output.suffix.lower())
    if str(output) == "-":
        return form or "csv"
    if named is None and (output.suffix or form is None):
        raise click.UsageError(f"{output}: ends in none of {', '.join(SUFFIXES)}")
    if form and named and form != named:
        raise click.UsageError(f"--format {form} and a file that ends in {output.suffix} exclude each other")
    return form or str(named)


@click.command(
    "export",
    epilog="Examples: spcabench export mnist_outlier -o results.csv; spcabench export cop_pitprops --loadings -o -",
)
@run_argument
@click.option("--format", "form", type=click.Choice(FORMATS), help="What to write.  [default: as FILE ends]")
@output_option("FILE", "The file to write; - is standard output.", required=True, dir_okay=False, allow_dash=True)
@click.option(
    "--loadings",
    is_flag=True,
    help="Write the loadings instead: a row per nonzero, with component, feature and value.",
)
@click.pass_context
def command(ctx: click.Context, run: str, form: str | None, output: Path, loadings: bool) -> None:
    """Write the results of RUN (a run's folder, or its suite's name): a row per cell, or the main table in LaTeX."""
    from spcabench.report.export import EXPORTS, LOADINGS

    wanted = _format(form, output)
    exports = LOADINGS if loadings else EXPORTS
    if wanted not in exports:
        raise click.UsageError(f"loadings are written as {', '.join(exports)}, not as {wanted}")
    registry = registry_of(ctx)
    content = exports[wanted](gathered(*existing_run(run, registry), registry))
    if str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    write_file(output, content, "the export")
    show(f"{wanted}: {output}")
