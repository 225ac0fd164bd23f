"""The source of the random numbers of a method."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

RandomSource = np.random.RandomState | np.random.Generator


def random_source(random_state: Any) -> RandomSource:
    """Return an object that draws: a generator as it is, anything else by `sklearn.utils.check_random_state`.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        A seed from 0 to 2**32 - 1; an object, used in its present state; or None, the global state of numpy.

    Returns
    -------
    RandomState or Generator
    """
    source: RandomSource = (
        random_state if isinstance(random_state, np.random.Generator) else check_random_state(random_state)
    )
    return source
