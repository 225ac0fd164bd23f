"""Choose the number of components and of nonzeros, and fit with them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import FLOATS, RandomSource, check_parameters, check_scale, random_source
from spcabench_methods.core.constraints import Constraints, ListOf, whole, words
from spcabench_methods.joint.joint_spca import JointSPCA
from spcabench_methods.power.tpower import TPower
from spcabench_methods.selection.candidates import Fits, grid_of, without
from spcabench_methods.selection.choosing import FEW, VOTERS, Choice, Question, choose
from spcabench_methods.selection.criteria import index_of_sparseness, one_standard_error
from spcabench_methods.selection.parallel import (
    SPARSE_GRID,
    bi_cross_validation,
    parallel_analysis,
    scree,
    sparse_parallel_analysis,
)
from spcabench_methods.selection.together import held_out_spans


@dataclass(eq=False, repr=False)
class SparsePCASelector(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Choose how many components and how many nonzeros, then fit.

    The components are chosen one after the other, each in what those before it leave.  The cardinality of each is the
    median of three answers: the extended Bayesian criterion of one spike (``ebic``), the smallest whose held-out
    variance is within one standard error of the best (``held_out``), and a milder criterion weighed with how alike the
    supports of half-samples are (``weighed``).  Any of the three can choose alone; so can the stability of the supports
    (``stability``).  Two rules have one cardinality for all components: the index of sparseness (``index``), and the
    smallest whose components, found together by `JointSPCA`, span as much of held-out folds as the best, within one
    standard error of the difference (``together``).

    The number of components is found by parallel analysis: eigenvalues beyond those of permuted columns, or, with more
    features than samples, sparse components beyond them.

    O(r m (1 + F + B)) fits of one component, for r components, m cardinalities, F folds and B half-samples.

    Parameters
    ----------
    estimator : estimator, default=None
        A sparse PCA with the parameters ``n_components`` and ``n_nonzero``; ``TPower(init="decreasing")`` if not
        given, with ``together`` `JointSPCA`.
    n_components : int or "auto", default='auto'
        How many components.
    n_nonzero : list of int, default=None
        The cardinalities to choose from; if not given 1 to 13, 15, 17, 20, 25, 30 and 40, as far as there are features.
    criterion : str, default='vote'
        ``vote``, ``ebic``, ``held_out``, ``weighed``, ``stability``, ``index`` or ``together``.
    cv : int, default=10
        Folds of the held-out variance.
    n_resamples : int, default=20
        Half-samples of ``weighed`` and ``stability``.
    n_permutations : int, default=19
        Permutations of the columns; with 19 a component that is not there is found with probability 1/20.
    max_components : int, default=10
        The most components of ``n_components="auto"``.
    random_state : int, RandomState, Generator or None, default=None
        For folds, half-samples and permutations.

    Attributes
    ----------
    estimator_ : estimator
        Fitted to all samples with what was chosen.
    n_components_ : int
        How many components were chosen.
    n_nonzero_ : ndarray of int, shape (n_components_,)
        The cardinality that was chosen for each.
    grid_ : ndarray of int, shape (n_cardinalities,)
        The cardinalities to choose from.
    counts_ : dict of str to int
        With ``n_components="auto"``: the answer of parallel analysis, ``parallel`` or ``sparse``, and the cautious one
        of bi-cross-validation, ``bi_cv``.
    scree_ : ndarray of shape (2, min(n_samples, n_features))
        With ``n_components="auto"``: the eigenvalues, and the largest of the permuted columns.
    bi_cv_errors_ : ndarray of shape (at most max_components + 1,)
        With ``n_components="auto"``: the share of the squares of held-out blocks that 0, 1, ... components leave.
    answers_ : dict of str to ndarray of int, shape (n_components_,)
        The cardinality that each rule chooses.
    curves_ : dict of str to ndarray, shape (n_components_, n_cardinalities)
        The values of each rule: smaller is better for ``ebic`` and ``weighed``, larger for the others.
        ``together`` ends three after its best.
    selection_frequencies_ : ndarray of shape (n_components_, n_features)
        Share of half-samples in which a component has each feature.  From 0.7 on it is stable, below 0.5 not supported.
        Only of ``vote``, ``weighed`` and ``stability``.
    components_ : ndarray of shape (n_components_, n_features)
        Those of `estimator_`.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Their names, if the data had any.

    References
    ----------
    J. Chen and Z. Chen, Biometrika 95, 2008, 759-771 (criterion); S. Nogueira, K. Sechidis and G. Brown, Journal of
    Machine Learning Research 18, 2018, 1-54 (stability); A. Buja and N. Eyuboglu, Multivariate Behavioral Research 27,
    1992, 509-540 (parallel analysis); A. B. Owen and P. O. Perry, Annals of Applied Statistics 3, 2009, 564-594
    (bi-cross-validation); N. T. Trendafilov, Computational Statistics 29, 2014, 431-454 (index of sparseness).

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SparsePCASelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 20))
    >>> X[:, :4] += 2 * rng.standard_normal((100, 1))
    >>> SparsePCASelector(random_state=0).fit(X).n_nonzero_
    array([4])
    """

    estimator: BaseEstimator | None = None
    _: KW_ONLY
    n_components: int | str = "auto"
    n_nonzero: Sequence[int] | None = None
    criterion: str = "vote"
    cv: int = 10
    n_resamples: int = 20
    n_permutations: int = 19
    max_components: int = 10
    random_state: int | RandomSource | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": "no_validation",
        "n_components": [words("auto"), whole(1)],
        "n_nonzero": [None, ListOf(whole(1))],
        "criterion": [words("vote", "ebic", "held_out", "weighed", "stability", "index", "together")],
        "cv": [whole(2)],
        "n_resamples": [whole(2)],
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
        estimator = _checked(self.estimator)
        if self.estimator is None and self.criterion == "together":
            estimator = JointSPCA()
        random = random_source(self.random_state)
        grid = grid_of(self.n_nonzero, X.shape[1])
        self.grid_ = np.array(grid)
        self.n_components_ = self._count(Xc, estimator, random)
        if self.criterion == "index":
            chosen = self._choose_jointly(Xc, estimator)
        elif self.criterion == "together":
            chosen = self._choose_together(Xc, random)
        else:
            chosen = self._choose_in_turn(Xc, Fits(estimator, grid), random)
        self.n_nonzero_ = np.array(chosen)
        if len(grid) > 1 and grid[-1] < X.shape[1] and grid[-1] in chosen:
            message = f"the largest cardinality was chosen, {grid[-1]}; offer larger ones as n_nonzero"
            warnings.warn(message, UserWarning, stacklevel=2)
        wanted = chosen[0] if len(set(chosen)) == 1 else chosen
        self.estimator_ = clone(estimator).set_params(n_components=self.n_components_, n_nonzero=wanted).fit(X)
        self.components_ = self.estimator_.components_
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
        tags.input_tags.sparse = False
        return tags

    def _count(self, Xc: Array, estimator: BaseEstimator, random: RandomSource) -> int:
        """Return the number of components, and keep what each rule says."""
        if self.n_components != "auto":
            return int(self.n_components)
        n, d = Xc.shape
        most = min(self.max_components, n - 1, d)
        self.scree_ = scree(Xc, self.n_permutations, random)
        if d <= n:
            name, found = "parallel", parallel_analysis(self.scree_, most)
        else:
            path = Fits(estimator, grid_of(SPARSE_GRID, d))
            name, found = "sparse", sparse_parallel_analysis(Xc, path, self.n_permutations, most, random)
        self.bi_cv_errors_ = bi_cross_validation(Xc, most, random)
        self.counts_ = {name: found, "bi_cv": int(self.bi_cv_errors_.argmin())}
        if found == 0:
            warnings.warn("no component exceeds chance; one is fitted", UserWarning, stacklevel=3)
        return max(found, 1)

    def _choose_in_turn(self, Xc: Array, fits: Fits, random: RandomSource) -> list[int]:
        """Choose the cardinality of each component in what those before it leave."""
        rules = self._rules(len(Xc))
        choices: list[Choice] = []
        for before in range(self.n_components_):
            question = Question(Xc, fits(Xc), fits, before, self.cv, self.n_resamples, random)
            choices.append(choose(question, rules))
            Xc = without(Xc, choices[-1].w)
        self.answers_ = {rule: np.array([fits.grid[c.answers[rule].place] for c in choices]) for rule in rules}
        self.curves_ = {rule: np.array([c.answers[rule].values for c in choices]) for rule in rules}
        if choices[0].frequencies is not None:
            self.selection_frequencies_ = np.array([c.frequencies for c in choices])
        return [fits.grid[choice.place] for choice in choices]

    def _rules(self, n_samples: int) -> Sequence[str]:
        if self.criterion != "vote":
            return (self.criterion,)
        if n_samples >= FEW:
            return VOTERS
        warnings.warn(
            f"{n_samples} samples are too few for folds and half-samples; ebic alone chooses", UserWarning, stacklevel=4
        )
        return VOTERS[:1]

    def _choose_together(self, Xc: Array, random: RandomSource) -> list[int]:
        """Choose the smallest cardinality of all components whose held-out span is within an error of the best."""
        spans = held_out_spans(Xc, self.n_components_, self.grid_.tolist(), self.cv, random)
        chosen = [int(self.grid_[one_standard_error(spans)])] * self.n_components_
        self.answers_ = {"together": np.array(chosen)}
        self.curves_ = {"together": np.tile(spans.mean(axis=0), (self.n_components_, 1))}
        return chosen

    def _choose_jointly(self, Xc: Array, estimator: BaseEstimator) -> list[int]:
        """Choose one cardinality for all components by the index of sparseness."""
        r = self.n_components_
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit that is kept says what is wrong with it
            fitted = [clone(estimator).set_params(n_components=r, n_nonzero=k).fit(Xc) for k in self.grid_.tolist()]
        values = np.array([index_of_sparseness(Xc, np.asarray(one.components_.T, dtype=float)) for one in fitted])
        k = int(self.grid_[values.argmax()])
        self.answers_ = {"index": np.full(r, k)}
        self.curves_ = {"index": np.tile(values, (r, 1))}
        return [k] * r


def _checked(estimator: BaseEstimator | None) -> BaseEstimator:
    """Return the estimator or the default; raise a ValueError if its sparsity cannot be set."""
    if estimator is None:
        return TPower(init="decreasing")
    known = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    for name in ("n_components", "n_nonzero"):
        if name not in known:
            raise ValueError(
                f"SparsePCASelector: {type(estimator).__name__} has no parameter {name}, which is chosen here"
            )
    return estimator
