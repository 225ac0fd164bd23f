"""The registry that a verb works with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from spcabench.plugins import Registry


def registry_of(ctx: click.Context) -> Registry:
    """Load the registry with the plugin files named on the command line."""
    from spcabench.plugins import load_registry, plugin_files

    return load_registry(plugin_files(ctx.find_root().obj or ()))
