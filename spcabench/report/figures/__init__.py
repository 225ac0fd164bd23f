"""The figures a report may show: each a module of this package with a function ``draw``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spcabench.report.figures.views import View
    from spcabench.report.model import Results


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    Parameters
    ----------
    name : str
        What a suite calls it; also the module that draws it and the name of its files.
    title : str
        What it is, in a few words; behind a colon what it shows, where those do not say it.
    needs : str
        What it needs to be drawn.
    """

    name: str
    title: str
    needs: str

    @property
    def heading(self) -> str:
        """What it is, in a few words."""
        return self.title.partition(":")[0].removesuffix(".")

    @property
    def caption(self) -> str:
        """What it shows, in a clause; empty where the heading says it."""
        return self.title.partition(": ")[2].removesuffix(".")

    @property
    def draw(self) -> Callable[[Results], View | None]:
        """The function that makes a chart of results, or None if they lack what it needs."""
        module = import_module(f"{__name__}.{self.name}")
        draw: Callable[[Results], View | None] = module.draw
        return draw


_ALL = (
    Kind(
        "metric_bars",
        "The metrics of the main table: mean and standard deviation over the seeds.",
        "a metric with a direction, and at least two methods",
    ),
    Kind(
        "err_curve",
        "Reconstruction error against the number of components: mean and standard deviation over the seeds.",
        "the metric err at several numbers of components",
    ),
    Kind(
        "accuracy_curve",
        "Accuracy of classification against the number of components: "
        "mean over the seeds with its 95 % interval, what all features reach, and the numbers of papers.",
        "the metric accuracy at several numbers of components",
    ),
    Kind(
        "pareto",
        "Explained variance against the mean number of nonzeros of a component.",
        "the metric cpev, and at least two points",
    ),
    Kind(
        "cpev_curve",
        "Explained variance at each target cardinality, and what dense loadings explain.",
        "the metric cpev at several target cardinalities",
    ),
    Kind(
        "nor_cpev",
        "Nonorthogonality against explained variance.",
        "the metrics nor and cpev, and at least two methods",
    ),
    Kind(
        "sparsity_balance",
        "Nonzeros of each component: whether a method shares them evenly.",
        "the nonzeros of the components on record",
    ),
    Kind(
        "scaling",
        "Time of a fit against the size of the data, on logarithmic axes.",
        "a grid of data sets that differ in one size or one parameter",
    ),
    Kind(
        "convergence",
        "Distance to the method's own limit against CPU time: relative distance of the objective, on logarithmic axes.",
        "traces of convergence, which a suite has with convergence: true",
    ),
    Kind(
        "parameter_curve",
        "Metrics against a parameter of the data set: "
        "a curve over more than 100 values has one point for ten successive ones, their mean.",
        "a grid of data sets with one numeric axis, and a metric with a direction",
    ),
    Kind(
        "solution_path",
        "Loadings along the solution path, from one nonzero to all.",
        "a method that leaves whole solution paths, such as cop with whole_path: true",
    ),
    Kind(
        "path_curves",
        "Norms and objective along the solution path of the first component, from dense to sparse.",
        "a method that leaves whole solution paths, such as cop with whole_path: true",
    ),
    Kind("loadings", "The loadings of the first components as images.", "a data set of images, and loadings"),
    Kind(
        "reconstructions",
        "A few samples: originals, as used, and as the components reconstruct them.",
        "a data set of images with samples, and loadings",
    ),
    Kind(
        "loading_bars",
        "The loadings of the first components, variable by variable.",
        "a data set of at most 40 variables that are not pixels, and loadings",
    ),
)

FIGURES: Mapping[str, Kind] = MappingProxyType({figure.name: figure for figure in _ALL})
"""Every kind of figure, by name."""


def lacking() -> str:
    """Return what is to be installed before figures can be drawn; nothing if all is."""
    if all(find_spec(module) for module in ("altair", "vl_convert")):
        return ""
    return "figures take altair and vl-convert: pip install 'spcabench[report]'"
