"""The methods of the family rotation, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl
from spcabench_methods.specs._truncations import fixed, knob_of, of_methods
from spcabench_methods.truncations import truncations

_method = partial(MethodSpec, family="rotation", sparse="loadings", iterations="max_iter", tolerance="tol")


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    rotations = [
        _method(
            name=criterion,
            estimator="spcabench_methods.rotation.varimax:Rotation",
            title=f"Rotated eigenvectors, {criterion} criterion, thresholded",
            knob=CARDINALITY,
            params={"criterion": criterion},
            starts="init",
            reference="Jolliffe, Journal of Applied Statistics 22, 1995, 29-35",
        )
        for criterion in ("varimax", "quartimax")
    ]
    spcart = [
        _method(
            name=f"spcart_{truncation.symbol}",
            estimator="spcabench_methods.rotation.spcart:SPCArt",
            title=f"Sparse PCA via rotation and truncation, {truncation.words}",
            knob=knob_of(truncation),
            params=fixed(truncation),
            starts="init",
            reference=f"Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 1; {truncation.source}",
        )
        for truncation in of_methods("spcart", truncations())
    ]
    sca = [
        _method(
            name=f"sca_{truncation}",
            estimator="spcabench_methods.rotation.sca:SCA",
            title=f"Sparse component analysis, {words}",
            knob=Knob("penalty", "shrinkage", high=1.0),
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
