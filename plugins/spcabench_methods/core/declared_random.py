"""The declaration of the parameter ``random_state``.  The pages of the families import it: keep it light."""

from __future__ import annotations

from spcabench import NOTHING, Either, Parameter, Whole


class Source:
    """An object that draws random numbers."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` draws normal numbers."""
        return callable(getattr(value, "standard_normal", None))

    def __str__(self) -> str:
        return "a numpy.random.RandomState or Generator"


_SOURCES = Either(NOTHING, Whole(0, 2**32 - 1), Source())
"""The global state, a seed, or an object that draws."""


def random_state(use: str) -> Parameter:
    """Declare ``random_state`` and what it is used for."""
    return Parameter(None, _SOURCES, use)
