"""The methods of the family streaming, as a benchmark knows them."""

from __future__ import annotations

from spcabench import CARDINALITY, MethodSpec, hookimpl


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
            requires=frozenset({"samples"}),
            reference="Kumar and Sarkar, Advances in Neural Information Processing Systems 37, 2024, arXiv:2402.07240",
            exempt={
                "column_order": "its start is drawn feature by feature",
                "column_sign": "its start is drawn feature by feature",
                "row_order": "it reads the samples once, in their order",
                "dense_limit": "one pass over the samples comes near the leading eigenvectors, not to them",
            },
        )
    ]
