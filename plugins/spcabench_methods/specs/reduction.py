"""The methods of the family reduction, as a benchmark knows them."""

from __future__ import annotations

from spcabench import CARDINALITY, MethodSpec, hookimpl


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="block_diag",
            estimator="spcabench_methods.reduction.block_diagonal:BlockDiagonal",
            title="The best block of a thresholded covariance, by branch and bound",
            family="reduction",
            sparse="weights",
            knob=CARDINALITY,
            reference="Del Pia, Zhou and Zhu, International Conference on Learning Representations, 2025, "
            "arXiv:2410.14092",
        )
    ]
