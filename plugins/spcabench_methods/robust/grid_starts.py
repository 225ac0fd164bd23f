"""The starts of the search on a grid, in the coordinates of the orthogonal complement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import Data
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
        return [leading(rest)]
    return [rest.peak()]


def leading(rest: Complement) -> Array:
    """Return the coordinates of the leading eigenvector of the samples about their means."""
    found = Data(rest.samples.T - rest.samples.mean(axis=1)).principal(1)[1][:, 0]
    return found if found.any() else rest.peak()
