"""The simplest methods: of the families classic, thresholding, streaming and library, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl

_thresholding = partial(MethodSpec, family="thresholding", sparse="weights", knob=CARDINALITY)
_library = partial(
    MethodSpec,
    family="library",
    sparse="loadings",
    knob=Knob("penalty", "alpha"),
    iterations="max_iter",
    tolerance="tol",
    requires=frozenset({"samples"}),
    reference="Mairal, Bach, Ponce and Sapiro, ICML 2009, 689-696; Jenatton, Obozinski and Bach, AISTATS 2010, 366-373",
)

_BATCHES = "it ends when some batches bring no improvement, after few or many"
_UNITS = "its penalty is in units of the data"
_DRAWN = "its start is drawn feature by feature"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of these families."""
    return [
        MethodSpec(
            name="pca",
            estimator="spcabench_methods.classic.pca:PCA",
            title="Principal component analysis",
            family="classic",
            reference="Jolliffe, Principal Component Analysis, Springer, 1986",
        ),
        MethodSpec(
            name="st",
            estimator="spcabench_methods.classic.thresholding:SimpleThresholding",
            title="Thresholded loadings of principal component analysis",
            family="classic",
            sparse="loadings",
            knob=CARDINALITY,
            reference="Cadima and Jolliffe, Journal of Applied Statistics 22, 1995, 203-214",
        ),
        MethodSpec(
            name="eespca",
            estimator="spcabench_methods.classic.eespca:EESPCA",
            title="Eigenvectors from eigenvalues, thresholded",
            family="classic",
            sparse="loadings",
            knob=CARDINALITY,
            exempt={"dense_limit": "its entries only approximate those of the leading eigenvector"},
            reference="Frost, Journal of Computational and Graphical Statistics 31, 2022, 486-501",
        ),
        _thresholding(
            name="diag_threshold",
            estimator="spcabench_methods.thresholding.diagonal:DiagonalThresholding",
            title="Features of the largest variances",
            reference="Johnstone and Lu, Journal of the American Statistical Association 104, 2009, 682-693",
        ),
        _thresholding(
            name="cov_threshold",
            estimator="spcabench_methods.thresholding.covariance:CovarianceThresholding",
            title="Thresholded covariances",
            reference="Deshpande and Montanari, Journal of Machine Learning Research 17, 2016, 1-41; "
            "Krauthgamer, Nadler and Vilenchik, Annals of Statistics 43, 2015, 1300-1322",
        ),
        _thresholding(
            name="lowrank_threshold",
            estimator="spcabench_methods.thresholding.low_rank:LowRankThresholding",
            title="Features of the largest variances in an approximation of low rank",
            reference="Chowdhury, Bose, Zhou, Woodruff and Drineas, arXiv:2006.12748, 2020",
        ),
        MethodSpec(
            name="oja_threshold",
            estimator="spcabench_methods.streaming.oja:ThresholdedOja",
            title="Oja's algorithm in one pass, thresholded at the end",
            family="streaming",
            sparse="weights",
            knob=CARDINALITY,
            requires=frozenset({"samples"}),
            reference="Kumar and Sarkar, Advances in Neural Information Processing Systems 37, 2024, arXiv:2402.07240",
            exempt={
                "column_order": _DRAWN,
                "column_sign": _DRAWN,
                "row_order": "it reads the samples once, in their order",
                "dense_limit": "one pass over the samples comes near the leading eigenvectors, not to them",
            },
        ),
        _library(
            name="sklearn_spca",
            estimator="sklearn.decomposition:SparsePCA",
            title="scikit-learn: dictionary learning with sparse loadings",
            exempt={"scale": _UNITS},
        ),
        _library(
            name="sklearn_minibatch",
            estimator="sklearn.decomposition:MiniBatchSparsePCA",
            title="scikit-learn: online dictionary learning with sparse loadings",
            exempt={
                "column_order": "its batches are of features, in their order",
                "scale": _UNITS,
                "dense_limit": _BATCHES,
            },
        ),
    ]
