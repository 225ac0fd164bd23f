"""In a worker, or in the host where there is none: whether an interrupt is the user's."""

from __future__ import annotations

import signal


def by_user(error: BaseException) -> bool:
    """Return whether an error is the user's Ctrl-C; where that does not arrive, the method has raised it."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is signal.default_int_handler
