"""The solution paths of a run that go from dense loadings to a single nonzero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spcabench.report.figures.selection import feature_names, first_fits, n_features
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.traces import PathTable, paths_of

MOST_METHODS = 3
"""Methods beyond these are left out."""

NEARLY = 0.9
"""A path that starts with a smaller share of the features is not whole; some may not vary."""


@dataclass(frozen=True)
class Paths:
    """The whole paths of one fit, the first seed's.

    Parameters
    ----------
    label : str
        The data set and sparsity level.
    method : str
        Whose paths.
    stand_in : bool
        Whether another data set stood in.
    names : list of str
        What the features are called.
    of_component : dict of int to PathTable
        By component, counted from 0.
    groups : list of Group
        All that were to be fitted to the data set.
    """

    label: str
    method: str
    stand_in: bool
    names: list[str]
    of_component: dict[int, PathTable]
    groups: list[Group]


def whole_paths(results: Results) -> Iterator[Paths]:
    """Return the paths of the first methods, data set by data set, whose first path is whole."""
    for fits in first_fits(results):
        known = {method: paths_of(arrays) for method, arrays in fits.arrays.items()}
        whole = [method for method, paths in known.items() if 0 in paths and _whole(paths[0], n_features(fits))]
        for method in whole[:MOST_METHODS]:
            yield Paths(fits.label, method, fits.stand_in, feature_names(fits), known[method], fits.groups)


def _whole(path: PathTable, d: int) -> bool:
    """Return whether a path leads from nearly all of the features to one."""
    return bool(path.cardinality[-1] == 1 and path.cardinality[0] >= NEARLY * d and path.n_points > 1)
