"""What the shell completes: suites, names and scales."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from spcabench.cli.registry import registry_of


def complete_suite(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of suites, and files."""
    from spcabench.suite.load import suite_files

    names = [CompletionItem(name) for name in sorted(suite_files()) if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of methods, data sets, metrics and suites."""
    from spcabench.suite.load import suite_files

    registry = registry_of(ctx)
    names = [*registry.methods, *registry.datasets, *registry.metrics, *suite_files()]
    return [CompletionItem(name) for name in sorted(set(names)) if name.startswith(incomplete)]


def complete_scale(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the scales of the suite earlier on the command line."""
    from spcabench.errors import InputError
    from spcabench.suite.load import suite_scales

    left = [*ctx.args, ""]  # an option without its value leaves the arguments unparsed
    try:
        scales = suite_scales(ctx.params.get("suite") or left[0])
    except InputError:
        return []
    return [CompletionItem(scale) for scale in scales if scale.startswith(incomplete)]
