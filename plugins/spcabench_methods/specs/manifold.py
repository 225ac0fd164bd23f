"""The methods of the family manifold, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import Knob, MethodSpec, hookimpl

_method = partial(
    MethodSpec, family="manifold", sparse="weights", starts="init", iterations="max_iter", tolerance="tol"
)


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        _method(
            name="manpg",
            estimator="spcabench_methods.manifold.manpg:ManPG",
            title="Manifold proximal gradient",
            knob=Knob("penalty", "mu"),
            reference="Chen, Ma, So and Zhang, SIAM Journal on Optimization 30, 2020, 210-239",
        ),
        _method(
            name="amanpg",
            estimator="spcabench_methods.manifold.amanpg:AManPG",
            title="Alternating manifold proximal gradient",
            knob=Knob("penalty", "l1"),
            reference="Chen, Ma, Xue and Zou, INFORMS Journal on Optimization 2, 2020, 192-208",
        ),
    ]
