"""Warnings and progress on the terminal, apart from what a command is asked for."""

from __future__ import annotations

import click

from spcabench.printable import printable


def warn(text: str) -> None:
    """Print a warning to standard error."""
    click.echo(click.style("warning: ", fg="yellow", bold=True) + printable(text), err=True)


def say(text: str) -> None:
    """Print how far a command is to standard error."""
    click.echo(printable(text), err=True)
