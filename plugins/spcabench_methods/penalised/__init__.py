"""Penalised methods: an l1 norm, or a function close to the cardinality, is bounded or penalised."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    CARDINALITY,
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
from spcabench_methods.core.declared import (
    COVARIANCE,
    DEFLATION,
    EXCHANGES,
    N_COMPONENTS,
    N_NONZERO,
    REFIT,
    deflation,
    iterations,
    tolerance,
)
from spcabench_methods.core.declared_random import random_state
from spcabench_methods.core.declared_starts import SEVERAL, start, starts


def _one_or_each(number: Number) -> Either:
    return Either(NOTHING, number, ListOf(number))


_POSITIVE = Number(0.0, low_open=True)
_BOUND = Parameter(
    None, _one_or_each(Number(1.0)), "the largest l1 norm of a loading, instead of n_nonzero; one, or one per component"
)
_ABSOLUTE = "instead of n_nonzero; one, or one per component"

SCOTLASS_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "bound": _BOUND,
    "orth": Parameter("deflate", OneOf("deflate", "exact"), "loadings almost orthogonal by deflation, or exactly"),
    **starts(
        "several",
        "published",
        "multi",
        words=f"{SEVERAL}; published: pca; multi: the best end of pca and of the ten features of largest variance",
    ),
    "tol": Parameter(1e-6, Number(0.0), "iterations stop when a loading moves by less"),
    "max_iter": iterations(500),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

PMD_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "bound": _BOUND,
    **starts("several", "published", words=f"{SEVERAL}; published: pca"),
    "tol": Parameter(1e-7, Number(0.0), "iterations stop when the entries of a loading change by less in sum"),
    "max_iter": iterations(500),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

DCPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "rho": Parameter(None, _one_or_each(Number(0.0)), f"the price of a nonzero, in units of variance, {_ABSOLUTE}"),
    "eps": Parameter(1e-3, _POSITIVE, "entries of much larger magnitude all cost about the same"),
    **starts("pca"),
    "refit": Parameter(True, FLAG, REFIT),
    "tol": Parameter(1e-6, Number(0.0), "iterations stop when a loading moves by less"),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

EMPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "nonnegative": Parameter(False, FLAG, "allow no negative entries"),
    "refit": Parameter(True, FLAG, "iterate once more on the support alone, without truncation"),
    "polish": EXCHANGES,
    "init": start("published", words="published: the leading eigenvector, and n_init random vectors"),
    "n_init": Parameter(5, Whole(0), "how many random starts"),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "random_state": random_state("for the random starts"),
    "deflation": deflation("gsd"),
    "covariance": COVARIANCE,
}

SPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "l1": Parameter(None, _one_or_each(Number(0.0)), f"the l1 penalty of the regressions, {_ABSOLUTE}"),
    "bound": Parameter(
        None,
        _one_or_each(_POSITIVE),
        "the largest l1 norm of the regression coefficients, instead of n_nonzero; one, or one per component",
    ),
    "ridge": Parameter(
        None,
        Either(NOTHING, Number(0.0), OneOf("inf")),
        "the squared l2 penalty of the regressions; 'inf': regressions become soft thresholds; null: a millionth of "
        "the mean variance of a feature",
    ),
    **starts("pca", "several", words="several: the best end of the leading eigenvectors and of features apart"),
    "tol": Parameter(1e-3, Number(0.0), "iterations stop when the loadings change by no more"),
    "stop": Parameter(
        "largest", OneOf("largest", "mean"), "what tol limits: the largest change of an entry, or the mean of loadings"
    ),
    "max_iter": iterations(200),
    "covariance": COVARIANCE,
}

_RHO = Number(0.0)

ALSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "rho": Parameter(
        0.1,
        Either(_RHO, ListOf(_RHO)),
        "the price of an l1 norm, relative to the largest eigenvalue; one, or one per component",
    ),
    "max_correlation": Parameter(
        None,
        Either(NOTHING, Number(0.0)),
        "the largest covariance of two scores, relative to the largest eigenvalue; null: no limit",
    ),
    "step": Parameter(
        "rounded",
        OneOf("rounded", "spectral"),
        "step lengths rounded to powers of two, alike on all machines, or as Barzilai and Borwein have them",
    ),
    **starts("pca"),
    "tol": Parameter(1e-3, Number(0.0, low_open=True), "how far constraints may be violated"),
    "max_iter": Parameter(200, Whole(1), "the most updates of the multipliers"),
    "covariance": COVARIANCE,
}


_ZOU = "Zou, Hastie and Tibshirani, Journal of Computational and Graphical Statistics 15, 2006, 265-286, "
_WITTEN = "Witten, Tibshirani and Hastie, Biostatistics 10, 2009, 515-534, algorithms 2 and 3"
_SIGG = "Sigg and Buhmann, ICML 2008, 960-967"


def _without(parameters: Mapping[str, Parameter], *names: str) -> dict[str, Parameter]:
    return {name: parameter for name, parameter in parameters.items() if name not in names}


_ABSOLUTE = "its penalties are in units of the data"
_SLOW = "its regressions on dependent features settle slowly"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    scotlass = MethodSpec(
        name="scotlass",
        estimator="spcabench_methods.penalised.scotlass:SCoTLASS",
        iterations="max_iter",
        tolerance="tol",
        title="Largest variance under a bound on the l1 norm",
        family="penalised",
        sparse="weights",
        knob=CARDINALITY,
        parameters=SCOTLASS_PARAMETERS,
        starts="init",
        reference="Jolliffe, Trendafilov and Uddin, J. of Computational and Graphical Statistics 12, 2003, 531-547",
    )
    spca_l1 = MethodSpec(
        name="spca_l1",
        estimator="spcabench_methods.penalised.spca:SPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Sparse PCA by regression, elastic net with given penalties",
        family="penalised",
        sparse="weights",
        knob=Knob("penalty", "l1"),
        parameters=_without(SPCA_PARAMETERS, "n_nonzero"),
        params={"n_nonzero": None},
        starts="init",
        reference=_ZOU + "algorithm 1",
        exempt={"scale": _ABSOLUTE},
    )
    spca_card = MethodSpec(
        name="spca_card",
        estimator="spcabench_methods.penalised.spca:SPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Sparse PCA by regression, elastic net with given cardinalities",
        family="penalised",
        sparse="weights",
        knob=CARDINALITY,
        parameters=_without(SPCA_PARAMETERS, "l1", "bound"),
        params={"l1": None, "bound": None},
        starts="init",
        reference=_ZOU + "algorithm 1",
        exempt={"knob": _SLOW, "dense_limit": _SLOW},
    )
    spca_soft = MethodSpec(
        name="spca_soft",
        estimator="spcabench_methods.penalised.spca:SPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Sparse PCA by regression, soft thresholds with given cardinalities",
        family="penalised",
        sparse="weights",
        knob=CARDINALITY,
        parameters=_without(SPCA_PARAMETERS, "l1", "bound", "ridge"),
        params={"l1": None, "bound": None, "ridge": "inf"},
        starts="init",
        reference=_ZOU + "section 4",
    )
    pmd = [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.penalised.pmd:PMD",
            iterations="max_iter",
            tolerance="tol",
            title=title,
            family="penalised",
            sparse="loadings",
            knob=CARDINALITY,
            parameters=_without(PMD_PARAMETERS, *params),
            params=params,
            starts="init",
            reference=_WITTEN,
        )
        for name, params, title in (
            ("pmd", {}, "Penalised matrix decomposition"),
            ("pmd_orth", {"deflation": "schur"}, "Penalised matrix decomposition, orthogonal scores"),
        )
    ]
    dcpca = MethodSpec(
        name="dcpca",
        estimator="spcabench_methods.penalised.dcpca:DCPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Difference of convex functions, logarithmic penalty",
        family="penalised",
        sparse="weights",
        knob=CARDINALITY,
        parameters=DCPCA_PARAMETERS,
        starts="init",
        reference="Sriperumbudur, Torres and Lanckriet, ICML 2007, 831-838, algorithm 1",
    )
    empca = [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.penalised.empca:EMPCA",
            iterations="max_iter",
            tolerance="tol",
            title=f"Expectation maximisation with soft thresholds{signs}",
            family="penalised",
            sparse="weights",
            knob=CARDINALITY,
            parameters=_without(EMPCA_PARAMETERS, *fixed),
            params=fixed,
            starts="init",
            reference=_SIGG,
            exempt={"column_order": "its starts are drawn feature by feature"}
            | (dict.fromkeys(("knob", "dense_limit"), "its loadings have one sign") if "polish" in fixed else {}),
        )
        for name, fixed, signs in (
            ("empca", {"nonnegative": False}, ""),
            ("empca_nonneg", {"nonnegative": True, "polish": False}, ", nonnegative loadings"),
        )
    ]
    alspca = MethodSpec(
        name="alspca",
        estimator="spcabench_methods.penalised.alspca:ALSPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Augmented Lagrangian, orthogonal loadings under an l1 penalty",
        family="penalised",
        sparse="weights",
        knob=Knob("penalty", "rho"),
        parameters=ALSPCA_PARAMETERS,
        starts="init",
        reference="Lu and Zhang, Mathematical Programming 135, 2012, 149-193",
    )
    return [scotlass, spca_l1, spca_card, spca_soft, *pmd, dcpca, *empca, alspca]
