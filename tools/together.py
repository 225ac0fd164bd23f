"""Prove the best orthogonal components of small covariances, and print what two methods lack.

::

    SPCABENCH_DATA=FOLDER python tools/together.py

The folder must have the twelve covariances.  Times are CPU seconds of one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from instances import covariances
from published_checks.estimators import Array
from snapshots import Row
from spcabench_methods import JointSPCA, OrthogonalSPCA
from spcabench_methods.certified.bounds import supports
from spcabench_methods.certified.joint_search import JointSearch, best_apart
from threadpoolctl import threadpool_limits

TOL, LIMIT = 1e-6, 60.0
"""The gap at which a proof ends, and the seconds after which it does."""
PROBLEMS = {
    **{("pitprops", r): (2, 3, 4, 5) for r in (2, 3)},
    **{("wine", r): (2, 3, 4, 5) for r in (2, 3)},
    **{(name, 2): (3, 4, 5) for name in ("housing", "keggdirected", "pol", "wdbc")},
}
"""The cardinalities of each covariance and number of components."""


def row(name: str, S: Array, r: int, k: int, seconds: float) -> Row:
    """Prove r components of k nonzeros, and return the row."""
    begin = time.process_time()
    search = JointSearch(S, [k] * r, TOL)
    search.run(seconds)
    took = time.process_time() - begin
    apart = best_apart(S, [supports(len(S), k)] * r)
    methods = {
        "joint": JointSPCA(n_components=r, n_nonzero=k, criterion="orthogonal", covariance="precomputed"),
        "multi_orth": OrthogonalSPCA(n_components=r, n_nonzero=k, covariance="precomputed", random_state=0),
    }
    lacks = {label: 1.0 - float(method.fit(S).objective_.sum()) / search.value for label, method in methods.items()}
    return {
        "data": name,
        "d": str(len(S)),
        "r": str(r),
        "k": str(k),
        "value": f"{search.value:.9g}",
        "gap": f"{search.upper_bound / search.value - 1.0:.0e}",
        "disjoint": "no" if np.any(np.count_nonzero(search.W, axis=1) > 1) else "yes",
        "disjoint ones lack": f"{100.0 * max(0.0, 1.0 - float(np.vdot(apart, S @ apart)) / search.value):.3f} %",
        "nodes": str(search.n_nodes),
        "choices": str(search.n_tuples),
        "seconds": f"{took:.2f}",
        **{f"{label} lacks": f"{100.0 * max(0.0, lack):.3f} %" for label, lack in lacks.items()},
    }


def rows() -> Iterator[Row]:
    """Yield the rows of all problems."""
    known = dict(covariances())
    for (name, r), sizes in PROBLEMS.items():
        for k in sizes:
            yield row(name, known[name], r, k, LIMIT)


if __name__ == "__main__":
    with threadpool_limits(1):
        for one in rows():
            print(*one.values(), sep=",", flush=True)
