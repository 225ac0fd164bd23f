"""The scheme of most methods: find one component, remove it from the data, find the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.moments import SecondMoments

NEGLIGIBLE = 1e-10
"""A loading is in the span of earlier ones if its part orthogonal to them is shorter than this."""


def by_deflation(
    moments: SecondMoments,
    find: Callable[[SecondMoments, int], Component],
    n_components: int,
    deflation: str = "projection",
) -> Iterator[Component]:
    """Find components one after another, each after the deflation of those before it.

    Parameters
    ----------
    moments : SecondMoments
        Not changed.
    find : callable
        ``find(rest, j)`` returns component j, counted from 0.
    n_components : int
        How many components; they are zero once nothing is left to explain.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What S becomes after a loading w:

        - "projection": P S P with P = I - w w', no variance along w;
        - "schur": S - S w w'S / w'Sw, the Schur complement, no variance that the score of w explains linearly;
        - "gsd": P S P with P = I - q q' and q the part of w orthogonal to earlier loadings, scaled to unit length
          (Gram-Schmidt), no variance in the span of the loadings.  The same as "projection" if loadings are
          orthogonal.

        Each leaves S positive semidefinite (Mackey 2008, Deflation methods for sparse PCA, sections 3 and 4).

    Yields
    ------
    Component
    """
    rest = moments.copy() if n_components > 1 else moments
    remove = SCHEMES[deflation](rest)
    for j in range(n_components):
        if rest.exhausted:
            yield Component(np.zeros(rest.n_features), objective=0.0, n_iter=0)
            continue
        component = find(rest, j)
        yield component
        if j + 1 < n_components and component.loading.any():
            remove(component.loading)


Removal = Callable[[Array], None]


def projection(rest: SecondMoments) -> Removal:
    """Remove the direction of each loading."""
    return rest.deflate


def schur_complement(rest: SecondMoments) -> Removal:
    """Remove what the score of each loading explains."""
    return rest.deflate_score


def orthogonalised_projection(rest: SecondMoments) -> Removal:
    """Remove the direction, if any, in which each loading extends the span of earlier loadings."""
    basis = np.empty((rest.n_features, 0))

    def remove(w: Array) -> None:
        nonlocal basis
        part = new_part(w, basis)
        if np.linalg.norm(part) > NEGLIGIBLE:
            # Orthogonalise twice: the rounding errors of the first time are relative to w, not to its part.
            q = unit(new_part(unit(part), basis))
            rest.deflate(q)
            basis = np.column_stack([basis, q])

    return remove


SCHEMES: dict[str, Callable[[SecondMoments], Removal]] = {
    "projection": projection,
    "schur": schur_complement,
    "gsd": orthogonalised_projection,
}


def new_part(w: Array, basis: Array) -> Array:
    """Return the part of w that is orthogonal to the orthonormal columns of `basis`."""
    return np.asarray(w - basis @ (basis.T @ w))


def refitted(moments: SecondMoments, component: Component) -> Component:
    """Replace the loading by the leading eigenvector on its support, which never explains less."""
    support = np.flatnonzero(component.loading)
    return component._replace(loading=moments.leading(support)) if len(support) else component
