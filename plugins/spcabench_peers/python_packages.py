"""Python packages that do sparse PCA, as methods; ``programs/peer.py`` calls them in a process of their own.

Those of scikit-learn are estimators as they are, and methods of `spcabench_methods.library`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from spcabench import CARDINALITY, NOTHING, Either, Knob, MethodSpec, Number, Parameter, Text, Whole, hookimpl
from spcabench_peers.peer import N_COMPONENTS, N_NONZERO, PENALTY, SAMPLES, Peer, searched

SHARED = {
    "n_components": N_COMPONENTS,
    "program": Parameter(None, Either(NOTHING, Text()), "the Python that has the package; null: the one that runs now"),
}


class PythonPackage(Peer):
    """A package of Python."""

    script = "peer.py"
    remedy = "name a Python that has the package, as the parameter program"
    program: str | None  # type: ignore[assignment]

    def called(self) -> Sequence[str]:
        """Return the interpreter, our script for it, and the package."""
        _, *script = super().called()
        return (self.program or sys.executable, *script)


@dataclass(eq=False, repr=False)
class Abess(PythonPackage):
    """`abess.decomposition.SparsePCA`: splicing with given cardinalities."""

    package = "abess"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    max_iter: int = 20
    exchange_num: int = 5
    program: str | None = None


@dataclass(eq=False, repr=False)
class AManPG(PythonPackage):
    """`sparsepca.spca` of PyPI, by the authors of AManPG; `ridge` is its ``lambda2``, infinite if it is None.

    Without a `penalty`, the script searches the mildest of each component that leaves `n_nonzero`.
    """

    package = "sparsepca"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    penalty: float | Sequence[float] | None = None
    ridge: float | None = 1.0
    max_iter: int = 10000
    tol: float = 1e-5
    program: str | None = None


@dataclass(eq=False, repr=False)
class Ristretto(PythonPackage):
    """`ristretto.pca.spca`, where ristretto has it: the release on PyPI does not."""

    package = "ristretto"

    n_components: int = 2
    alpha: float = 1e-4
    beta: float = 1e-4
    max_iter: int = 1000
    tol: float = 1e-5
    program: str | None = None


_method = partial(MethodSpec, family="peers", knob=CARDINALITY, requires=SAMPLES, iterations="max_iter")


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods that are packages of Python."""
    return [
        _method(
            name="py_abess",
            estimator="spcabench_peers.python_packages:Abess",
            title="Python package abess: splicing of supports",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "max_iter": Parameter(20, Whole(1), "the most iterations of splicing"),
                "exchange_num": Parameter(5, Whole(1), "the most features that an exchange begins with"),
            },
            reference="Zhu, Wen, Zhu, Zhang and Wang, PNAS 117, 2020, 33117-33123",
        ),
        _method(
            name="py_amanpg",
            estimator="spcabench_peers.python_packages:AManPG",
            title="Python package sparsepca: alternating manifold proximal gradient",
            tolerance="tol",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "penalty": searched(Number(0.0), "of the l1 norm"),
                "ridge": Parameter(1.0, Either(NOTHING, Number(0.0)), "the squared l2 penalty; null: infinite"),
                "max_iter": Parameter(10000, Whole(1), "the most iterations"),
                "tol": Parameter(1e-5, Number(0.0), "iterations stop at a change of the objective below it"),
            },
            reference="Chen, Ma, Xue and Zou, INFORMS Journal on Optimization 2, 2020, 192-208",
        ),
        _method(
            name="py_ristretto",
            estimator="spcabench_peers.python_packages:Ristretto",
            title="Python package ristretto: sparse PCA by variable projection",
            knob=Knob("penalty", "alpha"),
            tolerance="tol",
            parameters={
                **SHARED,
                "alpha": Parameter(1e-4, Number(0.0), "the l1 penalty"),
                "beta": Parameter(1e-4, Number(0.0), "the squared l2 penalty"),
                "max_iter": Parameter(1000, Whole(1), "the most iterations"),
                "tol": Parameter(1e-5, Number(0.0), "iterations stop at a change of the objective below it"),
            },
            reference="Erichson, Zheng, Manohar, Brunton, Kutz and Aravkin, SIAM J. Appl. Math. 80, 2020, 977-1002",
            exempt=PENALTY,
        ),
    ]
