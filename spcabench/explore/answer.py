"""What a try comes to: every answer as values, and each in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spcabench.explore.choice import Choice
from spcabench.explore.components import Component
from spcabench.explore.judging import Bend, Stability, Winner, verdict
from spcabench.explore.outliers import Outliers
from spcabench.explore.prepared import Prepared
from spcabench.explore.refit import Steps
from spcabench.explore.values import FEW, Remark
from spcabench.foreign.reader import Table
from spcabench.report.model import Results
from spcabench.specs import Array

MOST_NAMED = 4
DISAGREE = 0.5
"""Supports with a smaller index of Jaccard disagree."""
COUNTS = {
    "parallel": "eigenvalues beyond {} permutations of the columns",
    "sparse": "sparse components beyond {} permutations of the columns",
    "bi_cv": "held-out reconstruction",
}
RULES = {
    "together": "held-out variance of the span",
    "ebic": "extended BIC",
    "held_out": "held-out variance",
    "weighed": "likelihood and stability",
}


@dataclass(frozen=True)
class Answer:
    """All that a try found.

    Parameters
    ----------
    source : Table
        The table as read.
    remarks : tuple of Remark
        What was done to it.
    table : Prepared
        The matrix that was fitted.
    choice : Choice
        How many components and nonzeros.
    winner : Winner
        Which method.
    whole : ndarray of shape (n_components, n_features)
        Its loadings.
    components : tuple of Component
        They, described.
    stability : Stability
        How alike they are in halves.
    results : Results
        The run on the whole table; the suite emphasises the methods that may be the best.
    bend : Bend or None
        Where the curve of the winner bends.
    cpev, dense : float
        The shares of the variance that the components span, and as many principal components.
    outliers : Outliers
        Rows that lie far away.
    disagreement : tuple of (str, float)
        Robust methods, and the index of Jaccard of their supports with the winner's.
    steps : Steps
        The Python that fits it again.
    """

    source: Table
    remarks: tuple[Remark, ...]
    table: Prepared
    choice: Choice
    winner: Winner
    whole: Array
    components: tuple[Component, ...]
    stability: Stability
    results: Results
    bend: Bend | None
    cpev: float
    dense: float
    outliers: Outliers
    disagreement: tuple[tuple[str, float], ...]
    steps: Steps


def headline(answer: Answer) -> str:
    """Return the answer in a sentence."""
    r = answer.choice.n_components
    sizes = _listed([len(component.variables) for component in answer.components])
    what = f"{r} sparse components of {sizes} variables" if r > 1 else f"One sparse component of {sizes} variables"
    ratio = answer.cpev / answer.dense if answer.dense else float("nan")
    return (
        f"{what} hold{'s' if r == 1 else ''} {answer.cpev:.1%} of the variance, {ratio:.0%} of what as many dense "
        f"components hold; fitted by {answer.winner.method}."
    )


def facts(answer: Answer) -> tuple[tuple[str, str], ...]:
    """Return the question and the answer of each decision."""
    said = {
        "how many components": _components(answer.choice),
        "how sparse": _sparse(answer),
        "which method": _method(answer),
        "which variables": _variables(answer),
        "how stable": _stable(answer),
        "outlying rows": _outlying(answer),
    }
    return tuple((question, " ".join(filter(None, sentences))) for question, sentences in said.items())


def _components(choice: Choice) -> Iterator[str]:
    if not choice.counts:
        yield f"{choice.n_components}, as you asked."
        return
    words = {rule: text.format(choice.n_permutations) for rule, text in COUNTS.items()}
    said = [f"by {words.get(rule, rule)} {count}" for rule, count in choice.counts.items()]
    yield f"{choice.n_components}: {', '.join(said)}."
    if len(set(choice.counts.values())) > 1:
        yield "They differ: look at both, by --components."


def _sparse(answer: Answer) -> Iterator[str]:
    choice, bend = answer.choice, answer.bend
    yield f"{_listed(choice.n_nonzero)} variables."
    if choice.rules:
        yield f"By rule: {'; '.join(f'{RULES.get(rule, rule)} {_listed(ks)}' for rule, ks in choice.rules.items())}."
    if bend:
        yield (
            f"The curve bends at {bend.nonzeros:g} a component: before, one more variable adds {bend.before:.2%} of "
            f"the variance, after it {bend.after:.2%}."
        )
        if bend.nonzeros < np.mean(choice.n_nonzero):
            yield f"For a sparser answer: --nonzeros {bend.nonzeros:.0f}."
    yield from choice.notes


def _method(answer: Answer) -> Iterator[str]:
    winner = answer.winner
    yield f"{winner.method}."
    if winner.n_halves:
        best = next(one for one in winner.reached if one.method == winner.method)
        yield f"It holds {best.held_out:.1%} of the variance of held-out halves ({winner.n_halves} halves)."
    else:
        yield f"{_without_halves(answer)}: the variance of the whole table decided."
    if winner.tied:
        first = f"of these {winner.method} comes first in the portfolio"
        yield f"Not ruled out as the best: {_listed(winner.tied)}; {first}."
    behind = [one.method for one in winner.reached if not one.tied]
    if behind:
        yield f"Behind: {_listed(behind)}."


def _without_halves(answer: Answer) -> str:
    if len(answer.table.X) < FEW:
        return f"{len(answer.table.X)} rows are too few to hold half of them out"
    return "The budget had no time for enough halves of the rows"


def _variables(answer: Answer) -> Iterator[str]:
    for place, component in enumerate(answer.components, 1):
        leading = component.variables["loading"].head(MOST_NAMED)
        named = [f"{'+' if loading > 0 else '-'}{name}" for name, loading in leading.items()]
        more = len(component.variables) - MOST_NAMED
        yield f"PC{place}: {', '.join(named)}{f' and {more} more' if more > 0 else ''}."


def _stable(answer: Answer) -> Iterator[str]:
    found = answer.stability
    if not found.n_halves:
        yield f"Not judged. {_without_halves(answer)}."
        return
    for place, index in enumerate(found.kuncheva, 1):
        yield f"PC{place} {verdict(index)} (Kuncheva {index:.2f})."
    yield f"From {found.n_halves} halves of the rows."


def _outlying(answer: Answer) -> Iterator[str]:
    found = answer.outliers
    rows = [answer.table.rows[i] for i in found.flagged]
    if rows:
        yield f"{len(rows)} of {len(answer.table.X)} rows lie far away (rows {_listed(rows)} of the file)."
    else:
        yield "None lies far away."
    if found.many and not found.moved.any():
        yield "That is more than in normal data: heavy tails or outliers."
    if found.moved.any():
        named = _listed([f"PC{j + 1}" for j in np.flatnonzero(found.moved)])
        yield f"{named} changes without them: look at these rows before you use it."
    elif rows and not np.isnan(found.cosines).any():
        yield "The components are the same without them."
    yield found.note
    apart = [f"{name} ({index:.2f})" for name, index in answer.disagreement if index < DISAGREE]
    if apart:
        yield (
            f"A robust method chooses other variables: {_listed(apart)}, by Jaccard's index. "
            "Without outlying rows its start is the likely reason."
        )
    elif answer.disagreement:
        yield "Robust methods choose the same variables, or nearly."


def _listed(things: Sequence[object]) -> str:
    names = [str(thing) for thing in things]
    if len(names) > 2 * MOST_NAMED:
        return f"{', '.join(names[: 2 * MOST_NAMED])} and {len(names) - 2 * MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
