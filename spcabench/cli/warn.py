"""Warnings on the terminal."""

from __future__ import annotations

import click


def warn(text: str) -> None:
    """Print a warning to standard error."""
    click.echo(click.style("warning: ", fg="yellow", bold=True) + text, err=True)
