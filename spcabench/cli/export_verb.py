"""The verb export."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.execute import results_of
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show

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
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.option("--format", "form", type=click.Choice(FORMATS), help="What to write.  [default: as FILE ends]")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    required=True,
    metavar="FILE",
    help="The file to write; - is standard output.",
)
@click.option(
    "--loadings",
    is_flag=True,
    help="Write the loadings instead: a row per nonzero, with component, feature and value.",
)
@click.pass_context
def command(ctx: click.Context, run: str, form: str | None, output: Path, loadings: bool) -> None:
    """Write the results of RUN (a run's folder, or its suite's name): a row per cell, or the main table in LaTeX."""
    from spcabench.errors import Fault, InputError, Unwritable
    from spcabench.report.export import EXPORTS, LOADINGS
    from spcabench.store.files import write_bytes

    wanted = _format(form, output)
    exports = LOADINGS if loadings else EXPORTS
    if wanted not in exports:
        raise click.UsageError(f"loadings are written as {', '.join(exports)}, not as {wanted}")
    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    content = exports[wanted](results_of(loaded, folder, registry))
    if str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        write_bytes(output, content)
    except Unwritable as error:
        raise InputError(Fault(f"the export cannot be written: {error.__cause__}", str(output))) from error
    show(f"{wanted}: {output}")
