"""Rotations of the leading eigenvectors, which explain as much whatever the rotation: towards sparse ones."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, Knob, MethodSpec, Number, OneOf, Parameter, hookimpl
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, REFIT, iterations, n_nonzero
from spcabench_methods.core.declared_starts import starts
from spcabench_methods.truncations import fixed, level_parameters, of_methods, truncations, without

ROTATION_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": n_nonzero("all, unless threshold is given"),
    "threshold": Parameter(
        None, Either(NOTHING, Number(0.0)), "entries not larger than it become zero after the rotation"
    ),
    "criterion": Parameter("varimax", OneOf("varimax", "quartimax"), "what the rotation maximises"),
    "scaled": Parameter(
        False,
        FLAG,
        "rotate eigenvectors scaled by the square roots of their eigenvalues; unscaled, varimax and quartimax coincide",
    ),
    "refit": Parameter(False, FLAG, REFIT),
    **starts("pca"),
    "tol": Parameter(1e-6, Number(0.0), "iterations stop when the criterion grows by no more than this share"),
    "max_iter": iterations(500),
    "covariance": COVARIANCE,
}

SPCART_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    **level_parameters(each=False),
    **starts("pca"),
    "refit": Parameter(False, FLAG, REFIT),
    "tol": Parameter(0.01, Number(0.0), "iterations stop when the loadings move by no more than this, in mean square"),
    "max_iter": iterations(200),
    "covariance": COVARIANCE,
}

SCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "gamma": Parameter(
        None,
        Either(NOTHING, Number(1.0)),
        "what the magnitudes of all entries sum to, or with 'l0' how many entries stay",
    ),
    "shrinkage": Parameter(
        None, Either(NOTHING, Number(0.0, 1.0)), "instead of gamma: 0 shrinks nothing, 1 leaves about an entry each"
    ),
    "truncation": Parameter("l1", OneOf("l1", "l0"), "a soft threshold for all entries, or the largest entries"),
    "refit": Parameter(False, FLAG, REFIT),
    "tol": Parameter(1e-5, Number(0.0), "iterations stop when the unit loadings change by less than this"),
    "max_iter": iterations(1000),
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    rotations = [
        MethodSpec(
            name=criterion,
            estimator="spcabench_methods.rotation.varimax:Rotation",
            iterations="max_iter",
            tolerance="tol",
            title=f"Rotated eigenvectors, {criterion} criterion, thresholded",
            family="rotation",
            sparse="loadings",
            knob=CARDINALITY,
            parameters={name: parameter for name, parameter in ROTATION_PARAMETERS.items() if name != "criterion"},
            params={"criterion": criterion},
            starts="init",
            reference="Jolliffe, Journal of Applied Statistics 22, 1995, 29-35",
        )
        for criterion in ("varimax", "quartimax")
    ]
    spcart = [
        MethodSpec(
            name=f"spcart_{truncation.symbol}",
            estimator="spcabench_methods.rotation.spcart:SPCArt",
            iterations="max_iter",
            tolerance="tol",
            title=f"Sparse PCA via rotation and truncation, {truncation.words}",
            family="rotation",
            sparse="loadings",
            knob=truncation.level.knob,
            parameters=without(SPCART_PARAMETERS, fixed(truncation)),
            params=fixed(truncation),
            starts="init",
            reference=f"Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 1; {truncation.source}",
        )
        for truncation in of_methods("spcart", truncations())
    ]
    sca = [
        MethodSpec(
            name=f"sca_{truncation}",
            estimator="spcabench_methods.rotation.sca:SCA",
            iterations="max_iter",
            tolerance="tol",
            title=f"Sparse component analysis, {words}",
            family="rotation",
            sparse="loadings",
            knob=Knob("penalty", "shrinkage", high=1.0),
            parameters=without(SCA_PARAMETERS, ["truncation"]),
            params={"truncation": truncation},
            exempt=exempt,
            reference="Chen and Rohe, Journal of Computational and Graphical Statistics 33, 2023, 421-434",
        )
        for truncation, words, exempt in (
            ("l1", "one soft threshold", {"knob": "at the least budget of its model several small entries may stay"}),
            ("l0", "largest entries of all loadings", {}),
        )
    ]
    return [*rotations, *spcart, *sca]
