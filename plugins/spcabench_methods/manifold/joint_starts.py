"""What the methods of this family share: orthonormal starts, and components past the rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.blocks import Block, polar, smallest, unit_columns
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.starts import Started, Starts


def from_each_start(
    estimator: Started, moments: SecondMoments, descend: Callable[[Array], Block]
) -> Iterator[Component]:
    """Descend from each start of a block; yield the columns of the best end, scaled, and zeros past the rank of S.

    Parameters
    ----------
    estimator : Started
    moments : SecondMoments
    descend : callable
        ``descend(V)`` of a matrix of orthonormal columns.
    """
    values, vectors = moments.principal(estimator.n_components)
    rank = int(np.count_nonzero(values))
    if rank:
        blocks = Starts.of(estimator, moments.n_features).blocks(moments, vectors[:, :rank])
        best = smallest(descend(polar(V)) for V in blocks)
        for w, objective in zip(unit_columns(best.W).T, best.objectives, strict=True):
            yield Component(w, objective, best.n_iter, best.converged)
    nothing = Component(np.zeros(moments.n_features), objective=0.0, n_iter=0)
    yield from [nothing] * (estimator.n_components - rank)
