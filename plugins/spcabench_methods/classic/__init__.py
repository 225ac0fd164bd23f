"""Classical methods: principal component analysis, and thresholds on its loadings."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, MethodSpec, Number, Parameter, hookimpl
from spcabench_methods.core.declared import COVARIANCE, DEFLATION, N_COMPONENTS, REFIT, n_nonzero

PCA_PARAMETERS: Mapping[str, Parameter] = {"n_components": N_COMPONENTS, "covariance": COVARIANCE}

THRESHOLDING_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": n_nonzero("threshold decides"),
    "threshold": Parameter(
        None,
        Either(NOTHING, Number(0.0)),
        "entries not larger than it become zero; 1/sqrt(n_features) if neither it nor n_nonzero is set",
    ),
    "refit": Parameter(False, FLAG, REFIT),
    "covariance": COVARIANCE,
}

EESPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": n_nonzero("threshold decides"),
    "threshold": Parameter(
        None,
        Either(NOTHING, Number(0.0)),
        "entries below it become zero; 1/sqrt(n_features) if neither it nor n_nonzero is set",
    ),
    "refit": Parameter(False, FLAG, REFIT),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="pca",
            estimator="spcabench_methods.classic.pca:PCA",
            title="Principal component analysis",
            family="classic",
            parameters=PCA_PARAMETERS,
            reference="Jolliffe, Principal Component Analysis, Springer, 1986",
        ),
        MethodSpec(
            name="st",
            estimator="spcabench_methods.classic.thresholding:SimpleThresholding",
            title="Thresholded loadings of principal component analysis",
            family="classic",
            sparse="loadings",
            knob=CARDINALITY,
            parameters=THRESHOLDING_PARAMETERS,
            reference="Cadima and Jolliffe, Journal of Applied Statistics 22, 1995, 203-214",
        ),
        MethodSpec(
            name="eespca",
            estimator="spcabench_methods.classic.eespca:EESPCA",
            title="Eigenvectors from eigenvalues, thresholded",
            family="classic",
            sparse="loadings",
            knob=CARDINALITY,
            parameters=EESPCA_PARAMETERS,
            exempt={"dense_limit": "its entries only approximate those of the leading eigenvector"},
            reference="Frost, Journal of Computational and Graphical Statistics 31, 2022, 486-501",
        ),
    ]
