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
    Parameter,
    Whole,
    hookimpl,
)
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, REFIT, iterations, tolerance
from spcabench_methods.core.declared_jobs import n_jobs
from spcabench_methods.core.declared_starts import starts
from spcabench_methods.truncations import (
    Threshold,
    declared,
    fixed,
    level_parameters,
    of_methods,
    thresholds,
    truncations,
    without,
)
from spcabench_methods.truncations.hard import hard

RSVDGPB_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    **level_parameters(each=False),
    **starts("pca"),
    "refit": Parameter(False, FLAG, REFIT),
    "tol": Parameter(0.01, Number(0.0), "iterations stop when the loadings move by no more than this, in mean square"),
    "max_iter": iterations(200),
    "covariance": COVARIANCE,
}

_RHO = Number(0.0, 1.0, high_open=True)
_MU = Number(0.0, low_open=True)

GPOWER_BLOCK_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "penalty": declared(thresholds(), "l1"),
    "rho": Parameter(
        0.1, Either(_RHO, ListOf(_RHO)), "penalty, relative to one that leaves nothing; one, or one per component"
    ),
    "mu": Parameter(1.0, Either(_MU, ListOf(_MU)), "weights of the components; distinct ones separate them"),
    "refit": Parameter(
        True, FLAG, "but with the l0 penalty, find the loadings again on their supports, without penalty"
    ),
    **starts("pca", words="random: the feature of largest variance and random directions in the span of PCA"),
    "n_jobs": n_jobs("random starts"),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "covariance": COVARIANCE,
}

ITSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "gamma": Parameter(1.5, Number(0.0), "the thresholds, in units of the noise of a product"),
    "alpha": Parameter(3.0, Number(0.0), "how far a variance exceeds that of noise if its feature is in the start"),
    **starts("published", words="published: the leading eigenvectors on the features of large variance"),
    "truncation": declared({t.name: t for t in thresholds().values()}, "hard"),
    "n_samples": Parameter(
        None, Either(NOTHING, Whole(2)), "how many samples the covariance comes from; null: as many as are given"
    ),
    "tol": Parameter(
        None, Either(NOTHING, Number(0.0)), "iterations stop when the subspace turns by no more; null: 1/n_samples"
    ),
    "max_iter": iterations(1000),
    "covariance": COVARIANCE,
}


def _gpower_block(penalty: Threshold) -> dict[str, object]:
    """Return what the method with one penalty fixes; a refit is of no use where nothing was shrunk."""
    return {"penalty": penalty.symbol, **({"refit": False} if penalty is hard else {})}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    rsvdgpb = [
        MethodSpec(
            name=f"rsvdgpb_{truncation.symbol}",
            estimator="spcabench_methods.block.rsvd_gpb:RSVDGPB",
            iterations="max_iter",
            tolerance="tol",
            title=f"Block power method with relative truncation, {truncation.words}",
            family="block",
            sparse="loadings",
            knob=truncation.level.knob,
            parameters=without(RSVDGPB_PARAMETERS, fixed(truncation)),
            params=fixed(truncation),
            starts="init",
            reference=f"Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 3; {truncation.source}",
        )
        for truncation in of_methods("rsvdgpb", truncations())
    ]
    gpower = [
        MethodSpec(
            name=f"gpower_{penalty.symbol}m",
            estimator="spcabench_methods.block.gpower_block:GPowerBlock",
            iterations="max_iter",
            tolerance="tol",
            title=f"Generalised power method, block, {penalty.symbol} penalty",
            family="block",
            sparse="weights",
            knob=Knob("penalty", "rho", high=1.0),
            parameters=without(GPOWER_BLOCK_PARAMETERS, _gpower_block(penalty)),
            params=_gpower_block(penalty),
            starts="init",
            reference=f"Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithms 4 and 5; "
            f"{penalty.source}",
        )
        for penalty in of_methods("gpower", thresholds())
    ]
    itspca = MethodSpec(
        name="itspca",
        estimator="spcabench_methods.block.itspca:ITSPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Iterative thresholding of a subspace",
        family="block",
        sparse="weights",
        knob=Knob("penalty", "gamma"),
        parameters=without(ITSPCA_PARAMETERS, ["n_samples"]),
        params={"n_samples": None},
        starts="init",
        requires=frozenset({"samples"}),
        reference="Ma, Annals of Statistics 41, 2013, 772-801, algorithms 1 and 2",
        exempt={"dense_limit": "its default tolerance is one over the number of samples"},
    )
    return [*rsvdgpb, *gpower, itspca]
