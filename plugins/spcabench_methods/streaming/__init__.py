"""Streaming methods: they read the samples once, one after another, in memory for a few vectors."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, MethodSpec, Number, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import N_COMPONENTS, N_NONZERO
from spcabench_methods.core.declared_random import random_state

_POSITIVE = Number(0.0, low_open=True)

OJA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "eigengap": Parameter(
        None,
        Either(NOTHING, _POSITIVE),
        "the difference of the two leading eigenvalues, which sets the step; null: the best of six steps is kept",
    ),
    "alpha": Parameter(1.0, _POSITIVE, "factor of the step that eigengap sets"),
    "n_total": Parameter(None, Either(NOTHING, Whole(2)), "how many samples a stream has, for eigengap in partial_fit"),
    "assume_centered": Parameter(False, FLAG, "take the samples of a stream as they are, not minus their running mean"),
    "random_state": random_state("for the start"),
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="oja_threshold",
            estimator="spcabench_methods.streaming.oja:ThresholdedOja",
            title="Oja's algorithm in one pass, thresholded at the end",
            family="streaming",
            sparse="weights",
            knob=CARDINALITY,
            parameters=OJA_PARAMETERS,
            requires=frozenset({"samples"}),
            reference="Kumar and Sarkar, Advances in Neural Information Processing Systems 37, 2024, arXiv:2402.07240",
            exempt={
                "column_order": "its start is drawn feature by feature",
                "row_order": "it reads the samples once, in their order",
                "dense_limit": "one pass over the samples comes near the leading eigenvectors, not to them",
            },
        )
    ]
