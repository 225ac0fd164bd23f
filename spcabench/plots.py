"""Figures of a fitted estimator: its loadings, and samples and variables along two of its components.

An estimator is any with ``components_``, of this project or of scikit-learn, or a pipeline with one in it: what stands
before it is applied to the samples, and its names are those of the variables.  Figures show themselves in a notebook;
``figure.save("biplot.svg")`` writes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from spcabench.report.figures import Figure
from spcabench.report.figures.style import HUES, INK, LOUD, shorten, stack
from spcabench.report.figures.views import Rows, Spec, View, field, layer, value
from spcabench.specs import Array
from spcabench.wording import InputError

MOST_LOADINGS = 60
"""Variables of a heat map."""
DARK = 0.55
"""A loading beyond this share of the largest has white text."""
MOST_ROWS, MOST_ARROWS = 3000, 20
"""Rows and variables that are drawn along two components; of more rows a random part, the largest variables."""
ASIDE = 1.6
"""How much wider than high the correlation circle is, for the names beside it."""
LINE, BESIDE, ABOVE = "#777777", 0.4, 0.08
"""The colour of the circle; names of arrows less apart than the one share of the longest stand the other above."""


def loadings(estimator: Any) -> pd.DataFrame:
    """Return the components of a fitted estimator with their names.

    Parameters
    ----------
    estimator : object
        With ``components_``, or a pipeline with such a step.

    Returns
    -------
    DataFrame of shape (n_features, n_components)
        Variables by components, as ``get_feature_names_out`` names them; variables without a name are ``x0``, ...

    Raises
    ------
    InputError
        If there are no components.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from spcabench_methods import TPower
    >>> frame = loadings(TPower(n_components=1, n_nonzero=1).fit(load_wine(as_frame=True).data))
    >>> frame[frame.any(axis=1)]
             tpower0
    proline      1.0
    """
    step, before = _step(estimator)
    W = np.asarray(step.components_, dtype=np.float64)
    names = getattr(step, "feature_names_in_", None)
    if names is None and before is not None:
        names = before.get_feature_names_out()
    index = [f"x{i}" for i in range(W.shape[1])] if names is None else list(map(str, names))
    own = getattr(step, "get_feature_names_out", None)
    return pd.DataFrame(W.T, index, own() if own else [f"PC{j + 1}" for j in range(len(W))])


def heat_map(estimator: Any) -> Figure:
    """Draw the loadings, variables clustered by the component that has them.

    Parameters
    ----------
    estimator : object
        With ``components_``, or a pipeline with such a step.

    Raises
    ------
    InputError
        If there are no components, or all are zero.
    """
    drawn = loading_map(loadings(estimator))
    if drawn is None:
        raise InputError("all components are zero; nothing can be drawn")
    return Figure("heat_map", "Loadings", "", drawn)


def biplot(
    estimator: Any, X: ArrayLike, *, components: Sequence[int] = (1, 2), labels: Sequence[object] | None = None
) -> Figure:
    """Draw the scores of samples along two components, and the variables as arrows.

    Parameters
    ----------
    estimator : object
        With ``components_`` and ``transform``, or a pipeline with such a step.
    X : array-like or DataFrame of shape (n_samples, n_features)
        The samples, as the estimator takes them.
    components : pair of int
        Which, counted from 1.
    labels : sequence of shape (n_samples,), optional
        Classes that colour the samples.

    Raises
    ------
    InputError
        If there are no such components, or labels and samples differ in number.
    """
    frame, T, _ = _scored(estimator, X, components)
    if labels is not None and len(labels) != len(T):
        raise InputError(f"there are {len(labels)} labels and {len(T)} samples; a label for each is wanted")
    return Figure("biplot", "Biplot", "", scatter(frame, T, [] if labels is None else list(map(str, labels))))


def circle(estimator: Any, X: ArrayLike, *, components: Sequence[int] = (1, 2)) -> Figure:
    """Draw the correlations of the variables with the scores of two components, within the unit circle.

    Variables that neither component has are left out.

    Parameters
    ----------
    estimator, X, components
        As of `biplot`.

    Raises
    ------
    InputError
        If there are no such components.
    """
    return Figure("circle", "Correlation circle", "", correlations(*_scored(estimator, X, components)))


def _step(estimator: Any) -> tuple[Any, Any]:
    """Return the step with components, and what stands before it, if anything does."""
    steps = [step for _, step in getattr(estimator, "steps", [("", estimator)])]
    for place, step in enumerate(steps):
        if hasattr(step, "components_"):
            return step, estimator[:place] if place else None
    name = type(estimator).__name__
    raise InputError(f"{name} has no components_; a fitted estimator, or a pipeline with one, is wanted")


def _scored(estimator: Any, X: Any, components: Sequence[int]) -> tuple[pd.DataFrame, Array, Array]:
    """Return the loadings of two components, the scores, and the samples as the step with components takes them."""
    frame = loadings(estimator)
    both = [j - 1 for j in components]
    if len(both) != 2 or not all(0 <= j < frame.shape[1] for j in both):
        raise InputError(f"components is {components!r}; valid are two of 1 to {frame.shape[1]}, counted from 1")
    step, before = _step(estimator)
    A = X if before is None else before.transform(X)
    T = np.asarray(step.transform(A), dtype=np.float64)[:, both]
    return frame.iloc[:, both], T, np.asarray(A.toarray() if hasattr(A, "toarray") else A, dtype=np.float64)


def loading_map(frame: pd.DataFrame) -> View | None:
    """Draw loadings, or return None if all are zero: variables of the first component first, then what others add."""
    W = frame.to_numpy().T
    every = list(dict.fromkeys(f for w in W for f in np.argsort(-np.abs(w), kind="stable").tolist() if w[f]))
    if not every:
        return None
    order, largest = every[:MOST_LOADINGS], float(np.abs(W).max())
    rows = Rows(
        {
            "variable": shorten(str(frame.index[f]), 32),
            "component": str(name),
            "loading": float(w[f]),
            "text": f"{w[f]:+.2f}" if w[f] else "",
            "dark": bool(abs(w[f]) > DARK * largest),
        }
        for f in order
        for name, w in zip(frame, W, strict=True)
    )
    place = {
        "x": field("component:N", title=None, sort=None, axis={"orient": "top", "labelAngle": 0}),
        "y": field("variable:N", title=None, sort=None),
    }
    scale = {"domain": [-largest, 0, largest], "range": ["#2166ac", "#f7f7f7", "#b2182b"]}
    colour = field("loading:Q", scale=scale, legend={"title": "loading", "format": "+.1f"})
    tooltip = ["variable:N", "component:N", "loading:Q"]
    ink = {"condition": {"test": "datum.dark", "value": "white"}, "value": INK}
    boxes = rows.mark("rect", {**place, "color": colour, "tooltip": tooltip}, stroke="white")
    texts = rows.mark("text", {**place, "text": "text:N", "color": ink}, fontSize=11)
    panel = layer(boxes, texts, width=max(60 * len(W), 120), height=18 * len(order))
    first = f"The first {MOST_LOADINGS} of {len(every)} variables."
    said = first if len(every) > len(order) else "Variables of no component are left out."
    return stack([panel], "Loadings", said)


def scatter(frame: pd.DataFrame, T: Array, classes: Sequence[str] = (), legend: str | None = None) -> View | None:
    """Draw the scores of samples along two components, and the variables of these as arrows."""
    drawn = np.arange(len(T))
    if len(T) > MOST_ROWS:
        drawn = np.sort(np.random.default_rng(0).choice(len(T), MOST_ROWS, replace=False))
    rows = Rows(
        {"first": float(T[i, 0]), "second": float(T[i, 1]), "label": shorten(classes[i], 28) if classes else ""}
        for i in drawn.tolist()
    )
    place: Spec = {"x": field("first:Q", title=frame.columns[0]), "y": field("second:Q", title=frame.columns[1])}
    shown = {"title": legend, "symbolLimit": 20}
    colour = field("label:N", scale={"range": list(HUES)}, legend=shown) if classes else value(HUES[1])
    points = rows.mark("circle", {**place, "color": colour}, size=38, opacity=0.6)
    length = 0.9 * float(np.abs(T).max()) / float(np.abs(frame.to_numpy()).max() or 1.0)
    panel = layer(points, *_arrows(frame.index, length * frame.to_numpy()), width=470, height=380)
    return stack([panel], "Biplot")


def correlations(frame: pd.DataFrame, T: Array, A: Array) -> View | None:
    """Draw the correlations of the variables of two components with their scores, within the unit circle."""
    A, T = A - A.mean(axis=0), T - T.mean(axis=0)
    spread = np.outer(np.linalg.norm(A, axis=0), np.linalg.norm(T, axis=0))
    C = np.where(frame.any(axis=1).to_numpy()[:, None], A.T @ T / np.where(spread > 0, spread, np.inf), 0.0)
    angles = np.linspace(0, 2 * np.pi, 90).tolist()
    ring = Rows({"first": np.cos(angle), "second": np.sin(angle), "order": angle} for angle in angles)
    across = {"domain": [-1.05 * ASIDE, 1.05 * ASIDE], "nice": False}
    place = {
        "x": field("first:Q", title=f"correlation with {frame.columns[0]}", scale=across),
        "y": field("second:Q", title=f"with {frame.columns[1]}", scale={"domain": [-1.05, 1.05], "nice": False}),
        "order": field("order:Q"),
    }
    panel = layer(ring.mark("line", place, color=LINE), *_arrows(frame.index, C), width=380 * ASIDE, height=380)
    return stack([panel], "Correlation circle")


def _arrows(names: pd.Index[Any], ends: Array) -> tuple[View, ...]:
    """Draw the longest arrows, from the origin to their ends in rows, and their names, one above another if near."""
    sizes = np.linalg.norm(ends, axis=1)
    largest = [f for f in np.argsort(-sizes, kind="stable").tolist() if sizes[f] > 0][:MOST_ARROWS]
    at, far = dict[int, float](), float(sizes.max())
    for f in sorted(largest, key=lambda one: float(ends[one, 1])):
        near = (g for g in at if abs(ends[g, 0] - ends[f, 0]) < BESIDE * far)
        at[f] = max([float(ends[f, 1]), *(at[g] + ABOVE * far for g in near)])
    rows = Rows(
        {"first": float(x), "second": float(y), "zero": 0.0, "name": shorten(str(names[f]), 20), "at": at[f]}
        for f, (x, y) in zip(largest, ends[largest], strict=True)
    )
    from_to = {"x": field("zero:Q"), "y": field("zero:Q"), "x2": field("first"), "y2": field("second")}
    arrows = rows.mark("rule", from_to, color=LOUD, strokeWidth=1.2)
    texts = {"x": field("first:Q"), "y": field("at:Q"), "text": "name:N"}
    left = rows.mark("text", texts, dx=-5, align="right", fontSize=11, color=LOUD).where("datum.first < 0")
    right = rows.mark("text", texts, dx=5, align="left", fontSize=11, color=LOUD).where("datum.first >= 0")
    return arrows, left, right
