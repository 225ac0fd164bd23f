"""The methods of the family penalised, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl

_method = partial(
    MethodSpec,
    family="penalised",
    sparse="weights",
    knob=CARDINALITY,
    starts="init",
    iterations="max_iter",
    tolerance="tol",
)


_ZOU = "Zou, Hastie and Tibshirani, Journal of Computational and Graphical Statistics 15, 2006, 265-286, "
_WITTEN = "Witten, Tibshirani and Hastie, Biostatistics 10, 2009, 515-534, algorithms 2 and 3"
_SIGG = "Sigg and Buhmann, ICML 2008, 960-967"


_ABSOLUTE = "its penalties are in units of the data"
_SLOW = "its regressions on dependent features settle slowly"
_ONE_SIGN = dict.fromkeys(("column_sign", "knob", "dense_limit"), "its loadings have one sign")


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    scotlass = _method(
        name="scotlass",
        estimator="spcabench_methods.penalised.scotlass:SCoTLASS",
        title="Largest variance under a bound on the l1 norm",
        reference="Jolliffe, Trendafilov and Uddin, J. of Computational and Graphical Statistics 12, 2003, 531-547",
    )
    spca_l1 = _method(
        name="spca_l1",
        estimator="spcabench_methods.penalised.spca:SPCA",
        title="Sparse PCA by regression, elastic net with given penalties",
        knob=Knob("penalty", "l1"),
        params={"n_nonzero": None},
        reference=_ZOU + "algorithm 1",
        exempt={"scale": _ABSOLUTE},
    )
    spca_card = _method(
        name="spca_card",
        estimator="spcabench_methods.penalised.spca:SPCA",
        title="Sparse PCA by regression, elastic net with given cardinalities",
        params={"l1": None, "bound": None},
        reference=_ZOU + "algorithm 1",
        exempt={"knob": _SLOW, "dense_limit": _SLOW},
    )
    spca_soft = _method(
        name="spca_soft",
        estimator="spcabench_methods.penalised.spca:SPCA",
        title="Sparse PCA by regression, soft thresholds with given cardinalities",
        params={"l1": None, "bound": None, "ridge": "inf"},
        reference=_ZOU + "section 4",
    )
    pmd = [
        _method(
            name=name,
            estimator="spcabench_methods.penalised.pmd:PMD",
            title=title,
            sparse="loadings",
            params=params,
            reference=_WITTEN,
        )
        for name, params, title in (
            ("pmd", {}, "Penalised matrix decomposition"),
            ("pmd_orth", {"deflation": "schur"}, "Penalised matrix decomposition, orthogonal scores"),
        )
    ]
    dcpca = _method(
        name="dcpca",
        estimator="spcabench_methods.penalised.dcpca:DCPCA",
        title="Difference of convex functions, logarithmic penalty",
        reference="Sriperumbudur, Torres and Lanckriet, ICML 2007, 831-838, algorithm 1",
    )
    empca = [
        _method(
            name=name,
            estimator="spcabench_methods.penalised.empca:EMPCA",
            title=f"Expectation maximisation with soft thresholds{signs}",
            params=fixed,
            reference=_SIGG,
            exempt={"column_order": "its starts are drawn feature by feature"}
            | (
                dict.fromkeys(("column_sign", "knob", "dense_limit"), "its loadings have one sign")
                if "polish" in fixed
                else {}
            ),
        )
        for name, fixed, signs in (
            ("empca", {"nonnegative": False}, ""),
            ("empca_nonneg", {"nonnegative": True, "polish": False}, ", nonnegative loadings"),
        )
    ]
    alspca = _method(
        name="alspca",
        estimator="spcabench_methods.penalised.alspca:ALSPCA",
        title="Augmented Lagrangian, orthogonal loadings under an l1 penalty",
        knob=Knob("penalty", "rho"),
        reference="Lu and Zhang, Mathematical Programming 135, 2012, 149-193",
    )
    return [scotlass, spca_l1, spca_card, spca_soft, *pmd, dcpca, *empca, alspca]
