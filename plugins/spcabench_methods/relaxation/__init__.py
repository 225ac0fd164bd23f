"""Convex relaxations: a matrix replaces the loading, and each result comes with an upper bound."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, ListOf, MethodSpec, Number, Parameter, hookimpl
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


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="dspca",
            estimator="spcabench_methods.relaxation.dspca:DSPCA",
            iterations="max_iter",
            tolerance="tol",
            title="Semidefinite relaxation, block coordinate ascent",
            family="relaxation",
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
            knob=CARDINALITY,
            parameters=FIRST_ORDER_PARAMETERS,
            reference="d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007, 434-448",
            exempt={"knob": "loadings that its tolerance does not resolve are zero"},
        ),
    ]
