"""Convex relaxations: a matrix replaces the loading, and each result comes with an upper bound."""

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
    Whole,
    hookimpl,
)
from spcabench_methods.core.declared import COVARIANCE, DEFLATION, N_COMPONENTS, N_NONZERO, REFIT, iterations, tolerance

_LAM = Number(0.0)

DSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "lam": Parameter(
        None,
        Either(NOTHING, _LAM, ListOf(_LAM)),
        "the penalty on the magnitudes of the matrix, in units of variance, instead of n_nonzero; one, or one per "
        "component",
    ),
    "refit": Parameter(True, FLAG, REFIT),
    "tol": tolerance(1e-6),
    "max_iter": iterations(50),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

FIRST_ORDER_PARAMETERS: Mapping[str, Parameter] = {
    **DSPCA_PARAMETERS,
    "tol": Parameter(
        0.005,
        Number(0.0, 0.2, low_open=True),
        "iterations stop when objective and bound differ by no more, relative to the largest variance",
    ),
    "max_iter": iterations(3000),
}

FPS_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "lam": DSPCA_PARAMETERS["lam"],
    "refit": Parameter(True, FLAG, REFIT),
    "solver": Parameter("admm", OneOf("admm", "gradient"), "how the convex problem is solved"),
    "step": Parameter(
        0.5, Number(0.0, low_open=True), "gradient: the length of its steps, divided by the largest variance"
    ),
    "tol": Parameter(1e-6, Number(0.0), "iterations stop when the matrix violates no constraint by more, nor moves"),
    "max_iter": iterations(5000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

SUBSPACE_PARAMETERS: Mapping[str, Parameter] = {
    **{name: parameter for name, parameter in FPS_PARAMETERS.items() if name != "deflation"},
    "n_nonzero": Parameter(
        None,
        Either(NOTHING, Whole(1)),
        "features of all components together; n_features or more: no penalty; null: the square root of n_features, "
        "rounded up, unless lam is given",
    ),
    "lam": Parameter(
        None,
        Either(NOTHING, _LAM),
        "the penalty on the magnitudes of the matrix, in units of variance, instead of n_nonzero",
    ),
    "refit": Parameter(
        True, FLAG, "take the leading eigenvectors of the covariance on the features, not of the matrix"
    ),
}

_FPS = "Vu, Cho, Lei and Rohe, Advances in Neural Information Processing Systems 26, 2013, 2670-2678, algorithm 1"
_GRADIENT = "Qiu, Lei and Roeder, Biometrika 110, 2023, 339-360"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    fps = [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.relaxation.fps:FPS",
            iterations="max_iter",
            tolerance="tol",
            title=f"Fantope projection and selection, {words}",
            family="relaxation",
            sparse="weights",
            knob=CARDINALITY,
            parameters={key: p for key, p in FPS_PARAMETERS.items() if key not in fixed},
            params=fixed,
            reference=reference,
        )
        for name, words, fixed, reference in (
            ("fps", "one component at a time", {"solver": "admm", "step": 0.5}, _FPS),
            ("grad_fps", "by gradient steps", {"solver": "gradient"}, f"{_GRADIENT}; {_FPS}"),
        )
    ]
    subspace = MethodSpec(
        name="fps_joint",
        estimator="spcabench_methods.relaxation.subspace:SubspaceFPS",
        iterations="max_iter",
        tolerance="tol",
        title="Fantope projection and selection of a subspace",
        family="relaxation",
        sparse="weights",
        knob=CARDINALITY,
        parameters=SUBSPACE_PARAMETERS,
        reference=_FPS,
    )
    return [
        MethodSpec(
            name="dspca",
            estimator="spcabench_methods.relaxation.dspca:DSPCA",
            iterations="max_iter",
            tolerance="tol",
            title="Semidefinite relaxation, block coordinate ascent",
            family="relaxation",
            sparse="weights",
            knob=CARDINALITY,
            parameters=DSPCA_PARAMETERS,
            reference="d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007, 434-448; "
            "Zhang and El Ghaoui, NIPS 2011, 532-539, algorithm 1",
        ),
        MethodSpec(
            name="dspca_fo",
            estimator="spcabench_methods.relaxation.first_order:FirstOrderDSPCA",
            iterations="max_iter",
            tolerance="tol",
            title="Semidefinite relaxation, first-order method",
            family="relaxation",
            sparse="weights",
            knob=CARDINALITY,
            parameters=FIRST_ORDER_PARAMETERS,
            reference="d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007, 434-448",
            exempt={"knob": "loadings that its tolerance does not resolve are zero"},
        ),
        *fps,
        subspace,
    ]
