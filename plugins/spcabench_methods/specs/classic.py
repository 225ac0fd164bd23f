"""The methods of the family classic, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(MethodSpec, family="classic")


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        _method(
            name="pca",
            estimator="spcabench_methods.classic.pca:PCA",
            title="Principal component analysis",
            reference="Jolliffe, Principal Component Analysis, Springer, 1986",
        ),
        _method(
            name="st",
            estimator="spcabench_methods.classic.thresholding:SimpleThresholding",
            title="Thresholded loadings of principal component analysis",
            sparse="loadings",
            knob=CARDINALITY,
            reference="Cadima and Jolliffe, Journal of Applied Statistics 22, 1995, 203-214",
        ),
        _method(
            name="eespca",
            estimator="spcabench_methods.classic.eespca:EESPCA",
            title="Eigenvectors from eigenvalues, thresholded",
            sparse="loadings",
            knob=CARDINALITY,
            exempt={"dense_limit": "its entries only approximate those of the leading eigenvector"},
            reference="Frost, Journal of Computational and Graphical Statistics 31, 2022, 486-501",
        ),
    ]
