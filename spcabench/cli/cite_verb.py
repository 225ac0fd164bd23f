"""The verb cite."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.cli.shared import output_option, registry_of, run_argument
from spcabench.cli.terminal import show, write_file
from spcabench.report.find_run import existing_run


@click.command("cite", epilog="Examples: spcabench cite mnist_outlier; spcabench cite pitprops -o methods.bib")
@run_argument
@output_option("FILE", "The file to write.  [default: standard output]", dir_okay=False)
@click.pass_context
def command(ctx: click.Context, run: str, output: Path | None) -> None:
    """Print the BibTeX entries of spcabench and of the methods of RUN (a run's folder, or its suite's name)."""
    from spcabench.report.bibliography import cited, known_entries, software

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
    write_file(output, f"{text}\n".encode(), "the entries")
    show(f"BibTeX: {output}")
