"""The contracts: what a method, a data set and a metric are.

Everything here is light to import: a specification names its code as ``"module:attribute"``, so that listing
and validating never import scikit-learn or numba.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.own_parameters import OwnParameters
from spcabench.parameters import Parameter

Array = NDArray[np.float64]

Refit = Literal["together"] | bool
"""How loadings are refitted on their supports: not at all, one after the other, or together."""

FACTS = ("samples", "clean", "test", "labels", "supports", "image")
"""What a data set may know, and a method or metric may require:

- ``samples``: a matrix of samples, not a covariance alone;
- ``clean``: the uncorrupted originals of (some of) the samples;
- ``test``: held-out samples;
- ``labels``: a class for each sample;
- ``supports``: the true supports of the components;
- ``image``: features that are the pixels of an image.
"""


class DataUnavailable(Exception):
    """The real data is not available here; the message says where to get it."""


class MethodUnavailable(Exception):
    """A program that a method runs is not here, or lacks a package; the message says what to install.

    ``fit`` raises it, and the cell is ``unavailable``.
    """


@dataclass(frozen=True)
class Knob:
    """The one parameter of a method that controls sparsity.

    Parameters
    ----------
    kind : {"none", "cardinality", "penalty"}
        ``none``: dense by nature.  ``cardinality``: `parameter` takes the wanted number of nonzeros of a
        component, as one number or one per component (a method that searches its penalties inside ``fit`` is
        of this kind too).  ``penalty``: one number shared by all components, searched by the host.
    parameter : str
        The estimator's parameter.
    low, high : float
        Of a penalty: between these bounds it is searched; at the lower one nothing is truncated.
    """

    kind: Literal["none", "cardinality", "penalty"] = "none"
    parameter: str = ""
    low: float = 0.0
    high: float = math.inf


CARDINALITY = Knob("cardinality", "n_nonzero")
DENSE = Knob()


@dataclass(frozen=True, kw_only=True)
class Spec:
    """What specifications have in common; the parameters are those that the code declares, if none are given."""

    CODE = ""
    """The field that names the code."""

    name: str
    title: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    exempt: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.parameters, OwnParameters) or self.parameters == {}:
            own = OwnParameters(self.target, getattr(self, "params", {}), getattr(self, "settable", frozenset()))
            object.__setattr__(self, "parameters", own)

    @property
    def target(self) -> Any:
        """The ``"module:attribute"`` of the code."""
        return getattr(self, self.CODE)


@dataclass(frozen=True, kw_only=True)
class MethodSpec(Spec):
    """A named sparse PCA algorithm: a scikit-learn estimator class and how its sparsity is set.

    Parameters
    ----------
    name : str
        Lower case, digits and underscores.
    estimator : str
        ``"module:Class"``.  The class has ``fit(X)`` and, after it, ``components_`` of shape
        ``(n_components, n_features)``.  Anything with these two will do.
    title : str
        One line for lists and reports.
    family : str
        Methods of one family share a hue in figures.
    knob : Knob
        How sparsity is set.
    sparse : {"", "weights", "loadings"}
        What its model makes sparse: the weights w of scores X w, or the loadings that approximate samples by
        scores; empty if neither, or if it is not known.  `components_` has them.
    parameters : mapping of str to Parameter
        What a suite may set, with defaults and valid values.  By default what the class declares itself, by
        ``_parameter_constraints`` as scikit-learn's classes do, but for those of `params`.  A suite's parameters are
        passed on unchecked if there are no declarations.
    params : mapping
        Values that this method fixes, e.g. ``{"penalty": "l0"}``.
    settable : frozenset of str
        Those of `params` that a suite may change all the same.
    starts : str or None
        The parameter by which a start is chosen: it accepts ``ones``, ``pca`` and ``max_variance``.  None: the method
        has no start.
    requires : frozenset of str
        Facts (see `FACTS`) without which the method cannot run; it is then skipped, with the reason.
    extra : str
        What to install if the estimator's module cannot be imported, e.g. ``"pip install abess"``.
    iterations, tolerance : str
        The parameters that end its iterations: the one that caps their number, e.g. ``max_iter``, and the one that
        stops them, e.g. ``tol``, which makes for more of them the smaller it is.  Tables of costs show both, and the
        host traces convergence by fits with capped iterations.  Empty if there is no such parameter.
    reference : str
        Authors, year, where, equation.
    exempt : mapping of str to str
        Promises that it cannot keep, by the names of their checks, each with the reason; `spcabench check` skips them.
    """

    CODE = "estimator"

    estimator: str
    family: str = "other"
    knob: Knob = DENSE
    sparse: Literal["", "weights", "loadings"] = ""
    params: Mapping[str, object] = field(default_factory=dict)
    settable: frozenset[str] = frozenset()
    starts: str | None = None
    requires: frozenset[str] = frozenset()
    extra: str = ""
    iterations: str = ""
    tolerance: str = ""
    reference: str = ""


@dataclass(frozen=True)
class RemoteFile:
    """A file that a data set is made of: its address, which never changes, and the SHA-256 of its content."""

    url: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class DatasetSpec(Spec):
    """A named source of a training matrix.

    Parameters
    ----------
    name : str
        Lower case, digits and underscores.
    load : str
        ``"module:function"``; called as ``load(rng, **params)`` with a `numpy.random.Generator`, it returns a
        `Dataset`, or raises `DataUnavailable`.
    title : str
        One line for lists and reports.
    parameters : mapping of str to Parameter
        What a suite may set, with defaults and valid values.  By default what the loader declares itself, as in
        ``n: Annotated[int, Whole(2)] = 100``, with the meaning in its docstring.
    provides : frozenset of str
        The facts (see `FACTS`) its data sets come with.
    n_features : int or str, optional
        How many features its data sets have, or the parameter that says it, so that a suite which asks for more
        components is found out before anything is drawn.  None if only the data say it.
    random : bool or str
        Whether the draw depends on the seed; if not, one draw serves every seed.  Names of parameters, with blanks
        between them, if it does so where one of them is not None.
    source, licence : str
        Where the data comes from.
    place : str
        Where it is looked for first, below the folder that SPCABENCH_DATA names; empty if it is not.
    fetches : tuple of RemoteFile
        What its loader fetches where it is not there; see `spcabench.fetched`.
    exempt : mapping of str to str
        Promises that it cannot keep, by the names of their checks, each with the reason; `spcabench check` skips them.
    """

    CODE = "load"

    load: str
    provides: frozenset[str] = frozenset({"samples"})
    n_features: int | str | None = None
    random: bool | str = True
    source: str = ""
    licence: str = ""
    place: str = ""
    fetches: tuple[RemoteFile, ...] = ()

    def varies(self, params: Mapping[str, object]) -> bool:
        """Return whether the draw with these parameters depends on the seed."""
        if isinstance(self.random, bool):
            return self.random
        return any(params.get(name) is not None for name in self.random.split())


@dataclass(frozen=True, kw_only=True)
class MetricSpec(Spec):
    """A named number computed from a data set and the fitted loadings.

    Parameters
    ----------
    name : str
        Lower case, digits and underscores.
    compute : str
        ``"module:function"``; called as ``compute(evaluation, **params)`` with an `Evaluation`, it returns a
        number, or a mapping of suffixes to numbers: ``{"100": 485.2}`` of the metric ``err`` becomes
        ``err@100``.  A number that is undefined is nan.
    title : str
        What the number is, in a line.
    formula : str
        In plain text.
    range : (float, float)
        The smallest and the largest possible value.
    unit : str
        ``s`` (written as a time), ``share`` (of a whole, 1 being all of it), ``count``, or any other word; empty for
        the unit of the data, or none.
    better : {"higher", "lower", "neither"}
        Which direction is good.
    on : {"each", "once"}
        ``each``: evaluated on the training samples and, where there are any, on the clean (``cpev_clean``) and
        held-out (``cpev_test``) ones.  ``once``: one value for a fit.
    refitted : {False, True, "together"}
        Whether it depends on the sizes of the loadings.  It is then evaluated a second time (``cpev_refitted``), with
        the loadings that explain most of the training data on the same supports: one after the other, or together.
    sparsity : bool
        Whether it counts nonzeros.  Methods are compared at equal sparsity, so that it is shown and never ranked.
    tolerance : float
        Values that differ by no more are ties, as a share of the metric's scale: the width of `range` where that is
        finite, else the largest value of the comparison.
    margin : float
        The smallest difference that matters, in the metric's unit.
    requires : frozenset of str
        Facts without which it is not defined; it is then left out.
    parameters : mapping of str to Parameter
        What a suite may set.  By default what the function declares itself, as the loader of a data set does.
    source : str
        Authors, year, equation.
    version : int
        Raised when the definition changes without its code: records of another version are scored again, as are
        those of other code.
    exempt : mapping of str to str
        Promises that it cannot keep, by the names of their checks, each with the reason; `spcabench check` skips them.
    """

    CODE = "compute"

    compute: str
    formula: str = ""
    range: tuple[float, float] = (-np.inf, np.inf)
    unit: str = ""
    better: Literal["higher", "lower", "neither"] = "neither"
    on: Literal["each", "once"] = "once"
    refitted: Refit = False
    sparsity: bool = False
    tolerance: float = 1e-12
    margin: float = 0.0
    requires: frozenset[str] = frozenset()
    source: str = ""
    version: int = 1
