"""Plain tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click


def table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> None:
    """Print a plain table."""
    from tabulate import tabulate

    click.echo(tabulate(rows, headers=headers, disable_numparse=True))
