"""Robust methods: they maximise the l1 variance ``||X w||_1``, in which no outlier counts squared."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    CARDINALITY,
    Anything,
    Either,
    ListOf,
    MethodSpec,
    Number,
    OneOf,
    Parameter,
    Whole,
    hookimpl,
)
from spcabench_methods.core.declared import N_COMPONENTS, N_NONZERO, iterations

_VECTORS = (ListOf(Number()), ListOf(ListOf(Number())))
_N_INIT = Parameter(1, Whole(1), "how many random starts")
_TOL = Parameter(1e-10, Number(0.0), "iterations stop when no entry of a loading changes by more")
_RANDOM_STATE = Parameter(
    None,
    Anything("null, a whole number or a numpy.random.RandomState"),
    "for random starts, and for restarts where a sample lies in the hyperplane",
)

PCAL1_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "init": Parameter(
        "max_norm",
        Either(OneOf("max_norm", "pca", "ones", "random"), *_VECTORS),
        "the start: the sample of largest norm, the leading eigenvector, equal entries, random, or given",
    ),
    "n_init": _N_INIT,
    "tol": _TOL,
    "max_iter": iterations(1000),
    "random_state": _RANDOM_STATE,
}

RSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "p": Parameter(0.0, Number(0.0, 1.0), "the norm l_p of the constraint; 0 truncates, 1 thresholds softly"),
    "init": Parameter(
        "ones",
        Either(OneOf("ones", "pca", "random", "multi"), *_VECTORS),
        "the start: equal entries, the leading eigenvector, random, the best of all these, or given",
    ),
    "n_init": _N_INIT,
    "tol": _TOL,
    "max_iter": iterations(500),
    "random_state": _RANDOM_STATE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="pca_l1",
            estimator="spcabench_methods.robust.pca_l1:PCAL1",
            title="Principal component analysis of largest l1 variance",
            family="robust",
            parameters=PCAL1_PARAMETERS,
            requires=frozenset({"samples"}),
            reference="Kwak, IEEE TPAMI 30, 2008, 1672-1680",
        ),
        MethodSpec(
            name="rspca",
            estimator="spcabench_methods.robust.rspca:RSPCA",
            title="Robust sparse PCA: l1 variance under an l_p constraint",
            family="robust",
            knob=CARDINALITY,
            parameters=RSPCA_PARAMETERS,
            requires=frozenset({"samples"}),
            reference="Zhao, Meng and Xu, Science China Information Sciences 57, 2014, 092115, algorithm 1",
        ),
    ]
