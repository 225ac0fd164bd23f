"""The verb completion."""

from __future__ import annotations

import click

from spcabench.cli.show import show


@click.command("completion", epilog='Example: eval "$(spcabench completion bash)"')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands, suites and methods."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    show(found(ctx.find_root().command, {}, "spcabench", "_SPCABENCH_COMPLETE").source())
