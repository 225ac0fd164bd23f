"""The best loadings of which no two share a feature, where each has few supports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.certified.bounds import eigenvector_on, largest_eigenvalues
from spcabench_methods.core.arrays import Array, Indices

MOST_SEEN = 20_000
"""So many supports are looked at."""


def best_apart(S: Array, choices: Sequence[Indices], most: int = MOST_SEEN) -> Array:
    """Return the best loadings of which no two share a feature, as columns; zeros if no supports are apart.

    Supports are looked at in the order of what each reaches, as far as that can lead to something better; after
    `most` of them the best so far is returned.
    """
    reached = {id(one): largest_eigenvalues(S, one) for one in choices}
    orders = {key: np.argsort(-values, kind="stable") for key, values in reached.items()}
    falling = [reached[id(one)][orders[id(one)]] for one in choices]
    sets = [one[orders[id(one)]] for one in choices]
    best, seen = 0.0, 0
    found: list[int] = []

    def extend(chosen: list[int], used: NDArray[np.bool_], total: float) -> None:
        nonlocal best, found, seen
        j, seen = len(chosen), seen + 1
        if j == len(choices):
            best, found = total, chosen
            return
        start = chosen[-1] + 1 if j and choices[j] is choices[j - 1] else 0
        for place in start + np.flatnonzero(~used[sets[j][start:]].any(axis=1)):
            value = float(falling[j][place])
            others = sum(value if one is choices[j] else float(values[0]) for one, values in rest[j])
            if total + value + others <= best or seen > most:
                return
            inside = used.copy()
            inside[sets[j][place]] = True
            extend([*chosen, int(place)], inside, total + value)

    rest = [list(zip(choices[j + 1 :], falling[j + 1 :], strict=True)) for j in range(len(choices))]
    extend([], np.zeros(len(S), dtype=bool), 0.0)
    W = np.zeros((len(S), len(choices)))
    for j, place in enumerate(found):
        W[sets[j][place], j] = eigenvector_on(S, sets[j][place])
    return W
