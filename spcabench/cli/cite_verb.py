"""The verb cite."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show


@click.command("cite", epilog="Examples: spcabench cite mnist_outlier; spcabench cite pitprops -o methods.bib")
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write.  [default: standard output]",
)
@click.pass_context
def command(ctx: click.Context, run: str, output: Path | None) -> None:
    """Print the BibTeX entries of spcabench and of the methods of RUN (a run's folder, or its suite's name)."""
    from spcabench.bibliography import cited, known_entries, software
    from spcabench.errors import Fault, InputError, Unwritable
    from spcabench.store.files import write_bytes

    registry = registry_of(ctx)
    loaded, _ = existing_run(run, registry)
    methods = {cell.method.spec.name: cell.method.spec for cell in loaded.plan.cells if not cell.skip}
    known = known_entries(registry.methods.specs.values())
    parts = [software().text]
    parts += [f"% {', '.join(names)}\n{entry.text}" for entry, names in cited(methods.values(), known).items()]
    parts += [f"% {name} names no source" for name, spec in methods.items() if not spec.reference]
    text = "\n\n".join(parts)
    if output is None:
        show(text)
        return
    try:
        write_bytes(output, f"{text}\n".encode())
    except Unwritable as error:
        raise InputError(Fault(f"the entries cannot be written: {error.__cause__}", str(output))) from error
    show(f"BibTeX: {output}")
