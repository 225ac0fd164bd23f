"""What a command prints: what it is asked for, how far it is, and what is wrong."""

from __future__ import annotations

import errno
from collections.abc import Sequence

import click

from spcabench.wording import printable

LIMITS = {
    errno.EMFILE: "too many files are open; allow more with 'ulimit -n'",
    errno.ENFILE: "too many files are open on this machine; try again later",
    errno.ENOMEM: "there is too little memory; end other programs, or allow more with 'ulimit -v'",
    errno.EAGAIN: "no process can be started; end other programs, or allow more with 'ulimit -u'",
    errno.ENOSPC: "no space is left on the disk; make room",
    errno.EDQUOT: "the quota of the disk is used up; make room",
    errno.EFBIG: "files may not become so large; allow more with 'ulimit -f'",
    errno.EROFS: "the disk can only be read; write elsewhere",
    errno.EACCES: "permission is missing",
    errno.EIO: "the disk cannot be read or written",
}
"""What the machine or its owner may refuse, and the remedy."""


def refused(error: BaseException | None) -> str | None:
    """Return what the machine refused, if an error or one that it follows from says so, and the remedy."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, MemoryError):
            return LIMITS[errno.ENOMEM]
        if isinstance(error, OSError) and error.errno in LIMITS:
            return f"{error.filename}: {LIMITS[error.errno]}" if error.filename else LIMITS[error.errno]
        error = error.__cause__ or error.__context__
    return None


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


def table(rows: Sequence[Sequence[object]], headers: Sequence[str]) -> None:
    """Print a plain table."""
    from tabulate import tabulate

    show(tabulate(rows, headers=headers, disable_numparse=True))
