"""The methods of the family thresholding, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(MethodSpec, family="thresholding", sparse="weights", knob=CARDINALITY)


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        _method(
            name="diag_threshold",
            estimator="spcabench_methods.thresholding.diagonal:DiagonalThresholding",
            title="Features of the largest variances",
            reference="Johnstone and Lu, Journal of the American Statistical Association 104, 2009, 682-693",
        ),
        _method(
            name="cov_threshold",
            estimator="spcabench_methods.thresholding.covariance:CovarianceThresholding",
            title="Thresholded covariances",
            reference="Deshpande and Montanari, Journal of Machine Learning Research 17, 2016, 1-41; "
            "Krauthgamer, Nadler and Vilenchik, Annals of Statistics 43, 2015, 1300-1322",
        ),
        _method(
            name="lowrank_threshold",
            estimator="spcabench_methods.thresholding.low_rank:LowRankThresholding",
            title="Features of the largest variances in an approximation of low rank",
            reference="Chowdhury, Bose, Zhou, Woodruff and Drineas, arXiv:2006.12748, 2020",
        ),
    ]
