"""Block methods: all components are found together, without deflation, from the data rather than its eigenvectors."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    FLAG,
    NOTHING,
    Either,
    Knob,
    ListOf,
    MethodSpec,
    Number,
    OneOf,
    Parameter,
    Whole,
    hookimpl,
)
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, REFIT, iterations, tolerance
from spcabench_methods.core.declared_random import random_state
from spcabench_methods.core.declared_truncation import TRUNCATION_PARAMETERS, WORDS, fixed, knob, without

RSVDGPB_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    **TRUNCATION_PARAMETERS,
    "refit": Parameter(False, FLAG, REFIT),
    "tol": Parameter(0.01, Number(0.0), "iterations stop when the loadings move by no more than this, in mean square"),
    "max_iter": iterations(200),
    "covariance": COVARIANCE,
}

_RHO = Number(0.0, 1.0, high_open=True)
_MU = Number(0.0, low_open=True)

GPOWER_BLOCK_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "penalty": Parameter("l1", OneOf("l1", "l0"), "penalise the sum of magnitudes, or the cardinality"),
    "rho": Parameter(
        0.1, Either(_RHO, ListOf(_RHO)), "penalty, relative to one that leaves nothing; one, or one per component"
    ),
    "mu": Parameter(1.0, Either(_MU, ListOf(_MU)), "weights of the components; distinct ones tell them apart"),
    "refit": Parameter(True, FLAG, "with the l1 penalty, find the loadings again on their supports, without penalty"),
    "init": Parameter("pca", OneOf("pca", "random"), "the start: eigenvectors, or a feature and random directions"),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "random_state": random_state("for the random start"),
    "covariance": COVARIANCE,
}

ITSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "gamma": Parameter(1.5, Number(0.0), "the thresholds, in units of the noise of a product"),
    "alpha": Parameter(3.0, Number(0.0), "how far a variance exceeds that of noise if its feature is in the start"),
    "truncation": Parameter("hard", OneOf("hard", "soft", "scad"), "the thresholding rule"),
    "n_samples": Parameter(
        None, Either(NOTHING, Whole(2)), "how many samples the covariance comes from; null: as many as are given"
    ),
    "tol": Parameter(
        None, Either(NOTHING, Number(0.0)), "iterations stop when the subspace turns by no more; null: 1/n_samples"
    ),
    "max_iter": iterations(1000),
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    rsvdgpb = [
        MethodSpec(
            name=f"rsvdgpb_{truncation}",
            estimator="spcabench_methods.block.rsvd_gpb:RSVDGPB",
            title=f"Block power method with relative truncation, {words}",
            family="block",
            knob=knob(truncation),
            parameters=without(RSVDGPB_PARAMETERS, fixed(truncation)),
            params=fixed(truncation),
            reference="Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 3",
        )
        for truncation, words in WORDS.items()
    ]
    gpower = [
        MethodSpec(
            name=f"gpower_{penalty}m",
            estimator="spcabench_methods.block.gpower_block:GPowerBlock",
            title=f"Generalised power method, block, {penalty} penalty",
            family="block",
            knob=Knob("penalty", "rho", high=1.0),
            parameters={name: p for name, p in GPOWER_BLOCK_PARAMETERS.items() if name not in ("penalty", *fixed)},
            params={"penalty": penalty, **fixed},
            reference=f"Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithm {algorithm}",
        )
        for penalty, algorithm, fixed in (("l1", 4, {}), ("l0", 5, {"refit": False}))
    ]
    itspca = MethodSpec(
        name="itspca",
        estimator="spcabench_methods.block.itspca:ITSPCA",
        title="Iterative thresholding of a subspace",
        family="block",
        knob=Knob("penalty", "gamma"),
        parameters={name: p for name, p in ITSPCA_PARAMETERS.items() if name != "n_samples"},
        params={"n_samples": None},
        requires=frozenset({"samples"}),
        reference="Ma, Annals of Statistics 41, 2013, 772-801, algorithms 1 and 2",
    )
    return [*rsvdgpb, *gpower, itspca]
