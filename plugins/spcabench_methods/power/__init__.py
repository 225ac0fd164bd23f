"""Power methods: multiply by S, truncate, repeat; one component after another, with projection deflation."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    CARDINALITY,
    FLAG,
    NOTHING,
    Either,
    ListOf,
    MethodSpec,
    Number,
    OneOf,
    Parameter,
    hookimpl,
)
from spcabench_methods.core.declared import (
    COVARIANCE,
    DEFLATION,
    N_COMPONENTS,
    N_NONZERO,
    REFIT,
    iterations,
    n_nonzero,
    tolerance,
)
from spcabench_methods.core.declared_truncation import TRUNCATION_PARAMETERS_EACH, WORDS, fixed, without

TPOWER_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "refit": Parameter(False, FLAG, REFIT),
    "init": Parameter(
        "max_variance",
        OneOf("max_variance", "top_variance", "pca", "decreasing"),
        "the start: the feature of largest variance, the n_nonzero of largest variance, the leading eigenvector, or "
        "runs with more nonzeros",
    ),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

_RHO = Number(0.0, 1.0, high_open=True)

GPOWER_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "penalty": Parameter("l1", OneOf("l1", "l0"), "penalise the sum of magnitudes, or the cardinality"),
    "n_nonzero": n_nonzero("rho decides"),
    "rho": Parameter(
        0.1,
        Either(_RHO, ListOf(_RHO)),
        "penalty, relative to one that leaves nothing; one, or one per component; unused if n_nonzero is given",
    ),
    "refit": Parameter(True, FLAG, REFIT),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

RSVD_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "penalty": Parameter("l1", OneOf("l1", "l0", "scad"), "which penalty, so which thresholding rule"),
    "n_nonzero": N_NONZERO,
    "lam": Parameter(None, Either(NOTHING, Number(0.0)), "the threshold on X'u/sqrt(n), instead of n_nonzero nonzeros"),
    "refit": Parameter(False, FLAG, REFIT),
    "init": Parameter(
        "pca",
        OneOf("pca", "max_variance", "top_variance"),
        "the start: the leading eigenvector, the feature of largest variance, or the n_nonzero of largest variance",
    ),
    "tol": tolerance(1e-6),
    "max_iter": iterations(500),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

RSVDGP_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    **TRUNCATION_PARAMETERS_EACH,
    "refit": Parameter(False, FLAG, REFIT),
    "init": Parameter("max_variance", OneOf("max_variance", "pca"), "the start"),
    "tol": Parameter(1e-6, Number(0.0), "iterations stop when a loading moves by no more than this"),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

_GPOWER = "Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithm {}"
_RSVD = "Shen and Huang, Journal of Multivariate Analysis 99, 2008, 1015-1034, algorithm 1"


def _but_penalty(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    return {name: parameter for name, parameter in parameters.items() if name != "penalty"}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    gpower = [
        MethodSpec(
            name=f"gpower_{penalty}",
            estimator="spcabench_methods.power.gpower:GPower",
            title=f"Generalised power method, single unit, {penalty} penalty",
            family="power",
            knob=CARDINALITY,
            parameters=_but_penalty(GPOWER_PARAMETERS),
            params={"penalty": penalty},
            reference=_GPOWER.format(algorithm),
        )
        for penalty, algorithm in (("l1", 2), ("l0", 3))
    ]
    tpower = MethodSpec(
        name="tpower",
        estimator="spcabench_methods.power.tpower:TPower",
        title="Truncated power method",
        family="power",
        knob=CARDINALITY,
        parameters=TPOWER_PARAMETERS,
        reference="Yuan and Zhang, Journal of Machine Learning Research 14, 2013, 899-925, algorithm 1",
    )
    rsvd = [
        MethodSpec(
            name=f"rsvd_{penalty}",
            estimator="spcabench_methods.power.rsvd:RSVD",
            title=f"Regularised singular value decomposition, {penalty} penalty",
            family="power",
            knob=CARDINALITY,
            parameters=_but_penalty(RSVD_PARAMETERS),
            params={"penalty": penalty},
            reference=_RSVD,
        )
        for penalty in ("l1", "l0", "scad")
    ]
    rsvdgp = [
        MethodSpec(
            name=f"rsvdgp_{truncation}",
            estimator="spcabench_methods.power.rsvd_gp:RSVDGP",
            title=f"Power method with relative truncation, {words}",
            family="power",
            knob=CARDINALITY,
            parameters=without(RSVDGP_PARAMETERS, fixed(truncation, "n_nonzero")),
            params=fixed(truncation, "n_nonzero"),
            reference="Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 2",
        )
        for truncation, words in WORDS.items()
    ]
    return [*gpower, tpower, *rsvd, *rsvdgp]
