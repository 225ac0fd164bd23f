"""Hold a metric to its promises."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from spcabench.check.script import SEEDED, STATE, Broken, Script
from spcabench.importing import resolve
from spcabench.specs import FACTS, MetricSpec

LOADINGS = ("np.eye(4)[:1]", "np.array([[0.6, 0, 0, 0.8], [0, -1, 0, 0]])")
"""Loadings of four features, the smallest first."""
W = LOADINGS[1]

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
_EQUAL = "np.allclose([*a.values()], [*b.values()], rtol=1e-9, atol=1e-12, equal_nan=True)"


def _script(spec: MetricSpec, *lines: str, facts: Collection[str] = FACTS) -> Script:
    """Return a script with ``values(W)``, the values of the metric for loadings W, on data with the facts alone."""
    module, _, function = spec.compute.partition(":")
    known = ["X=X" if "samples" in facts else "covariance=X.T @ X / 6"]
    known += [source for fact, source in _FACTS.items() if fact in facts]
    known += ["y_test=np.arange(len(X)) % 2"] if {"labels", "test"} <= set(facts) else []
    given = "".join(f", {name}={parameter.default!r}" for name, parameter in spec.parameters.items())
    header = ("import numpy as np", f"from {module} import {function}")
    script = Script({"np": np, function: resolve(spec.compute)}, header)
    script.run(
        "from spcabench import Dataset, Evaluation, Fitted, Moments",
        "X = np.random.default_rng(0).standard_normal((6, 4)) * [4, 3, 2, 1]",
        f"dataset = Dataset({', '.join(known)})",
        "moments = Moments(X=dataset.X, covariance=dataset.covariance)",
        _VALUES.format(function=function, given=given),
        *lines,
    )
    return script


def number(spec: MetricSpec) -> None:
    """Compute the metric, and look at what it returns as the host does.

    It returns a number, or a mapping to numbers.
    """
    for loadings in LOADINGS:
        _script(spec, "from spcabench.run.worker.score import named", f"named({spec.name!r}, values({loadings}))")


def in_range(spec: MetricSpec) -> None:
    """Compare values with the declared range.

    Its values are in the declared range, or nan.
    """
    low, high = spec.range
    for loadings in (*LOADINGS, "np.full((2, 4), 0.5)"):
        script = _script(spec, "from numpy import inf", f"found = [*map(float, values({loadings}).values())]")
        outside = [v for v in script.names["found"] if v < low - 1e-9 or v > high + 1e-9]
        condition = f"all(np.isnan(v) or {low - 1e-9!r} <= v <= {high + 1e-9!r} for v in found)"
        script.want(condition, f"it returns {outside}; the declared range is from {low:g} to {high:g}")


def deterministic(spec: MetricSpec) -> None:
    """Compute it twice.

    The same loadings have the same value.
    """
    _script(spec, f"a, b = values({W}), values({W})").want(_EQUAL, "the same loadings have two values")


def inputs_untouched(spec: MetricSpec) -> None:
    """Compute it from arrays that cannot be written to, as the host hands them over, and from others.

    It writes neither to the data nor to the loadings.
    """
    script = _script(spec, f"W, before = {W}, X.copy()", "values(W)")
    script.want(f"np.array_equal(W, {W}) and np.array_equal(X, before)", "it changes its inputs")
    script.run("W.flags.writeable = X.flags.writeable = False", "values(W)")


def global_state(spec: MetricSpec) -> None:
    """Compare the states of the global generators before and after.

    It leaves the global random generators alone.
    """
    message = "it draws from a global random generator, or seeds it"
    _script(spec, *SEEDED, f"values({W})").want(f"{STATE} == state", message)


def sign(spec: MetricSpec) -> None:
    """Turn a component round.

    Its values do not depend on the signs of the components.
    """
    for loadings in LOADINGS:
        script = _script(spec, f"W = {loadings}", "a = values(W)", "W[-1] *= -1", "b = values(W)")
        script.want(_EQUAL, "it depends on the sign of a component")


def zero_components(spec: MetricSpec) -> None:
    """Compute it where a component, or all of them, is zero.

    It takes components that are zero.
    """
    for loadings in ("np.zeros((1, 4))", "np.diag([1.0, 0, 0, 0])[:2]"):
        _script(spec, f"values({loadings})")


def requires(spec: MetricSpec) -> None:
    """Compute it on data that has the required facts alone.

    It needs no fact that it does not require.
    """
    try:
        _script(spec, f"values({W})", facts=spec.requires)
    except Broken as broken:
        needed = ", ".join(sorted(spec.requires)) or "nothing"
        raise Broken(f"where the data has what it requires ({needed}): {broken.message}", broken.example) from broken


def refitted(spec: MetricSpec) -> None:
    """Change the sizes of loadings, not where they are.

    Its values do not depend on the sizes of the loadings, unless the specification says so.
    """
    if spec.refitted:
        return
    one, other = ([[big, 0, 0, small], [0, small, big, 0]] for big, small in ((0.8, 0.6), (0.96, -0.28)))
    script = _script(spec, f"a, b = values(np.array({one})), values(np.array({other}))")
    script.want(_EQUAL, "it depends on the sizes of the loadings; set refitted=True, and the report shows both")


_CHECKS = (deterministic, inputs_untouched, global_state, sign, zero_components, requires, refitted)
COMPUTED = {"number": number, "range": in_range, **{check.__name__: check for check in _CHECKS}}
"""The checks of values, by their promises."""
