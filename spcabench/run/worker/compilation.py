"""In a worker that has numba: call back when it begins to compile, and when it has."""

from __future__ import annotations

from collections.abc import Callable

from numba.core import event

LOCK = "numba:compiler_lock"
"""numba holds it while it compiles a function, or loads it from its cache."""


class _Calls(event.Listener):
    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin, self._end = begin, end

    def on_start(self, _: object) -> None:
        self._begin()

    def on_end(self, _: object) -> None:
        self._end()


def watch(begin: Callable[[], None], end: Callable[[], None]) -> Callable[[], None]:
    """Call back at each begin and end of a compilation, which may nest; return what ends that."""
    listener = _Calls(begin, end)
    event.register(LOCK, listener)  # type: ignore[no-untyped-call]
    return lambda: event.unregister(LOCK, listener)  # type: ignore[no-untyped-call]
