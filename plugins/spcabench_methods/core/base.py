"""The base of every method: a scikit-learn estimator whose components are sparse loadings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.centred import is_sparse
from spcabench_methods.core.checks import (
    cardinalities,
    check_parameters,
    check_scale,
    checked_covariance,
    checked_data,
    precision,
    warn,
)
from spcabench_methods.core.constraints import SHARED, Constraints
from spcabench_methods.core.explained import orthonormal_basis, shares
from spcabench_methods.core.moments import Gram, SecondMoments, data_of, second_moments
from spcabench_methods.core.out_of_core import is_large_and_mapped
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.scores import Scores
from spcabench_methods.core.searches import ATTRIBUTES, reached
from spcabench_methods.core.signs import oriented
from spcabench_methods.core.streamed import Streamed, forget

FEATURES = 64
"""The matrix S of so few is formed at once, whatever a fit does with it."""
LIMITS = ("max_iter", "tol", "time_limit")
"""The parameters that end iterations.  Every iterative method has some of them."""
REMEDY = "ask for as many as were found, or take a method that sets them directly, such as TPower"
"""What to do where the requested cardinality was not reached."""


class Component(NamedTuple):
    """The result of a method for one component.

    Parameters
    ----------
    loading : ndarray of shape (n_features,)
        A unit vector of any sign, or zero.
    objective : float
        The method's own objective at the end.
    n_iter : int
        Iterations made; 0 where nothing was left to explain.
    converged : bool
        False if the iterations ran out.
    upper_bound : float
        What no objective exceeds, of a method that proves it.
    """

    loading: Array
    objective: float
    n_iter: int = 1
    converged: bool = True
    upper_bound: float = 0.0


OBJECTIVE = attrgetter("objective")
SAME_END = 1e-9
"""Iterations that stop at a tolerance come to one end if their values differ by no more than this share."""


def best_of(ends: Iterable[Component], value: Callable[[Component], float] = OBJECTIVE, tie: float = 0.0) -> Component:
    """Return the result with the largest value, by default its objective, and the first that is less by a share `tie`.

    It counts as converged only if all starts converged: one whose iterations ran out might have become the best.
    """
    ends = list(ends)
    if len(ends) == 1:
        return ends[0]
    values = [value(end) for end in ends]
    least = max(values) - tie * abs(max(values))
    best = next(end for end, reached in zip(ends, values, strict=True) if reached >= least)
    return best._replace(converged=all(end.converged for end in ends))


@dataclass(eq=False, repr=False)
class SparseComponents(Scores):
    """Base of all methods.  A subclass declares its `_parameter_constraints` and implements `_components`.

    Data may have any layout, and single or double precision, which `components_` have too.  Computations are in double
    precision, but for products with more than 2^20 samples times features of single precision: the variance of a
    loading is then off by at most 16 times the rounding error, 1.9e-6, of the variances of its features.  Most methods
    accept sparse matrices too, see the tag ``input_tags.sparse``; all of these but `COPPCA` and `LeastSquaresSPCA`
    centre them only within products.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The loadings, one per row: unit vectors, or exactly zero where nothing was found.  The entry of
        largest magnitude is positive.
    mean_ : ndarray of shape (n_features,)
        The column means of the training samples; zero with ``covariance="precomputed"``.
    n_iter_ : int
        The most iterations that a component took.
    n_iter_per_component_ : ndarray of int, shape (n_components,)
        Iterations of each component; 0 if nothing was left to explain.
    objective_ : ndarray of shape (n_components,)
        The method's own objective at the end.
    converged_ : ndarray of bool, shape (n_components,)
        False if the iterations ran out.
    n_nonzero_ : ndarray of int, shape (n_components,)
        The cardinalities reached.
    explained_variance_ : ndarray of shape (n_components,)
        Adjusted variances (Zou, Hastie and Tibshirani 2006): what each component explains beyond those before
        it, the squared diagonal of R in the QR decomposition of the scores, divided by the number of samples.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        The same as shares of the total variance.
    cpev_ : ndarray of shape (n_components,)
        Cumulative percentage of explained variance (Shen and Huang 2008), as a fraction: the share of the
        variance in the span of the first 1, 2, ... loadings.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Their names, if the data had any.
    """

    _parameter_constraints: ClassVar[Constraints] = SHARED
    _may_miss: ClassVar[bool] = False
    """Whether a method without a search can return fewer nonzeros than requested."""
    _proves: ClassVar[bool] = False
    """Whether its components have upper bounds, which become the attribute ``upper_bound_``."""

    n_components: int = 2

    @abstractmethod
    def _components(self, X: Any) -> Iterable[Component]:
        """Find the components in centred samples of shape (n_samples, n_features).

        `X` is a C-ordered copy in double precision that belongs to this call.
        """

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the components.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The training samples; with ``covariance="precomputed"``, where a method offers it, the covariance
            matrix X'X/n of centred samples instead, of shape (n_features, n_features).
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data is not valid; the message says what was found and what is valid.
        """
        check_parameters(self)
        forget(self)
        with np.errstate(over="ignore", invalid="ignore"):  # check_scale reports data that are too large
            X, mean = checked_data(self, X, self._formats, self._min_samples)
            self._check_number(X.shape[1])
            mean, data, measure = self._read(X, mean)
            check_scale(measure.trace)
        self._finish(mean, data, measure, precision(X))
        return self

    def _check_number(self, n_features: int) -> None:
        if self.n_components > n_features:
            raise ValueError(
                f"{type(self).__name__}: n_components is {self.n_components}; "
                f"valid is a whole number from 1 to n_features={n_features}"
            )

    def _only_one(self, *names: str) -> None:
        """Raise a ValueError if two of these parameters are given."""
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"{given[0]} and {given[1]} are both given; valid is only one of them")

    def _finish(self, mean: Array, data: Any, measure: Samples | SecondMoments, dtype: np.dtype[Any]) -> None:
        for attribute in ATTRIBUTES:
            self.__dict__.pop(attribute, None)
        found = self._components(data)
        loadings, objectives, n_iter, converged, upper_bounds = zip(*found, strict=True)
        W = np.array(loadings, dtype=dtype).astype(np.float64, copy=False)
        self.n_nonzero_ = oriented(W)
        self.components_ = W.astype(dtype, copy=False)
        self.mean_ = mean.astype(dtype)
        self.n_iter_per_component_ = np.array(n_iter)
        self.n_iter_ = max(n_iter)
        self.objective_ = np.array(objectives, dtype=np.float64)
        self.converged_ = np.array(converged)
        if self._proves:
            self.upper_bound_: Any = np.array(upper_bounds, dtype=np.float64)
        if self._may_miss or hasattr(self, "calibrated_params_"):
            self.exact_cardinality_ = reached(self.n_nonzero_, self._wanted(), len(mean))
        self._explain(measure, W.T)
        self._warn()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = self._takes_sparse
        return tags

    @property
    def _takes_sparse(self) -> bool:
        return False

    @property
    def _formats(self) -> list[str] | bool:
        return ["csc", "csr"] if self._takes_sparse else False

    @property
    def _min_samples(self) -> int:
        return 2

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        """Return the centre, the data for `_components`, and the data on which variances are measured."""
        return mean, np.subtract(X, mean, dtype=np.float64, order="C"), Samples(X, mean)

    def _explain(self, measure: Samples | SecondMoments, W: Array) -> None:
        total = measure.trace or 1.0
        found = shares(measure.scores_covariance(W), W.T @ W, total)
        self.explained_variance_, self.explained_variance_ratio_, self.cpev_ = found
        if not len(self.cpev_):
            self.cpev_ = measure.scores_covariance(orthonormal_basis(W)).diagonal().cumsum() / total

    def _warn(self) -> None:
        zero = [j for j, count in enumerate(self.n_nonzero_.tolist()) if not count]
        unfinished = [j for j, converged in enumerate(self.converged_.tolist()) if not converged]
        if zero:
            message = f"components {_listed(zero)} are zero: nothing is left to explain, or too much is truncated"
            warn(message, ConvergenceWarning)
        if unfinished:
            limits = [name for name in LIMITS if name in self.get_params(deep=False)]
            remedy = f"; raise {' or '.join(limits)}" if limits else ""
            message = f"components {_listed(unfinished)} did not converge{remedy}"
            warn(message, ConvergenceWarning)
        missed = self._missed()
        if missed:
            listed = ", ".join(f"component {j}: {found} for {wanted}" for j, found, wanted in missed)
            message = f"the requested cardinality was not reached; {listed}; {REMEDY}"
            warn(message)

    def _missed(self) -> list[tuple[int, int, int]]:
        """List the components that missed: number from 1, nonzeros found and requested; not the zero ones."""
        if not hasattr(self, "exact_cardinality_"):
            return []
        counted = zip(self.n_nonzero_.tolist(), self._wanted(), self.exact_cardinality_, strict=True)
        return [(j, found, k) for j, (found, k, exact) in enumerate(counted, 1) if found and not exact]

    def _wanted(self) -> list[int]:
        """Return the requested cardinalities, in the order of `components_`."""
        return cardinalities(self.n_nonzero, self.n_components, self.n_features_in_)


