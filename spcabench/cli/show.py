"""What a command is asked for, on the terminal."""

from __future__ import annotations

import click

from spcabench.printable import printable


def show(text: str = "", nl: bool = True) -> None:
    """Print a text to standard output, and end the line if `nl`; see `spcabench.printable.printable`."""
    click.echo(printable(text), nl=nl)
