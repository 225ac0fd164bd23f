"""Robust methods: they maximise the l1 variance ``||X w||_1``, or a robust scale, not the variance of the scores."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    CARDINALITY,
    NOTHING,
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
from spcabench_methods.core.declared_random import random_state
from spcabench_methods.core.declared_starts import starts

_TOL = Parameter(1e-10, Number(0.0), "iterations stop when no entry of a loading changes by more")
_RANDOM_STATE = random_state("for random starts, and for restarts where a sample lies in the hyperplane")

PCAL1_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    **starts("max_norm", words="max_norm: the sample of largest norm"),
    "tol": _TOL,
    "max_iter": iterations(1000),
    "random_state": _RANDOM_STATE,
}

RSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "p": Parameter(0.0, Number(0.0, 1.0), "the norm l_p of the constraint; 0 truncates, 1 thresholds softly"),
    **starts("ones", "multi", words="multi: the best end of equal entries, the leading eigenvector and random"),
    "tol": _TOL,
    "max_iter": iterations(500),
    "random_state": _RANDOM_STATE,
}

SPCAGRID_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "scale": Parameter("mad", OneOf("sd", "mad", "qn"), "the scale that is maximised; sd is not robust"),
    "lam": Parameter(
        None,
        Either(NOTHING, Number(0.0), ListOf(Number(0.0))),
        "penalty on the l1 norm, relative to the mean squared scale of the features, instead of n_nonzero nonzeros",
    ),
    "centre": Parameter(
        "spatial",
        OneOf("spatial", "median", "mean"),
        "what is subtracted: the spatial median, or medians or means of the features",
    ),
    **starts("max_variance", words="max_variance: here the coordinate of largest scale"),
    "n_angles": Parameter(25, Whole(3), "angles tried at a coordinate, an odd number"),
    "n_halvings": Parameter(10, Whole(0), "how often the range of angles is halved"),
}

ROSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "alpha": Parameter(0.75, Number(0.5, 1.0), "the share of the samples that are taken to be no outliers"),
    "inner": Parameter("tpower", OneOf("tpower", "grid"), "what finds the components of the samples that are kept"),
    "n_directions": Parameter(5000, Whole(1), "the most directions through two samples that are tried for outliers"),
    "random_state": random_state("for the pairs of samples, where there are more than n_directions"),
}

_ROBUST_GRID = {
    "knob": "the angles of its grid lead to exact zeros",
    "dense_limit": "it maximises a robust scale",
}
_SWERVING = {"planted_support": "as its penalty grows the count rises and falls, and a search for it may miss"}
_GRID: Mapping[str, Mapping[str, str]] = {"sd": {}, "mad": _ROBUST_GRID, "qn": _ROBUST_GRID | _SWERVING}

_SCALES = {"sd": "standard deviation", "mad": "median absolute deviation", "qn": "Qn"}


_L1 = "it maximises the l1 norm of the scores"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    spca_grid = [
        MethodSpec(
            name=f"spcagrid_{scale}",
            estimator="spcabench_methods.robust.spca_grid:SPCAGrid",
            title=f"Sparse projection pursuit on a grid, {title}",
            family="robust",
            sparse="weights",
            knob=CARDINALITY,
            parameters={name: p for name, p in SPCAGRID_PARAMETERS.items() if name != "scale"},
            params={"scale": scale},
            starts="init",
            requires=frozenset({"samples"}),
            reference="Croux, Filzmoser and Fritz, Technometrics 55, 2013, 202-214",
            exempt=_GRID[scale],
        )
        for scale, title in _SCALES.items()
    ]
    return [
        MethodSpec(
            name="pca_l1",
            estimator="spcabench_methods.robust.pca_l1:PCAL1",
            iterations="max_iter",
            tolerance="tol",
            title="Principal component analysis of largest l1 variance",
            family="robust",
            parameters=PCAL1_PARAMETERS,
            starts="init",
            requires=frozenset({"samples"}),
            reference="Kwak, IEEE TPAMI 30, 2008, 1672-1680",
            exempt={"dense_limit": _L1},
        ),
        MethodSpec(
            name="rspca",
            estimator="spcabench_methods.robust.rspca:RSPCA",
            iterations="max_iter",
            tolerance="tol",
            title="Robust sparse PCA: l1 variance under an l_p constraint",
            family="robust",
            sparse="weights",
            knob=CARDINALITY,
            parameters=RSPCA_PARAMETERS,
            starts="init",
            requires=frozenset({"samples"}),
            reference="Zhao, Meng and Xu, Science China Information Sciences 57, 2014, 092115, algorithm 1",
            exempt={"dense_limit": _L1},
        ),
        *spca_grid,
        MethodSpec(
            name="rospca",
            estimator="spcabench_methods.robust.rospca:ROSPCA",
            title="Robust sparse PCA of the samples that distances leave",
            family="robust",
            sparse="weights",
            knob=CARDINALITY,
            parameters=ROSPCA_PARAMETERS,
            requires=frozenset({"samples"}),
            reference="Hubert, Reynkens, Schmitt and Verdonck, Technometrics 58, 2016, 424-434",
            exempt={"dense_limit": "it leaves out what it takes for outliers"},
        ),
    ]
