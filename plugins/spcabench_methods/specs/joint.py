"""The methods of the family joint, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(
    MethodSpec, family="joint", sparse="weights", knob=CARDINALITY, iterations="max_iter", tolerance="tol"
)


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    orthogonal = [
        _method(
            name=name,
            estimator="spcabench_methods.joint.orthogonal:OrthogonalSPCA",
            title=title,
            params={"disjoint": disjoint},
            starts="init",
            reference="Cory-Wright and Pauphilet, arXiv:2209.14790, iterative deflation",
            exempt={"dense_limit": "its loadings share no feature"}
            if disjoint
            else dict.fromkeys(("column_order", "column_sign"), "its starts are drawn feature by feature"),
        )
        for name, disjoint, title in (
            ("multi_orth", False, "Orthogonal sparse components by penalised rounds"),
            ("multi_disjoint", True, "Sparse components with disjoint supports by rounds"),
        )
    ]
    geospca = _method(
        name="geospca",
        estimator="spcabench_methods.joint.geospca:GeoSPCA",
        title="Components on one support, by an integer programme and cuts",
        reference="Bertsimas and Kitane, Journal of Machine Learning Research 24, 2023",
        exempt={"growth": "it solves an integer programme"},
    )
    joint = _method(
        name="joint",
        estimator="spcabench_methods.joint.joint_spca:JointSPCA",
        title="Components that span most together, by exchanges of features in turn",
        reference="The spcabench developers, a method of this project, 2026",
    )
    return [*orthogonal, geospca, joint]
