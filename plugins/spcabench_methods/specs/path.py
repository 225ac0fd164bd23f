"""The methods of the family path, as a benchmark knows them."""

from __future__ import annotations

from spcabench import CARDINALITY, MethodSpec, hookimpl


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="cop",
            estimator="spcabench_methods.path.cop:COPPCA",
            title="Coordinate-pairwise path",
            family="path",
            sparse="weights",
            knob=CARDINALITY,
            params={"whole_path": False},
            settable=frozenset({"whole_path"}),
            starts="init",
            reference="Meng, Cui, Xu and Jing, Data and Knowledge Engineering 88, 2013, 25-36, algorithm 1",
        )
    ]
