"""Plain tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.cli.show import show


def table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> None:
    """Print a plain table."""
    from tabulate import tabulate

    show(tabulate(rows, headers=headers, disable_numparse=True))
