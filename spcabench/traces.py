"""What a fit may leave beside its loadings: traces of convergence, and solution paths, thinned for the record.

Traces of convergence: what a fit costs and reaches after more and more iterations, up to its own limit.

The host makes the trace of a method from outside, by fits with capped iterations: see
`spcabench.run.worker.convergence`.

Solution paths: what a method may leave beside its loadings, thinned for the record.

A fitted estimator may have ``path_``: a list with one path, or None, for each component.  A path offers
``table(n_points, n_features)``, which returns a mapping of arrays about some of its iterates w, from dense to sparse:

- ``step``: how far along the path they are, shape (n_points,);
- ``cardinality``: their nonzeros, ``l1``: their l1 norm, ``l2_squared``: w'w, ``variance``: w'Sw, with the S in which
  the component was sought, all of shape (n_points,);
- ``features``: the indices of the features that are kept, shape (n_kept,);
- ``loadings``: the entries of w at these, shape (n_points, n_kept).

It returns at most as many points and features as the arguments ask for: those that say most, such as the points where
features leave, and the features that stay longest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.wording import in_a_line, of_error

N_POINTS, N_FEATURES = 200, 40
"""How much of a path a record keeps."""

PER_POINT = ("step", "cardinality", "l1", "l2_squared", "variance")


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The objective of a method against its iterations and seconds.

    Parameters
    ----------
    iterations : tuple of int
        The most iterations that a component had, rising.
    cpu_time, wall_time : tuple of float
        CPU and wall seconds of a fit with so many, initialisation included.
    objective : tuple of float
        The method's objective after it, summed over the components.
    reason : str
        Why the last objective is not the method's limit, or why there is none; empty if it is.
    """

    iterations: tuple[int, ...] = ()
    cpu_time: tuple[float, ...] = ()
    wall_time: tuple[float, ...] = ()
    objective: tuple[float, ...] = ()
    reason: str = ""

    @property
    def seconds(self) -> NDArray[np.float64]:
        """CPU seconds to each objective, shape (n_points,).

        Fewer iterations take no longer than more: where the clock shows it, it was disturbed, and the smaller counts.
        """
        return np.minimum.accumulate(np.asarray(self.cpu_time, dtype=np.float64)[::-1])[::-1]

    @property
    def distances(self) -> NDArray[np.float64]:
        """How far each objective is from the last, as a share of that, shape (n_points,)."""
        objective = np.asarray(self.objective, dtype=np.float64)
        off = np.abs(objective - objective[-1:])
        with np.errstate(divide="ignore"):
            return np.divide(off, np.abs(objective[-1:]), out=np.zeros_like(off), where=off > 0)


def time_to(trace: Trace, share: float) -> float:
    """Return the CPU seconds from which on the objective stays within a share of the limit.

    Parameters
    ----------
    trace : Trace
        Of a fit.
    share : float
        The largest relative distance to the limit.

    Returns
    -------
    float
        The time of the first point after the last one that is farther off; nan if the limit is not known.
    """
    if trace.reason or not trace.objective:
        return float("nan")
    (farther,) = np.nonzero(trace.distances > share)
    return float(trace.seconds[farther[-1] + 1 if len(farther) else 0])


@dataclass(frozen=True, eq=False)
class PathTable:
    """Some iterates w of a solution path, from dense to sparse.

    Parameters
    ----------
    step, cardinality, l1, l2_squared, variance : ndarray of shape (n_points,)
        How far along the path they are, their nonzeros, ||w||_1, w'w and w'Sw.
    features : ndarray of int, shape (n_kept,)
        The features that are kept.
    loadings : ndarray of shape (n_points, n_kept)
        The entries of w at these; signs as in the record's components: neighbours agree, the last is positive at its
        peak.
    """

    step: NDArray[np.float64]
    cardinality: NDArray[np.float64]
    l1: NDArray[np.float64]
    l2_squared: NDArray[np.float64]
    variance: NDArray[np.float64]
    features: NDArray[np.int64]
    loadings: NDArray[np.float32]

    @property
    def bound(self) -> NDArray[np.float64]:
        """The l1 norm of the iterates scaled to unit length: the t of the l1-bounded problem that they solve."""
        return np.asarray(self.l1 / np.sqrt(self.l2_squared))


