"""Reductions: a problem is split into smaller ones, which another method solves."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, NOTHING, Either, MethodSpec, Number, OneOf, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, DEFLATION, N_COMPONENTS, N_NONZERO

INNER = ("exact", "greedy", "tpower")
"""The words for the methods that solve the blocks; `spcabench_methods.reduction.block_diagonal` has them."""


class Estimator:
    """A method that finds one component of a covariance, with a number of nonzeros."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` is an estimator with the parameters that are set for each block."""
        return all(hasattr(value, name) for name in ("fit", "n_components", "n_nonzero", "covariance"))

    def __str__(self) -> str:
        return "an estimator with the parameters n_components, n_nonzero and covariance"


BLOCK_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "inner": Parameter(
        "exact", Either(OneOf(*INNER), Estimator()), "the method for a block: branch and bound, greedy, power, or any"
    ),
    "eps": Parameter(
        None,
        Either(NOTHING, Number(0.0)),
        "covariances of no larger magnitude count as zero between blocks; null: the smallest that max_block allows",
    ),
    "max_block": Parameter(
        None, Either(NOTHING, Whole(1)), "the most features of a block, unless eps is given; null: 30, or n_nonzero"
    ),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}


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
            parameters=BLOCK_PARAMETERS,
            reference="Del Pia, Zhou and Zhu, International Conference on Learning Representations, 2025, "
            "arXiv:2410.14092",
        )
    ]
