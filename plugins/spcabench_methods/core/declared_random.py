"""The declaration of the parameter ``random_state``.  The pages of the families import it: keep it light."""

from __future__ import annotations

from spcabench import Parameter, Whole

_SEED = Whole(0, 2**32 - 1)


class RandomState:
    """A source of random numbers: the global state, a seed, or an object that draws."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` is None, a seed, or draws normal numbers."""
        return value is None or _SEED.accepts(value) or callable(getattr(value, "standard_normal", None))

    def __str__(self) -> str:
        return f"None, {_SEED}, or a numpy.random.RandomState or Generator"


def random_state(use: str) -> Parameter:
    """Declare ``random_state`` and what it is used for."""
    return Parameter(None, RandomState(), use)
