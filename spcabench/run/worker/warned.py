"""In a worker: what a method warns of, kept in bounded memory."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

from spcabench import wording

MOST = 20
"""Different warnings that are kept."""


class Warned:
    """The first different warnings, how many came after them, and whether one was of no convergence."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all."""
        self._texts: set[str] = set()
        self._more = 0
        self.unconverged = False

    @property
    def texts(self) -> tuple[str, ...]:
        """Each kept warning in words, sorted, and last how many more there were."""
        more = (f"{self._more} more warnings",) if self._more else ()
        return (*sorted(self._texts), *more)

    def hear(self, message: Any, category: Any, *_: object, **__: object) -> None:
        """Take a warning in; stands for `warnings.showwarning`."""
        self.unconverged |= getattr(category, "__name__", "") == "ConvergenceWarning"
        if len(self._texts) < MOST:
            self._texts.add(wording.of_error(message))
        else:
            self._more += wording.of_error(message) not in self._texts


@contextlib.contextmanager
def listening() -> Iterator[Warned]:
    """Hear every warning, and show none."""
    warned = Warned()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = warned.hear
        yield warned
