"""Choose the number of components and of nonzeros, and fit with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import FLOATS, RandomSource, check_parameters, check_scale, random_source, warn
from spcabench_methods.core.constraints import Constraints, ListOf, whole, words
from spcabench_methods.joint.joint_spca import JointSPCA
from spcabench_methods.rotation.varimax import Rotation
from spcabench_methods.selection.counting import scree
from spcabench_methods.selection.together import GRID, choose, found_again

STARTS = 2
"""Rotations that `JointSPCA` starts from."""
MOST_TOGETHER = 60
"""Nonzeros of all components up to which `JointSPCA` fits them; its exchanges take long beyond."""


@dataclass(eq=False, repr=False)
class SparsePCASelector(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Choose how many components and how many nonzeros, then fit.

    The number of components is that of the eigenvalues beyond the largest of samples without correlation, each in what
    the components before it leave.

    The nonzeros are chosen for all components together: blocks of equal strength mix if one component is chosen after
    the other.  At each choice, loadings that together span the most are found in the samples but for a fold, and the
    share of the fold's variance in that span is noted.  The samples are divided into folds three times, or once if
    features times components are more than 250 or one sample is left out at a time.  The choice with the fewest
    nonzeros within one standard error of the best is taken.  Equal numbers are tried, and unequal ones: features whose
    correlation with a rotated component exceeds a level, the same for all components.  Unequal numbers with more
    nonzeros than the best equal ones must be better by three standard errors.

    O(m F) fits, for m choices and F folds, `n_permutations` decompositions and `n_resamples` fits of halves.

    Parameters
    ----------
    estimator : estimator, default=None
        A sparse PCA with the parameters ``n_components`` and ``n_nonzero``, which is fitted with what was chosen;
        if not given ``JointSPCA(n_init=2)``, or ``Rotation()`` if the components have more than 60
        nonzeros in all.
    n_components : int or "auto", default='auto'
        How many components.
    n_nonzero : int, list of int or None, default=None
        The cardinalities to choose from, or the one of all components; if not given 1 to 13, 15, 17, 20, 25, 30, 40,
        60, 90, 130 and 200, as far as there are features.
    rows : {"independent", "ordered"}, default='independent'
        Whether rows that follow each other may be alike, as in a time series.  Independent ones are permuted in each
        column to break correlation, others turned by an offset.
    cv : int, default=5
        Folds, at least 2.
    n_resamples : int, default=20
        Half-samples, at least 0.
    n_permutations : int, default=99
        Samples without correlation, B of them at most, at least 1; a component that is not there is found with
        probability 1/(B + 1).
    max_components : int, default=10
        The most components of ``n_components="auto"``.
    random_state : int, RandomState, Generator or None, default=0
        For folds, half-samples and permutations.

    Attributes
    ----------
    estimator_ : estimator
        Fitted to all samples with what was chosen.
    n_components_ : int
        How many components are fitted: at least one.
    n_beyond_chance_ : int
        How many are there; `n_components` if that is a number.
    n_nonzero_ : ndarray of int, shape (n_components_,)
        The cardinality that was chosen for each.
    components_ : ndarray of shape (n_components_, n_features)
        Of `estimator_`.
    scree_ : ndarray of shape (2, at most max_components + 1)
        The leading eigenvalues up to the first within chance, and what chance reaches.
    tried_ : list of tuple of int
        The numbers of nonzeros that were tried, few in all first.
    held_out_ : ndarray of shape (3 * cv or cv, n_tried)
        The share of each fold's variance that the span of the loadings keeps.  The search ends five after its best.
    dense_held_out_ : float
        The mean share that as many principal components keep.
    selection_frequencies_ : ndarray of shape (n_components_, n_features)
        Share of half-samples in which a component has each feature; nan without half-samples.
    found_again_ : ndarray of shape (n_components_,)
        Share of half-samples whose component has half or more of the features that either has.

    References
    ----------
    E. Dobriban and A. B. Owen, Journal of the Royal Statistical Society B 81, 2019, 163-183 (parallel analysis); R. D.
    Shah and R. J. Samworth, Journal of the Royal Statistical Society B 75, 2013, 55-80 (pairs of halves).

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SparsePCASelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 20))
    >>> X[:, :4] += 2 * rng.standard_normal((100, 1))
    >>> SparsePCASelector().fit(X).n_nonzero_
    array([4])
    """

    estimator: BaseEstimator | None = None
    _: KW_ONLY
    n_components: int | str = "auto"
    n_nonzero: int | Sequence[int] | None = None
    rows: str = "independent"
    cv: int = 5
    n_resamples: int = 20
    n_permutations: int = 99
    max_components: int = 10
    random_state: int | RandomSource | None = 0

    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": "no_validation",
        "n_components": [words("auto"), whole(1)],
        "n_nonzero": [None, whole(1), ListOf(whole(1))],
        "rows": [words("independent", "ordered")],
        "cv": [whole(2)],
        "n_resamples": [whole(0)],
        "n_permutations": [whole(1)],
        "max_components": [whole(1)],
        "random_state": ["random_state", np.random.Generator],
    }

    def fit(self, X: Any, y: object = None) -> Self:
        """Choose, and fit with what was chosen.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data is not valid, or the estimator has no parameter ``n_components`` or
            ``n_nonzero``.
        """
        check_parameters(self)
        X = validate_data(self, X, dtype=FLOATS, ensure_min_samples=2)
        Xc = np.subtract(X, X.mean(axis=0), dtype=np.float64)
        check_scale(float(np.mean(Xc**2)) * X.shape[1])
        _check(self.estimator)
        self._count(Xc)
        given = [self.n_nonzero] if isinstance(self.n_nonzero, int | np.integer) else self.n_nonzero
        grid = sorted({min(int(k), X.shape[1]) for k in (GRID if given is None else given)})
        held = choose(Xc, self.n_components_, grid, self.cv, random_source(self.random_state))
        chosen = held.counts[held.chosen]
        self.tried_, self.held_out_, self.dense_held_out_ = held.counts, held.shares, held.dense
        self.n_nonzero_ = np.array(chosen)
        if len(grid) > 1 and grid[-1] < X.shape[1] and grid[-1] in chosen:
            message = f"the largest cardinality was chosen, {grid[-1]}; offer larger ones as n_nonzero"
            warn(message)
        wanted = chosen[0] if len(set(chosen)) == 1 else list(chosen)
        estimator = self.estimator
        if estimator is None:
            estimator = JointSPCA(n_init=STARTS) if sum(chosen) <= MOST_TOGETHER else Rotation()
        self.estimator_ = clone(estimator).set_params(n_components=self.n_components_, n_nonzero=wanted).fit(X)
        self.components_ = self.estimator_.components_
        return self.resample(X)

    def resample(self, X: Any) -> Self:
        """Fit `n_resamples` halves of the samples with the same nonzeros, and note how often they find them again.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples that were fitted.  Of fewer than four, or than two a component, nothing is noted but nan; nor
            of a component that is zero.

        Returns
        -------
        self
            With new ``selection_frequencies_`` and ``found_again_``.
        """
        check_is_fitted(self, "components_")
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        Xc = np.subtract(X, X.mean(axis=0), dtype=np.float64)
        W = np.asarray(self.components_.T, dtype=np.float64)
        self.selection_frequencies_, self.found_again_ = np.full(W.T.shape, np.nan), np.full(W.shape[1], np.nan)
        some = W.any(axis=0)
        if self.n_resamples and some.any() and len(Xc) >= max(4, 2 * int(some.sum())):
            again = found_again(Xc, W[:, some], self.n_resamples, random_source(self.random_state))
            self.selection_frequencies_[some], self.found_again_[some] = again
        return self

    def transform(self, X: Any) -> NDArray[np.floating]:
        """Return the scores of samples, as `estimator_` does.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components_)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return np.asarray(self.estimator_.transform(X))

    def inverse_transform(self, X: Any) -> NDArray[np.floating]:
        """Return the samples that belong to scores, as `estimator_` does.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components_)
            Scores.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        return np.asarray(self.estimator_.inverse_transform(X))

    def score(self, X: Any, y: object = None) -> float:
        """Return the share of the variance of samples in the span of the loadings, as `estimator_` does.

        It grows with the cardinality; to choose one is what this class is for.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        float
            From 0 to 1.
        """
        check_is_fitted(self)
        return float(self.estimator_.score(validate_data(self, X, dtype=FLOATS, reset=False)))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _count(self, Xc: Array) -> None:
        """Count the components beyond chance, and keep the eigenvalues."""
        left = min(Xc.shape[1], len(Xc) - math.ceil(len(Xc) / min(self.cv, len(Xc))))
        most = min(self.max_components, left)
        if self.n_components != "auto":
            most = int(self.n_components)
            if most > left:
                raise ValueError(
                    f"n_components is {most}; valid is 'auto' or a whole number up to {left}: of {len(Xc)} samples and "
                    f"{Xc.shape[1]} features, folds leave no more"
                )
        random = random_source(self.random_state)  # folds have their own, however many samples are drawn here
        counted, self.scree_ = scree(Xc, most, self.n_permutations, self.rows == "ordered", random)
        self.n_beyond_chance_ = counted if self.n_components == "auto" else most
        if self.n_beyond_chance_ == 0:
            warn("no component exceeds chance; one is fitted")
        self.n_components_ = max(self.n_beyond_chance_, 1)


def _check(estimator: BaseEstimator | None) -> None:
    """Raise a ValueError if the sparsity of an estimator cannot be set."""
    if estimator is None:
        return
    known = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    for name in ("n_components", "n_nonzero"):
        if name not in known:
            raise ValueError(
                f"SparsePCASelector: {type(estimator).__name__} has no parameter {name}, which is chosen here"
            )
