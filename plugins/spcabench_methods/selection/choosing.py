"""Choose the cardinality of one component by several rules, and by their vote."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.selection.candidates import Fits, variances
from spcabench_methods.selection.criteria import ebic, held_out_variances, one_standard_error, weighed
from spcabench_methods.selection.stability import frequencies, most_stable, resampled, stabilities

VOTERS = ("ebic", "held_out", "weighed")
"""The rules whose median is the vote."""
FEW = 20
"""With fewer samples folds and half-samples are too small: the vote is that of the criterion alone."""


@dataclass(frozen=True)
class Question:
    """What a component is chosen from.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples without the components before.
    W : ndarray of shape (n_cardinalities, n_features)
        The loadings of all samples at each cardinality.
    fits : Fits
        Makes such loadings of other samples.
    before : int
        How many components there are before.
    n_folds, n_resamples : int
        Of the rules.
    random : RandomState or Generator
        Draws folds and half-samples.
    """

    X: Array
    W: Array
    fits: Fits
    before: int
    n_folds: int
    n_resamples: int
    random: RandomSource

    @property
    def sizes(self) -> tuple[float, Sequence[int], int, int]:
        """The total variance, the cardinalities, the samples, and the features without the components before."""
        n, d = self.X.shape
        return float(np.mean(self.X**2)) * d, self.fits.grid, n, d - self.before


@dataclass(frozen=True)
class Answer:
    """What a rule says: its values at each cardinality, and the place of the one that it chooses."""

    values: Array
    place: int
    resampled: Array | None = field(default=None, repr=False)


def _by_ebic(question: Question) -> Answer:
    values = ebic(variances(question.X, question.W), *question.sizes)
    return Answer(values, int(values.argmin()))


def _by_held_out(question: Question) -> Answer:
    held_out = held_out_variances(question.X, question.fits, question.n_folds, question.random)
    return Answer(held_out.mean(axis=0), one_standard_error(held_out))


def _by_stability(question: Question) -> Answer:
    loadings = resampled(question.X, question.fits, question.n_resamples, question.random)
    values = stabilities(loadings)
    return Answer(values, most_stable(values), loadings)


def _by_both(question: Question) -> Answer:
    loadings = resampled(question.X, question.fits, question.n_resamples, question.random)
    values = weighed(variances(question.X, question.W), *question.sizes, stabilities(loadings))
    return Answer(values, int(values.argmin()), loadings)


RULES: Mapping[str, Callable[[Question], Answer]] = {
    "ebic": _by_ebic,
    "held_out": _by_held_out,
    "stability": _by_stability,
    "weighed": _by_both,
}


@dataclass(frozen=True)
class Choice:
    """The cardinality of one component.

    Parameters
    ----------
    place : int
        Which of the cardinalities it is.
    w : ndarray of shape (n_features,)
        The loading of all samples with it.
    answers : mapping of str to Answer
        What each rule says.
    frequencies : ndarray of shape (n_features,), optional
        How often each feature is selected in half-samples; None if there were none.
    """

    place: int
    w: Array
    answers: Mapping[str, Answer]
    frequencies: Array | None


def choose(question: Question, rules: Sequence[str]) -> Choice:
    """Choose by the median of some rules."""
    answers = {rule: RULES[rule](question) for rule in rules}
    places = sorted(answer.place for answer in answers.values())
    place = places[(len(places) - 1) // 2]
    w = question.W[place]
    drawn = next((answer.resampled for answer in answers.values() if answer.resampled is not None), None)
    return Choice(place, w, answers, None if drawn is None else frequencies(drawn[:, place], w))
