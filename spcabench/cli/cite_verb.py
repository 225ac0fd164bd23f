"""The verb cite."""

from __future__ import annotations

import click

from spcabench.cli.shared import registry_of, run_argument
from spcabench.cli.terminal import show
from spcabench.report.find_run import existing_run


@click.command("cite", epilog="Examples: spcabench cite mnist_outlier; spcabench cite pitprops > methods.bib")
@run_argument
@click.pass_context
def command(ctx: click.Context, run: str) -> None:
    """Print the BibTeX entries of spcabench and of the methods of RUN (a run's folder, or its suite's name)."""
    from spcabench.report.bibliography import SOFTWARE, cited, known_entries, written

    registry = registry_of(ctx)
    loaded, _ = existing_run(run, registry)
    methods = {cell.method.spec.name: cell.method.spec for cell in loaded.plan.cells if not cell.skip}
    known = known_entries(registry.methods.specs.values())
    parts = [written("spcabench", **SOFTWARE)]
    parts += [f"% {', '.join(names)}\n{entry}" for entry, names in cited(methods.values(), known).items()]
    parts += [f"% {name} names no source" for name, spec in methods.items() if not spec.reference]
    show("\n\n".join(parts))
