"""The contracts: what a method, a data set and a metric are.

Everything here is light to import: a specification names its code as ``"module:attribute"``, so that listing
and validating never import scikit-learn or numba.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.class_parameters import ClassParameters
from spcabench.parameters import Parameter
from spcabench.traces import PathTable, Trace

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
class MethodSpec:
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
        Promises (see `spcabench.promises`) that it cannot keep, each with the reason; `spcabench check` skips them.
    """

    name: str
    estimator: str
    title: str = ""
    family: str = "other"
    knob: Knob = DENSE
    sparse: Literal["", "weights", "loadings"] = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    params: Mapping[str, object] = field(default_factory=dict)
    settable: frozenset[str] = frozenset()
    starts: str | None = None
    requires: frozenset[str] = frozenset()
    extra: str = ""
    iterations: str = ""
    tolerance: str = ""
    reference: str = ""
    exempt: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        derived = isinstance(self.parameters, ClassParameters)
        if derived or self.parameters == {}:
            found = ClassParameters(self.estimator, self.params, self.settable)
            object.__setattr__(self, "parameters", found)


@dataclass(frozen=True)
class RemoteFile:
    """A file that a data set is made of: its address, which never changes, and the SHA-256 of its content."""

    url: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class DatasetSpec:
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
        What a suite may set, with defaults and valid values.
    provides : frozenset of str
        The facts (see `FACTS`) its data sets come with.
    n_features : int or str, optional
        How many features its data sets have, or the parameter that says it, so that a suite which asks for more
        components is found out before anything is drawn.  None if only the data say it.
    random : bool or str
        Whether the draw depends on the seed; if not, one draw serves every seed.  A parameter, if it does so where that
        is not None.
    cheap : bool
        Whether a draw is a matter of a second and reads nothing from elsewhere, so that ``spcabench plan --check`` can
        try one.
    source, licence : str
        Where the data comes from.
    place : str
        Where it is looked for first, below the folder that SPCABENCH_DATA names; empty if it is not.
    fetches : tuple of RemoteFile
        What its loader fetches where it is not there; see `spcabench.fetched`.
    exempt : mapping of str to str
        Promises (see `spcabench.promises`) that it cannot keep, each with the reason; `spcabench check` skips them.
    """

    name: str
    load: str
    title: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    provides: frozenset[str] = frozenset({"samples"})
    n_features: int | str | None = None
    random: bool | str = True
    cheap: bool = False
    source: str = ""
    licence: str = ""
    place: str = ""
    fetches: tuple[RemoteFile, ...] = ()
    exempt: Mapping[str, str] = field(default_factory=dict)

    def varies(self, params: Mapping[str, object]) -> bool:
        """Return whether the draw with these parameters depends on the seed."""
        return self.random if isinstance(self.random, bool) else params.get(self.random) is not None


@dataclass(frozen=True, kw_only=True)
class MetricSpec:
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
        What a suite may set.
    source : str
        Authors, year, equation.
    version : int
        Raised when the definition changes without its code: records of another version are scored again, as are
        those of other code.
    exempt : mapping of str to str
        Promises (see `spcabench.promises`) that it cannot keep, each with the reason; `spcabench check` skips them.
    """

    name: str
    compute: str
    title: str = ""
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
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    source: str = ""
    version: int = 1
    exempt: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A training matrix or a covariance, and what is known about it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), optional
        The training samples, not centred.
    covariance : ndarray of shape (n_features, n_features), optional
        Given instead of `X` where only second moments are known.
    X_clean : ndarray of shape (n_clean, n_features), optional
        The originals of the rows `clean_rows` of `X`.
    clean_rows : ndarray of int, shape (n_clean,), optional
        Which rows of `X` they are the originals of; the first ``n_clean`` if not given.
    X_test : ndarray of shape (n_test, n_features), optional
        Held-out samples.
    y, y_test : ndarray of int, optional
        Classes.
    supports : ndarray of bool, shape (n_true_components, n_features), optional
        Where the true loadings are nonzero.
    image_shape : (height, width), optional
        If the features are pixels.
    feature_names : tuple of str
        Empty if they have none.
    files : tuple of Path
        What was read; a change of any makes the records stale.
    notes : str
        Anything that a reader of the results must know.
    """

    X: Array | None = None
    covariance: Array | None = None
    X_clean: Array | None = None
    clean_rows: NDArray[np.intp] | None = None
    X_test: Array | None = None
    y: NDArray[np.int64] | None = None
    y_test: NDArray[np.int64] | None = None
    supports: NDArray[np.bool_] | None = None
    image_shape: tuple[int, int] | None = None
    feature_names: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    notes: str = ""

    @property
    def facts(self) -> frozenset[str]:
        """The facts (see `FACTS`) that are known of it."""
        known = {
            "samples": self.X,
            "clean": self.X_clean,
            "test": self.X_test,
            "labels": self.y,
            "supports": self.supports,
            "image": self.image_shape,
        }
        return frozenset(name for name, value in known.items() if value is not None)

    @property
    def n_features(self) -> int:
        """The number of features."""
        matrix = self.X if self.X is not None else self.covariance
        assert matrix is not None
        return int(matrix.shape[1])


@dataclass(frozen=True)
class Moments:
    """Second moments about the mean of one set of samples, without ever forming a matrix of features by features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), optional
        The samples; centred on the fly.
    covariance : ndarray of shape (n_features, n_features), optional
        Given instead of `X`.
    """

    X: Array | None = None
    covariance: Array | None = None

    @cached_property
    def mean(self) -> Array:
        """The mean of the samples, shape (n_features,); zero where only the covariance is known."""
        if self.X is None:
            assert self.covariance is not None
            return np.zeros(self.covariance.shape[0])
        mean: Array = np.asarray(self.X.mean(axis=0, dtype=np.float64))
        return mean

    @cached_property
    def total_variance(self) -> float:
        """The trace of S = Xc'Xc/n."""
        if self.X is None:
            assert self.covariance is not None
            return float(np.trace(self.covariance))
        return float(np.var(self.X, axis=0, dtype=np.float64).sum())

    def scores(self, W: Array) -> Array:
        """Return Xc W for loadings W of shape (n_features, n_components): scores, shape (n_samples, n_components).

        Where only the covariance S is known, the scores of its symmetric root: any factor with the same
        second moments will do for what is computed from them.
        """
        if self.X is not None:
            return np.asarray(self.X @ W - self.mean @ W, dtype=np.float64)
        return np.asarray(self._root @ W)

    def covariance_of_scores(self, W: Array) -> Array:
        """Return W'SW, shape (n_components, n_components)."""
        if self.X is None:
            assert self.covariance is not None
            return np.asarray(W.T @ (self.covariance @ W))
        scores = self.scores(W)
        return np.asarray(scores.T @ scores / len(scores))

    @cached_property
    def _root(self) -> Array:
        values, vectors = np.linalg.eigh(np.asarray(self.covariance))
        n = len(values)
        return np.asarray(np.sqrt(n * np.clip(values, 0.0, None))[:, None] * vectors.T)


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What a fit left behind.

    Parameters
    ----------
    components : ndarray of shape (n_components, n_features)
        Unit rows or zero rows, signs fixed.
    mean : ndarray of shape (n_features,)
        What was subtracted from the samples.
    n_iter : ndarray of int, optional
        Iterations of each component, or one number for all.
    objective : ndarray of float, optional
        The method's own objective at the end, of each component or of all.
    upper_bound : ndarray of float, optional
        What the method proved that no objective exceeds (its attribute ``upper_bound_``).
    deflation : str
        How the method removes a component before it looks for the next (its parameter ``deflation``); empty if it does
        not say.
    fit_time, search_time : float
        Wall seconds: of the fit at the knob that was found, and of the search for it.
    n_fits : int
        Fits made by the search.
    paths : mapping of int to PathTable
        What is kept of the solution path of each component, counted from 0, that has one (`spcabench.traces`).
    trace : Trace, optional
        How the fit converged (`spcabench.traces`), where the suite asks for it.
    """

    components: Array
    mean: Array
    n_iter: NDArray[np.int64] | None = None
    objective: Array | None = None
    upper_bound: Array | None = None
    deflation: str = ""
    fit_time: float = np.nan
    search_time: float = 0.0
    n_fits: int = 0
    paths: Mapping[int, PathTable] = field(default_factory=dict)
    trace: Trace | None = None

    @property
    def W(self) -> Array:
        """Loadings as columns, shape (n_features, n_components): the layout of the papers."""
        return self.components.T


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What a metric sees: the data set, the fit, and the second moments of the samples in question."""

    dataset: Dataset
    fitted: Fitted
    moments: Moments
