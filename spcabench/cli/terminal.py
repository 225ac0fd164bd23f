"""What a command prints: what it is asked for, how far it is, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from spcabench.wording import printable


def show(text: str = "", nl: bool = True) -> None:
    """Print what is asked for to standard output, and end the line if `nl`."""
    click.echo(printable(text), nl=nl)


def say(text: str) -> None:
    """Print how far a command is to standard error."""
    click.echo(printable(text), err=True)


def warn(text: str) -> None:
    """Print a warning to standard error."""
    click.echo(click.style("warning: ", fg="yellow", bold=True) + printable(text), err=True)


def complain(text: str) -> None:
    """Print an error to standard error."""
    click.echo(click.style("error: ", fg="red", bold=True) + printable(text), err=True)


def table(rows: Sequence[Sequence[object]], headers: Sequence[str], form: str = "simple") -> None:
    """Print a plain table."""
    from tabulate import tabulate

    show(tabulate(rows, headers=headers, tablefmt=form, disable_numparse=True))


def write_file(file: Path, content: bytes, what: str) -> None:
    """Write a file that a command was asked for.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    from spcabench.store.files import write_bytes
    from spcabench.wording import Fault, InputError, Unwritable

    try:
        write_bytes(file, content)
    except Unwritable as error:
        raise InputError(Fault(f"{what} cannot be written: {error.__cause__}", str(file))) from error
