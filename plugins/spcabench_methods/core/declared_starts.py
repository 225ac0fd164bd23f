"""The declaration of the start of a method.  The pages of the families import it: keep it light."""

from __future__ import annotations

from spcabench import Either, ListOf, Number, OneOf, Parameter, Whole
from spcabench_methods.core.declared_random import random_state

STARTS = ("ones", "pca", "max_variance", "random")
"""The words for a start that every method with a start takes; `spcabench_methods.core.starts` defines them."""

SEVERAL = "several: the best end of two features with large rows of S and of the leading eigenvector"

N_INIT = Parameter(1, Whole(1), "how many random starts, of which the best end is kept")
RANDOM_STATE = random_state("for random starts")


class Vectors:
    """Starts as numbers: one vector, or a row for each component."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` is a list or array of finite numbers, of one axis or two."""
        return any(valid.accepts(value) for valid in (ListOf(Number()), ListOf(ListOf(Number()))))

    def __str__(self) -> str:
        return "a vector of finite numbers, or a list of them"


def start(default: str, *others: str, words: str = "") -> Parameter:
    """Declare the parameter that chooses the start.

    Parameters
    ----------
    default : str
        The published start.
    *others : str
        Words that the method takes beside `STARTS`.
    words : str
        What `default` and `others` mean, if they are not among `STARTS`.
    """
    options = dict.fromkeys([default, *STARTS, *others])
    meaning = "the start: equal entries, the leading eigenvector, the feature of largest variance, random, or vectors"
    return Parameter(
        default,
        Either(OneOf(*options), Vectors()),
        f"{meaning}; {words}" if words else meaning,
    )


def starts(default: str, *others: str, words: str = "") -> dict[str, Parameter]:
    """Declare the parameters of a start: which one, and how many random ones from which random numbers."""
    return {"init": start(default, *others, words=words), "n_init": N_INIT, "random_state": RANDOM_STATE}
