"""Thresholds on the covariance: features are chosen by its diagonal, or by an eigenvector of what is left of it."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, MethodSpec, Number, OneOf, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, DEFLATION, N_COMPONENTS, N_NONZERO, REFIT

_OR_JOINT = Parameter(
    "projection",
    OneOf("projection", "schur", "gsd", None),
    f"{DEFLATION.meaning}; null: all components at once, without deflation",
)
_NOISE = Parameter(
    None, Either(NOTHING, Number(0.0)), "the variance of a feature that is noise alone; null: the median variance"
)

DIAGONAL_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "alpha": Parameter(
        None,
        Either(NOTHING, Number(0.0)),
        "how far above the noise a variance must be to be chosen, in units of its error, instead of n_nonzero",
    ),
    "noise": _NOISE,
    "n_samples": Parameter(
        None, Either(NOTHING, Whole(2)), "alpha: how many samples the covariance comes from; null: as many as are given"
    ),
    "deflation": _OR_JOINT,
    "covariance": COVARIANCE,
}

COVARIANCE_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "tau": Parameter(
        "grid",
        Either(OneOf("grid", "noise"), Number(0.0)),
        "the threshold, in units of variance; noise: from the spread of the covariances; grid: the best of 22",
    ),
    "nu": Parameter(1.0, Number(0.0, low_open=True), "noise: the threshold in standard deviations of the covariances"),
    "noise": _NOISE,
    "refit": Parameter(True, FLAG, REFIT),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

LOW_RANK_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "rank": Parameter(
        1, Either(Whole(1), OneOf("best")), "of the approximation whose variances choose; best: of 1 to 5 the best"
    ),
    "refit": Parameter(
        True, FLAG, "take the leading eigenvector of the covariance on the support, not of its approximation"
    ),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="diag_threshold",
            estimator="spcabench_methods.thresholding.diagonal:DiagonalThresholding",
            title="Features of the largest variances",
            family="thresholding",
            sparse="weights",
            knob=CARDINALITY,
            parameters=DIAGONAL_PARAMETERS,
            reference="Johnstone and Lu, Journal of the American Statistical Association 104, 2009, 682-693",
        ),
        MethodSpec(
            name="cov_threshold",
            estimator="spcabench_methods.thresholding.covariance:CovarianceThresholding",
            title="Thresholded covariances",
            family="thresholding",
            sparse="weights",
            knob=CARDINALITY,
            parameters=COVARIANCE_PARAMETERS,
            reference="Deshpande and Montanari, Journal of Machine Learning Research 17, 2016, 1-41; "
            "Krauthgamer, Nadler and Vilenchik, Annals of Statistics 43, 2015, 1300-1322",
        ),
        MethodSpec(
            name="lowrank_threshold",
            estimator="spcabench_methods.thresholding.low_rank:LowRankThresholding",
            title="Features of the largest variances in an approximation of low rank",
            family="thresholding",
            sparse="weights",
            knob=CARDINALITY,
            parameters=LOW_RANK_PARAMETERS,
            reference="Chowdhury, Bose, Zhou, Woodruff and Drineas, arXiv:2006.12748, 2020",
        ),
    ]