def thinned_paths(estimator: Any, n_features: int) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Return what a record keeps of the paths of a fitted estimator.

    Parameters
    ----------
    estimator : object
        Fitted.  Without paths nothing is kept, and nothing is wrong.
    n_features : int
        Of the data.

    Returns
    -------
    arrays : dict of str to ndarray
        ``path0_step``, ``path0_loadings``, ... for component 0, 1, ...; see `paths_of`.
    faults : list of str
        What is wrong with paths that are left out.
    """
    arrays: dict[str, NDArray[Any]] = {}
    faults = []
    try:
        given = getattr(estimator, "path_", None)
        paths = list(given) if isinstance(given, Sequence) else []
    except Exception as error:  # whatever a method does, its loadings are kept
        return {}, [f"paths left out: {in_a_line(of_error(error))}"]
    for j, path in enumerate(paths):
        try:
            if callable(getattr(path, "table", None)):
                table = _checked(path.table(n_points=N_POINTS, n_features=N_FEATURES), n_features)
                arrays |= {f"path{j}_{name}": values for name, values in vars(table).items()}
        except Exception as error:  # as above
            faults.append(f"path of component {j + 1} left out: {in_a_line(of_error(error))}")
    return arrays, faults


def paths_of(arrays: Mapping[str, NDArray[Any]]) -> dict[int, PathTable]:
    """Return the paths that a record keeps, by component counted from 0."""
    kept = sorted(int(found[1]) for name in arrays if (found := re.fullmatch(r"path(\d+)_step", name)))
    return {j: PathTable(**{name: arrays[f"path{j}_{name}"] for name in PathTable.__annotations__}) for j in kept}


def _checked(table: Mapping[str, Any], n_features: int) -> PathTable:
    """Return a path from the table of a method, or raise what is wrong with it."""
    missing = [name for name in PathTable.__annotations__ if name not in table]
    if missing:
        raise ValueError(f"its table lacks {', '.join(missing)}")
    columns = {name: np.asarray(table[name], dtype=np.float64) for name in PER_POINT}
    features, loadings = np.asarray(table["features"]), np.asarray(table["loadings"], dtype=np.float64)
    n_points = len(np.atleast_1d(columns["step"]))
    for name, values in {**columns, "loadings": loadings}.items():
        wanted = (n_points, features.size) if name == "loadings" else (n_points,)
        if values.shape != wanted or not np.isfinite(values).all():
            raise ValueError(f"{name} has shape {values.shape}; wanted are finite values of shape {wanted}")
    if not 1 <= n_points <= N_POINTS or not 1 <= features.size <= N_FEATURES:
        found = f"{n_points} points of {features.size} features"
        raise ValueError(f"its table has {found}; wanted are 1 to {N_POINTS} of 1 to {N_FEATURES}")
    if features.dtype.kind not in "iu" or features.ndim != 1 or features.min() < 0 or features.max() >= n_features:
        raise ValueError(f"features holds no indices from 0 to {n_features - 1}")
    if (columns["l2_squared"] <= 0).any():
        raise ValueError("l2_squared holds values that are not positive")
    return PathTable(**columns, features=features.astype(np.int64), loadings=_signed(loadings).astype(np.float32))


def _signed(loadings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn iterates so that each agrees with the next, and the last is positive at its peak."""
    agree = np.where(np.einsum("ij,ij->i", loadings[:-1], loadings[1:]) < 0, -1.0, 1.0)
    last = -1.0 if loadings[-1, np.abs(loadings[-1]).argmax()] < 0 else 1.0
    signs = last * np.append(np.cumprod(agree[::-1])[::-1], 1.0)
    return np.asarray(signs[:, None] * loadings + 0.0)
