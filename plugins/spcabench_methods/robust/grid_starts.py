"""The starts of the search on a grid, in the coordinates of the orthogonal complement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.starts import Starts

if TYPE_CHECKING:
    from spcabench_methods.robust.complement import Complement


def coordinates(starts: Starts, rest: Complement, j: int) -> list[Array]:
    """Return the unit vectors of coordinates from which component j starts, counted from 0."""
    d = rest.basis.normals.shape[1]
    if starts.given is not None:
        return [rest.coordinates(starts.given[j])]
    if starts.word == "random":
        return [rest.coordinates(w) for w in starts.random.standard_normal((starts.n_init, d))]
    if starts.word == "ones":
        return [rest.coordinates(np.ones(d))]
    if starts.word == "pca":
        leading = rest.leading()
        return [leading if leading.any() else rest.peak()]
    return [rest.peak()]
