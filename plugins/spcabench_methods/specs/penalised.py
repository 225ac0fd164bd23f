"""Penalties and constraints: of the families penalised, relaxation, manifold and joint, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl

_method = partial(MethodSpec, sparse="weights", knob=CARDINALITY, iterations="max_iter", tolerance="tol")
_penalised = partial(_method, family="penalised", starts="init")
_relaxation = partial(_method, family="relaxation")
_manifold = partial(_method, family="manifold", starts="init")
_joint = partial(_method, family="joint")

_ZOU = "Zou, Hastie and Tibshirani, Journal of Computational and Graphical Statistics 15, 2006, 265-286, "
_FPS = "Vu, Cho, Lei and Rohe, Advances in Neural Information Processing Systems 26, 2013, 2670-2678, algorithm 1"
_GRADIENT = "Qiu, Lei and Roeder, Biometrika 110, 2023, 339-360"
_DSPCA = "d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007, 434-448"

_SLOW = "its regressions on dependent features settle slowly"
_DRAWN = "its starts are drawn feature by feature"
_ONE_SIGN = dict.fromkeys(("column_sign", "knob", "dense_limit"), "its loadings have one sign")


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of these families."""
    pmd = [
        _penalised(
            name=name,
            estimator="spcabench_methods.penalised.pmd:PMD",
            title=title,
            sparse="loadings",
            params=params,
            reference="Witten, Tibshirani and Hastie, Biostatistics 10, 2009, 515-534, algorithms 2 and 3",
        )
        for name, params, title in (
            ("pmd", {}, "Penalised matrix decomposition"),
            ("pmd_orth", {"deflation": "schur"}, "Penalised matrix decomposition, orthogonal scores"),
        )
    ]
    empca = [
        _penalised(
            name=name,
            estimator="spcabench_methods.penalised.empca:EMPCA",
            title=f"Expectation maximisation with soft thresholds{words}",
            params=params,
            reference="Sigg and Buhmann, ICML 2008, 960-967",
            exempt={"column_order": _DRAWN, **exempt},
        )
        for name, params, words, exempt in (
            ("empca", {"nonnegative": False}, "", {}),
            ("empca_nonneg", {"nonnegative": True, "polish": False}, ", nonnegative loadings", _ONE_SIGN),
        )
    ]
    fps = [
        _relaxation(
            name=name,
            estimator="spcabench_methods.relaxation.fps:FPS",
            title=f"Fantope projection and selection, {words}",
            params=params,
            reference=reference,
        )
        for name, words, params, reference in (
            ("fps", "one component at a time", {"solver": "admm", "step": 0.5}, _FPS),
            ("grad_fps", "by gradient steps", {"solver": "gradient"}, f"{_GRADIENT}; {_FPS}"),
        )
    ]
    orthogonal = [
        _joint(
            name=name,
            estimator="spcabench_methods.joint.orthogonal:OrthogonalSPCA",
            title=title,
            params={"disjoint": disjoint},
            starts="init",
            reference="Cory-Wright and Pauphilet, arXiv:2209.14790, iterative deflation",
            exempt=exempt,
        )
        for name, disjoint, title, exempt in (
            (
                "multi_orth",
                False,
                "Orthogonal sparse components by penalised rounds",
                {"column_order": _DRAWN, "column_sign": _DRAWN},
            ),
            (
                "multi_disjoint",
                True,
                "Sparse components with disjoint supports by rounds",
                {"dense_limit": "its loadings share no feature"},
            ),
        )
    ]
    return [
        _penalised(
            name="scotlass",
            estimator="spcabench_methods.penalised.scotlass:SCoTLASS",
            title="Largest variance under a bound on the l1 norm",
            reference="Jolliffe, Trendafilov and Uddin, J. of Computational and Graphical Statistics 12, 2003, 531-547",
        ),
        _penalised(
            name="spca_l1",
            estimator="spcabench_methods.penalised.spca:SPCA",
            title="Sparse PCA by regression, elastic net with given penalties",
            knob=Knob("penalty", "l1"),
            params={"n_nonzero": None},
            reference=_ZOU + "algorithm 1",
            exempt={"scale": "its penalties are in units of the data"},
        ),
        _penalised(
            name="spca_card",
            estimator="spcabench_methods.penalised.spca:SPCA",
            title="Sparse PCA by regression, elastic net with given cardinalities",
            params={"l1": None, "bound": None},
            reference=_ZOU + "algorithm 1",
            exempt={"knob": _SLOW, "dense_limit": _SLOW},
        ),
        _penalised(
            name="spca_soft",
            estimator="spcabench_methods.penalised.spca:SPCA",
            title="Sparse PCA by regression, soft thresholds with given cardinalities",
            params={"l1": None, "bound": None, "ridge": "inf"},
            reference=_ZOU + "section 4",
        ),
        *pmd,
        _penalised(
            name="dcpca",
            estimator="spcabench_methods.penalised.dcpca:DCPCA",
            title="Difference of convex functions, logarithmic penalty",
            reference="Sriperumbudur, Torres and Lanckriet, ICML 2007, 831-838, algorithm 1",
        ),
        *empca,
        _penalised(
            name="alspca",
            estimator="spcabench_methods.penalised.alspca:ALSPCA",
            title="Augmented Lagrangian, orthogonal loadings under an l1 penalty",
            knob=Knob("penalty", "rho"),
            reference="Lu and Zhang, Mathematical Programming 135, 2012, 149-193",
        ),
        _relaxation(
            name="dspca",
            estimator="spcabench_methods.relaxation.dspca:DSPCA",
            title="Semidefinite relaxation, block coordinate ascent",
            reference=f"{_DSPCA}; Zhang and El Ghaoui, NIPS 2011, 532-539, algorithm 1",
        ),
        _relaxation(
            name="dspca_fo",
            estimator="spcabench_methods.relaxation.first_order:FirstOrderDSPCA",
            title="Semidefinite relaxation, first-order method",
            reference=_DSPCA,
            exempt={"knob": "loadings that its tolerance does not resolve are zero"},
        ),
        *fps,
        _relaxation(
            name="fps_joint",
            estimator="spcabench_methods.relaxation.subspace:SubspaceFPS",
            title="Fantope projection and selection of a subspace",
            reference=_FPS,
        ),
        _manifold(
            name="manpg",
            estimator="spcabench_methods.manifold.manpg:ManPG",
            title="Manifold proximal gradient",
            knob=Knob("penalty", "mu"),
            reference="Chen, Ma, So and Zhang, SIAM Journal on Optimization 30, 2020, 210-239",
        ),
        _manifold(
            name="amanpg",
            estimator="spcabench_methods.manifold.amanpg:AManPG",
            title="Alternating manifold proximal gradient",
            knob=Knob("penalty", "l1"),
            reference="Chen, Ma, Xue and Zou, INFORMS Journal on Optimization 2, 2020, 192-208",
        ),
        *orthogonal,
        _joint(
            name="geospca",
            estimator="spcabench_methods.joint.geospca:GeoSPCA",
            title="Components on one support, by an integer programme and cuts",
            reference="Bertsimas and Kitane, Journal of Machine Learning Research 24, 2023",
        ),
        _joint(
            name="joint",
            estimator="spcabench_methods.joint.joint_spca:JointSPCA",
            title="Components that span most together, by exchanges of features in turn",
            reference="The spcabench developers, a method of this project, 2026",
        ),
        _joint(
            name="multi_exact",
            estimator="spcabench_methods.joint.multi_exact:MultiExactSPCA",
            title="Orthogonal components certified together, by branch and bound",
            reference="The spcabench developers, a method of this project, 2026",
        ),
    ]
