"""How many components, and which variables: asked of the rows, of their ranks, and of the rows without far ones."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import ndtri
from scipy.stats import rankdata

from spcabench.explore.outliers import flagged
from spcabench.importing import resolve
from spcabench.specs import Array

MOST_VALUES, LEAST_ROWS = 300_000, 200
"""Rows are drawn at random from a table with more numbers, but not fewer rows than the second."""
SMALL = 100_000
"""Numbers of a table up to which 99 permutations are made, otherwise 39."""
HALVES = 20
"""Half-samples; a budget adds to them."""
SAME = 0.5
"""Two answers are the same if all their components share at least this part of what either has."""
DENSE, WIDE = 0.9, 0.5
"""Components are not sparse if they keep less of what dense ones keep of held-out rows, or have more variables."""
CLEAR = 1.1
"""Where all rows show nothing, another form of the table shows something only if it exceeds chance so many times."""
LEANING = 0.5
"""A variable, or a component, that fewer half-samples find is not supported."""
SHARED = 0.1
"""The largest share of the variables of blocks that are in two of them."""
ORDERS, ALIKE = 199, 0.005
"""Orders of the rows that are drawn, and the share of them that are as alike by which rows depend on each other."""

How = Literal["all rows", "the other rows", "the ranks"]
Kind = Literal["nothing", "not sparse", "blocks"]


@dataclass(frozen=True, eq=False)
class View:
    """The answer of one form of the table.

    Parameters
    ----------
    how : {"all rows", "the other rows", "the ranks"}
        All rows, those without the ones that lie far away, or the normal scores of each column.
    X : ndarray of shape (n_used, n_features)
        What was fitted: centred, and scaled as is wanted.
    kept : ndarray of bool, shape (n_samples,)
        The rows of the table that it has.
    found : object
        The fitted selector.
    components : ndarray of shape (n_components, n_features)
        Unit loadings of all of X; none if nothing is beyond chance.
    """

    how: How
    X: Array
    kept: NDArray[np.bool_]
    found: Any
    components: Array

    @property
    def sizes(self) -> list[int]:
        """How many variables each component has."""
        return [int(np.count_nonzero(w)) for w in self.components]

    @property
    def kind(self) -> Kind:
        """What the answer comes to."""
        if not len(self.components):
            return "nothing"
        own = float(self.found.held_out_[:, self.place].mean())
        frequencies = self.found.selection_frequencies_[self.components != 0]
        again = self.found.found_again_[: len(self.components)]
        unsure = not np.isnan(again).any() and min(np.median(frequencies), np.median(again)) < LEANING
        wide = float(np.mean(self.sizes)) > WIDE * self.components.shape[1]
        return "not sparse" if wide or unsure or own < DENSE * self.found.dense_held_out_ else "blocks"

    @property
    def clear(self) -> bool:
        """Whether the first component varies by a tenth more than chance reaches."""
        return bool(self.found.scree_[0, 0] > CLEAR * self.found.scree_[1, 0])

    @property
    def apart(self) -> bool:
        """Whether hardly a variable is in two components."""
        uses = np.count_nonzero(self.components, axis=0)
        return bool(np.count_nonzero(uses > 1) <= SHARED * np.count_nonzero(uses))

    @property
    def place(self) -> int:
        """The place of what was chosen among what was tried."""
        return int(self.found.tried_.index(tuple(self.found.n_nonzero_.tolist())))

    def sparser(self, share: float = 0.99) -> tuple[tuple[int, ...], float] | None:
        """Return the fewest nonzeros whose held-out span is at least a share of the chosen one, and their share."""
        means = self.found.held_out_.mean(axis=0)
        first = int(np.argmax(means >= share * means[self.place]))
        fewer, chosen = self.found.tried_[first], self.found.tried_[self.place]
        return (fewer, float(means[first] / means[self.place])) if sum(fewer) < sum(chosen) else None


@dataclass(frozen=True, eq=False)
class Decision:
    """What was decided.

    Parameters
    ----------
    first : View
        The answer that stands: that of the rows as they are if all agree, otherwise a robust one.
    others : tuple of View
        Those that differ from it.
    far : ndarray of int
        The places of rows that lie far away, the farthest first.
    n_used : int
        Rows that were used to choose.
    in_order : bool
        Whether rows that follow each other are alike.
    """

    first: View
    others: tuple[View, ...]
    far: NDArray[np.intp]
    n_used: int
    in_order: bool


@dataclass(frozen=True)
class Asker:
    """What asks: the selector, what the user said, and how the rows are taken."""

    selector: str
    n_components: int | None
    n_nonzero: int | None
    standardise: bool
    in_order: bool
    halves: int = HALVES

    def scaled(self, X: Array) -> Array:
        """Centre the columns, and standardise them if that is wanted."""
        centred = X - X.mean(axis=0)
        spread = centred.std(axis=0)
        return np.asarray(centred / np.where(spread > 0, spread, 1.0) if self.standardise else centred)

    def ask(self, how: How, X: Array, kept: NDArray[np.bool_]) -> View:
        """Choose and fit."""
        some = sampled(X)
        chooser = resolve(self.selector)(
            n_components=self.n_components or "auto",
            n_nonzero=self.n_nonzero,
            rows="ordered" if self.in_order and len(some) == len(X) else "independent",
            n_permutations=99 if some.size <= SMALL else 39,
            n_resamples=0,
            random_state=0,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it warns of is said in the answer
            chooser.fit(some)
            if len(some) < len(X):  # halves are compared with these too, so that both have one order
                chooser.components_ = chooser.estimator_.fit(X).components_
        found = chooser.components_[: chooser.n_beyond_chance_]
        return View(how, X, kept, chooser, np.asarray(found, dtype=np.float64))


def sampled(X: Array) -> Array:
    """Return the rows, or of many a part that is drawn at random."""
    rows = max(LEAST_ROWS, MOST_VALUES // X.shape[1])
    return X if rows >= len(X) else X[np.sort(np.random.default_rng(0).permutation(len(X))[:rows])]


def decide(X: Array, asker: Asker) -> Decision:
    """Ask the rows as they are, their ranks, and the rows without those that lie far away.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        As in the table: not centred, not scaled.
    asker : Asker
        What asks.
    """
    every = np.ones(len(X), dtype=bool)
    scaled = asker.scaled(X)
    used = len(sampled(X))
    plain = asker.ask("all rows", scaled, every)
    far = flagged(scaled, max(1, len(plain.components)))
    views = []
    if len(far):
        kept = every.copy()
        kept[far] = False
        views.append(asker.ask("the other rows", asker.scaled(X[kept]), kept))
    views.append(asker.ask("the ranks", normal_scores(X, asker), every))
    views = [view for view in views if not same(view, plain) and (len(plain.components) or view.clear)]
    first, *others = (views[0], plain, *views[1:]) if views else (plain,)
    if len(first.components):
        first.found.set_params(n_resamples=asker.halves).resample(sampled(first.X))
    return Decision(first, tuple(view for view in others if not same(view, first)), far, used, asker.in_order)


def normal_scores(X: Array, asker: Asker) -> Array:
    """Replace each column by the normal scores of its ranks, with its standard deviation unless that is one."""
    scores = ndtri((rankdata(X, axis=0) - 0.5) / len(X))
    return asker.scaled(scores if asker.standardise else scores / scores.std(axis=0) * X.std(axis=0))


def same(one: View, other: View) -> bool:
    """Return whether two answers have as many components, of much the same variables or of nearly all."""
    a, b = one.components != 0, other.components != 0
    if len(a) != len(b):
        return False
    if not len(a) or one.kind == other.kind == "not sparse":
        return True
    common = a.astype(float) @ b.T.astype(float)
    shares = common / (a.sum(axis=1)[:, None] + b.sum(axis=1) - common)
    rows, columns = linear_sum_assignment(-shares)
    return bool(shares[rows, columns].min() >= SAME)


def depends(X: Array, classes: tuple[str, ...]) -> bool:
    """Return whether rows that follow each other are more alike than in other orders of the rows, within classes.

    The statistic is the sum of the squared autocorrelations of the columns at lag one.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred and scaled.
    classes : tuple of str
        Of the rows, which may be sorted by them; empty if there are none.
    """
    random = np.random.default_rng(0)
    codes = np.unique(classes, return_inverse=True)[1] if classes else np.zeros(len(X), dtype=np.intp)
    means = np.array([X[codes == code].mean(axis=0) for code in range(codes.max() + 1)])
    within = np.argsort(codes, kind="stable")
    X = (X - means[codes])[within]
    X = X[:, : max(1, MOST_VALUES // len(X))]
    scale = np.maximum(np.sum(X**2, axis=0), np.finfo(float).tiny)

    def alike(rows: Array) -> float:
        return float(np.sum((np.sum(rows[1:] * rows[:-1], axis=0) / scale) ** 2))

    own, codes = alike(X), codes[within]
    drawn = [alike(X[np.lexsort((random.random(len(X)), codes))]) for _ in range(ORDERS)]
    return (1 + sum(value >= own for value in drawn)) / (1 + ORDERS) <= ALIKE
