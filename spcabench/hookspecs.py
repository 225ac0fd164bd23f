"""What a plugin may provide: three hooks, each a function that returns a list of specifications.

A plugin is a module (or any object) with some of these functions, marked with ``@spcabench.hookimpl``.  It is
found through the entry-point group ``spcabench`` of an installed package, or named on the command line
(``spcabench --plugin my_method.py ...``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import pluggy

from spcabench.specs import DatasetSpec, MethodSpec, MetricSpec

PROJECT = "spcabench"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
F = TypeVar("F", bound=Callable[..., Any])


@hookspec
def spcabench_methods() -> list[MethodSpec]:  # type: ignore[empty-body]
    """Return the methods of this plugin.

    Examples
    --------
    A whole plugin, in one file ``my_method.py``:

    >>> import numpy as np
    >>> import spcabench
    >>> class FirstFeatures:
    ...     def __init__(self, n_components=2):
    ...         self.n_components = n_components
    ...     def fit(self, X, y=None):
    ...         self.components_ = np.eye(X.shape[1])[: self.n_components]
    ...         return self
    >>> @spcabench.hookimpl
    ... def spcabench_methods():
    ...     return [spcabench.MethodSpec(name="first_features", estimator="my_method:FirstFeatures")]
    """


@hookspec
def spcabench_datasets() -> list[DatasetSpec]:  # type: ignore[empty-body]
    """Return the data sets of this plugin.

    Examples
    --------
    >>> import spcabench
    >>> def load(rng, n=100):
    ...     return spcabench.Dataset(X=rng.standard_normal((n, 5)))
    >>> @spcabench.hookimpl
    ... def spcabench_datasets():
    ...     return [spcabench.DatasetSpec(name="gaussian", load="my_data:load")]
    """


@hookspec
def spcabench_metrics() -> list[MetricSpec]:  # type: ignore[empty-body]
    """Return the metrics of this plugin.

    Examples
    --------
    >>> import numpy as np
    >>> import spcabench
    >>> def features_used(evaluation):
    ...     return float(np.any(evaluation.fitted.components != 0, axis=0).sum())
    >>> @spcabench.hookimpl
    ... def spcabench_metrics():
    ...     return [spcabench.MetricSpec(name="features_used", compute="my_metric:features_used")]
    """


class Metrics:
    """The metrics of a module, each declared by a decorator of the function that computes it.

    The first line of the function's docstring is the title.  The module ends in
    ``spcabench_metrics = metrics.spcabench_metrics``: its hook.

    Parameters
    ----------
    **common
        What `MetricSpec` takes, where a metric does not say otherwise.

    Attributes
    ----------
    specs : list of MetricSpec
        In the order of the functions.
    """

    def __init__(self, **common: Any) -> None:
        self.specs: list[MetricSpec] = []
        self._common = common

    def __call__(self, **own: Any) -> Callable[[F], F]:
        """Declare a metric by the name of its function, the first line of its docstring, and more of `MetricSpec`."""

        def declare(function: F) -> F:
            name, line = function.__name__, (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")
            title = line[:1].lower() + line[1:] if line[1:2].islower() else line
            said = {"name": name, "compute": f"{function.__module__}:{name}", "title": title}
            self.specs.append(MetricSpec(**{**said, **self._common, **own}))
            return function

        return declare

    @hookimpl
    def spcabench_metrics(self) -> list[MetricSpec]:
        """Return the metrics."""
        return self.specs
