"""Hold a metric to its promises."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from spcabench.check.declared import check_defaults, check_needed, check_taken, imported
from spcabench.check.findings import Attempt
from spcabench.check.script import SEEDED, STATE, Broken, Script
from spcabench.specs import FACTS, MetricSpec
from spcabench.targets import resolve

LOADINGS = ("np.eye(4)[:1]", "np.array([[0.6, 0, 0, 0.8], [0, -1, 0, 0]])")
"""Loadings of four features, the smallest first."""

_FACTS = {
    "clean": "X_clean=X[:-1] + 0.5",
    "test": "X_test=X[::-1] - 0.5",
    "labels": "y=np.arange(len(X)) % 2",
    "supports": "supports=np.eye(4)[:2] > 0",
    "image": "image_shape=(2, 2)",
}
"""How a data set comes by each fact but its samples."""

_VALUES = """\
def values(W):
    fitted = Fitted(components=W, mean=X.mean(axis=0))
    result = {function}(Evaluation(dataset=dataset, fitted=fitted, moments=moments){given})
    return result if isinstance(result, dict) else {{"": result}}"""


def attempts(spec: MetricSpec) -> dict[str, Attempt]:
    """Return what tries each promise of a metric, by the promise's name."""
    return {
        "resolves": partial(_resolves, spec),
        "parameters": partial(_parameters, spec),
        **{name: partial(check, spec) for name, check in COMPUTED.items()},
    }


def _resolves(spec: MetricSpec) -> None:
    imported(spec.compute)


def _parameters(spec: MetricSpec) -> None:
    takes: dict[str, inspect.Parameter] = dict(inspect.signature(imported(spec.compute)).parameters)
    takes.pop(next(iter(takes), ""), None)
    check_taken(spec.compute, takes, spec.parameters)
    check_needed(spec.compute, takes, spec.parameters)
    check_defaults(spec.compute, takes, spec.parameters, {})


def _script(spec: MetricSpec, facts: frozenset[str] | tuple[str, ...] = FACTS) -> Script:
    """Return a script with ``values(W)``, the values of the metric for loadings W, on data with the facts alone."""
    module, _, function = spec.compute.partition(":")
    header = ("import numpy as np", f"from {module} import {function}")
    script = Script({"np": np, function: resolve(spec.compute)}, header)
    script.run("from spcabench import Dataset, Evaluation, Fitted, Moments")
    script.run("X = np.random.default_rng(0).standard_normal((6, 4)) * [4, 3, 2, 1]")
    known = ["X=X" if "samples" in facts else "covariance=X.T @ X / 6"]
    known += [source for fact, source in _FACTS.items() if fact in facts]
    labelled_test = ["y_test=np.arange(len(X)) % 2"] if {"labels", "test"} <= set(facts) else []
    script.run(f"dataset = Dataset({', '.join(known + labelled_test)})")
    script.run("moments = Moments(X=dataset.X, covariance=dataset.covariance)")
    given = "".join(f", {name}={parameter.default!r}" for name, parameter in spec.parameters.items())
    script.run(_VALUES.format(function=function, given=given))
    return script


def number(spec: MetricSpec) -> None:
    """Compute the metric, and look at what it returns as the host does."""
    for W in LOADINGS:
        script = _script(spec)
        script.run("from spcabench.run.worker.score import named", f"named({spec.name!r}, values({W}))")


def in_range(spec: MetricSpec) -> None:
    """Compare values with the declared range."""
    low, high = spec.range
    for W in (*LOADINGS, "np.full((2, 4), 0.5)"):
        script = _script(spec)
        script.run(f"found = [*map(float, values({W}).values())]")
        outside = [v for v in script.names["found"] if v < low - 1e-9 or v > high + 1e-9]
        condition = f"all(np.isnan(v) or {low - 1e-9!r} <= v <= {high + 1e-9!r} for v in found)"
        script.names["inf"] = np.inf
        script.want(condition, f"it returns {outside}; the declared range is from {low:g} to {high:g}")


def deterministic(spec: MetricSpec) -> None:
    """Compute it twice."""
    script = _script(spec)
    script.run(f"a, b = values({LOADINGS[1]}), values({LOADINGS[1]})")
    script.want(_EQUAL, "the same loadings have two values")


def inputs_untouched(spec: MetricSpec) -> None:
    """Compute it from arrays that cannot be written to, as the host hands them over, and from others."""
    script = _script(spec)
    script.run(f"W, before = {LOADINGS[1]}, X.copy()", "values(W)")
    script.want(f"np.array_equal(W, {LOADINGS[1]}) and np.array_equal(X, before)", "it changes its inputs")
    script.run("W.flags.writeable = X.flags.writeable = False", "values(W)")


def global_state(spec: MetricSpec) -> None:
    """Compare the states of the global generators before and after."""
    script = _script(spec)
    script.run(*SEEDED, f"values({LOADINGS[1]})")
    script.want(f"{STATE} == state", "it draws from a global random generator, or seeds it")


def sign(spec: MetricSpec) -> None:
    """Turn a component round."""
    for W in LOADINGS:
        script = _script(spec)
        script.run(f"W = {W}", "a = values(W)", "W[-1] *= -1", "b = values(W)")
        script.want(_EQUAL, "it depends on the sign of a component")


def zero_components(spec: MetricSpec) -> None:
    """Compute it where a component, or all of them, is zero."""
    for W in ("np.zeros((1, 4))", "np.diag([1.0, 0, 0, 0])[:2]"):
        script = _script(spec)
        script.run(f"values({W})")


def requires(spec: MetricSpec) -> None:
    """Compute it on data that has the required facts alone."""
    script = _script(spec, spec.requires)
    try:
        script.run(f"values({LOADINGS[1]})")
    except Broken as broken:
        needed = ", ".join(sorted(spec.requires)) or "nothing"
        raise Broken(f"where the data has what it requires ({needed}): {broken.message}", broken.example) from broken


def refitted(spec: MetricSpec) -> None:
    """Change the sizes of loadings, not where they are."""
    if spec.refitted:
        return
    script = _script(spec)
    one, other = ([[big, 0, 0, small], [0, small, big, 0]] for big, small in ((0.8, 0.6), (0.96, -0.28)))
    script.run(f"a, b = values(np.array({one})), values(np.array({other}))")
    script.want(_EQUAL, "it depends on the sizes of the loadings; set refitted=True, and the report shows both")


_EQUAL = "np.allclose([*a.values()], [*b.values()], rtol=1e-9, atol=1e-12, equal_nan=True)"

COMPUTED: Mapping[str, Callable[[MetricSpec], None]] = {
    "number": number,
    "range": in_range,
    "deterministic": deterministic,
    "inputs_untouched": inputs_untouched,
    "global_state": global_state,
    "sign": sign,
    "zero_components": zero_components,
    "requires": requires,
    "refitted": refitted,
}
"""The checks of values."""
