"""The scheme of most methods: find one component, remove it from the data, find the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from spcabench_methods.core.base import Component
from spcabench_methods.core.moments import Array, SecondMoments


def by_projection(
    moments: SecondMoments, find: Callable[[SecondMoments, int], Component], n_components: int
) -> Iterator[Component]:
    """Find components one after another, each in what projection deflation P S P, P = I - w w', left.

    Parameters
    ----------
    moments : SecondMoments
        Not changed.
    find : callable
        ``find(rest, j)`` gives component j, counted from 0.
    n_components : int
        How many; once nothing is left to explain, components are zero.

    Yields
    ------
    Component
    """
    rest = moments.copy()
    for j in range(n_components):
        if rest.exhausted:
            yield Component(np.zeros(rest.n_features), objective=0.0, n_iter=0)
            continue
        component = find(rest, j)
        yield component
        if component.loading.any():
            rest.deflate(component.loading)


def deflate_samples(X: Array, w: Array) -> None:
    """Turn X into X - (X w) w' in place; only the columns in the support of w change."""
    support = np.flatnonzero(w)
    X[:, support] -= np.outer(X @ w, w[support])


def refitted(moments: SecondMoments, component: Component) -> Component:
    """Replace the loading by the leading eigenvector on its support, which never explains less."""
    support = np.flatnonzero(component.loading)
    return component._replace(loading=moments.leading(support)) if len(support) else component
