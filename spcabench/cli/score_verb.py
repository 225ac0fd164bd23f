"""The verb score."""

from __future__ import annotations

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.execute import execute
from spcabench.cli.registry import registry_of


@click.command("score", epilog="Example: spcabench score reports/mnist_outlier")
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.pass_context
def command(ctx: click.Context, run: str) -> None:
    """Compute the metrics of RUN (a run's folder, or its suite's name) anew from its loadings; nothing is fitted."""
    from spcabench.plugins import plugin_files
    from spcabench.run.options import Options

    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    plugins = plugin_files(ctx.find_root().obj or ())
    execute(ctx, loaded, folder, registry, Options(rescore=True, plugins=plugins))