@dataclass(eq=False, repr=False, kw_only=True)
class MomentComponents(SparseComponents, Streamed):
    """Base of the methods that need only second moments: they take samples, also in blocks, or the covariance matrix.

    Their `_components` takes a `SecondMoments`, which it must not change.
    """

    covariance: str | None = None

    _gram_ratio: ClassVar[float] = 1.0
    """S is formed if it has no more than so many times the numbers of the samples."""

    @abstractmethod
    def _components(self, moments: SecondMoments) -> Iterable[Component]:
        """Find the components of second moments."""

    @property
    def _few_products(self) -> bool:
        """Return whether the fit takes so few products with S that forming it would take longer."""
        return False

    @property
    def _takes_sparse(self) -> bool:
        return True

    @property
    def _min_samples(self) -> int:
        return 1 if self.covariance == "precomputed" else 2

    def _read(self, X: Any, mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        if self.covariance == "precomputed":
            mean = np.zeros(X.shape[1])
            moments: SecondMoments = Gram(checked_covariance(X.toarray() if is_sparse(X) else X))
        else:
            few = self._few_products and X.shape[1] > FEATURES and type(X) is np.ndarray and not is_large_and_mapped(X)
            moments = data_of(X, mean) if few else second_moments(X, mean, self._gram_ratio)
        return mean, moments, moments

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.covariance == "precomputed"
        return tags


def _listed(indices: list[int]) -> str:
    return ", ".join(str(index + 1) for index in indices)
