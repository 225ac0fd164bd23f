"""Prove the best orthogonal components of small covariances, and print what two methods lack.

::

    SPCABENCH_DATA=FOLDER python tools/together.py

Each proof ends after a minute, with the gap that is left.  With the word ``criteria`` it prints instead, for all
fourteen covariances and 2 to 5 components of 5 nonzeros, the best of all registered methods by each criterion, without
and with JointSPCA; only loadings whose cosines are no larger than those of JointSPCA are compared.  The folder must
have the twelve covariances.  Times are CPU seconds of one thread.
"""

from __future__ import annotations

import itertools
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from instances import covariances
from published_checks.estimators import Array
from snapshots import Row
from spcabench_methods import JointSPCA, OrthogonalSPCA
from spcabench_methods.certified.apart import best_apart
from spcabench_methods.certified.bounds import supports
from spcabench_methods.certified.joint_search import JointSearch
from threadpoolctl import threadpool_limits

import spcabench
from spcabench.plugins import load_registry
from spcabench.wording import InputError

TOL, LIMIT = 1e-6, 60.0
"""The gap at which a proof ends, and the seconds after which it does."""
PROBLEMS = {
    **{("pitprops", r): (2, 3, 4, 5) for r in (2, 3)},
    **{("wine", r): (2, 3, 4, 5) for r in (2, 3)},
    **{(name, 2): (3, 4, 5) for name in ("housing", "keggdirected", "pol", "wdbc")},
}
"""The cardinalities of each covariance and number of components."""
CRITERIA, OURS = ("span", "regression", "adjusted"), ("joint", "multi_exact")
"""The criteria that are compared, and the methods of this project."""
SIZE, PATIENCE = 5, 5.0
"""The nonzeros of a component, and the seconds that each fit may take."""


def row(name: str, S: Array, r: int, k: int, seconds: float) -> Row:
    """Prove r components of k nonzeros, from those of JointSPCA, and return the row."""
    methods = {
        "joint": JointSPCA(n_components=r, n_nonzero=k, criterion="orthogonal", covariance="precomputed").fit(S),
        "multi_orth": OrthogonalSPCA(n_components=r, n_nonzero=k, covariance="precomputed", random_state=0).fit(S),
    }
    begin = time.process_time()
    search = JointSearch(S, [k] * r, TOL, [methods["joint"].components_.T])
    search.run(seconds)
    took = time.process_time() - begin
    apart = best_apart(S, [supports(len(S), k)] * r)
    disjoint = float(np.vdot(apart, S @ apart)) / search.value
    lacks = {label: 1.0 - float(method.objective_.sum()) / search.value for label, method in methods.items()}
    return {
        "data": name,
        "d": str(len(S)),
        "r": str(r),
        "k": str(k),
        "value": f"{search.value:.9g}",
        "gap": f"{search.upper_bound / search.value - 1.0:.0e}",
        "disjoint": "no" if np.any(np.count_nonzero(search.W, axis=1) > 1) else "yes",
        "disjoint ones lack": f"{100.0 * max(0.0, 1.0 - disjoint):.3f} %" if disjoint else "there are none",
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


def valued(W: Array, S: Array) -> dict[str, float]:
    """Return the criteria of unit loadings as columns, as shares, and the largest cosine of two."""
    SW = S @ W
    G = W.T @ SW
    root = np.linalg.cholesky(G + 1e-12 * np.trace(G) * np.eye(len(G)))
    Q = np.linalg.qr(W)[0]
    found = {
        "span": np.vdot(Q, S @ Q),
        "regression": np.trace(np.linalg.pinv(G) @ SW.T @ SW),
        "adjusted": np.sum(root.diagonal() ** 2),
    }
    return {name: float(value) / np.trace(S) for name, value in found.items()} | {
        "cosine": float(np.abs(np.triu(W.T @ W, 1)).max())
    }


def fitted(name: str, S: Array, **params: object) -> Array | None:
    """Return the loadings of a method as columns, or None if it cannot be fitted to S, or within `PATIENCE`."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        method = spcabench.make(name, n_nonzero=SIZE, covariance="precomputed", **params).fit(S)
        return np.asarray(method.components_.T)
    except (TypeError, ValueError, InputError, TimeoutError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)


def best_by_criterion(numbers: Sequence[int] = (2, 3, 4, 5)) -> Iterator[Row]:
    """Fit all methods that take a number of nonzeros, and yield a row for each number, covariance and criterion."""
    specs = load_registry().methods.specs
    others = [name for name, spec in specs.items() if spec.knob.kind == "cardinality" and name not in OURS]
    for r, (data, S) in itertools.product(numbers, covariances()):
        settings: dict[str, tuple[str, dict[str, str]]] = {name: (name, {}) for name in others}
        settings |= {f"joint {name}": ("joint", {"criterion": name}) for name in CRITERIA}
        found = {label: fitted(name, S, n_components=r, **params) for label, (name, params) in settings.items()}
        values = {label: valued(W, S) for label, W in found.items() if W is not None and W.any(axis=0).all()}
        yield from (compared(data, r, criterion, values) for criterion in CRITERIA if f"joint {criterion}" in values)


def compared(data: str, r: int, criterion: str, values: dict[str, dict[str, float]]) -> Row:
    """Return the row of one criterion."""
    joint = values[f"joint {criterion}"]
    rivals = {
        label: one[criterion]
        for label, one in values.items()
        if not label.startswith("joint") and one["cosine"] <= max(0.1, joint["cosine"])
    }
    best = max(rivals, key=lambda label: rivals[label])
    return {
        "data": data,
        "r": str(r),
        "criterion": criterion,
        "best without": f"{rivals[best]:.4f}",
        "by": best,
        "joint": f"{joint[criterion]:.4f}",
        "cosine": f"{joint['cosine']:.2f}",
        "of": str(len(rivals)),
    }


if __name__ == "__main__":
    made: Callable[[], Iterator[Row]] = best_by_criterion if sys.argv[1:] == ["criteria"] else rows
    with threadpool_limits(1):
        for one in made():
            print(*one.values(), sep=",", flush=True)
