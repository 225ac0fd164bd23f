"""What a try comes to: the verdict, the components, the estimator; and each answer in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from spcabench.explore.comparing import Reached
from spcabench.explore.deciding import Decision, View
from spcabench.explore.figures import figures
from spcabench.explore.outliers import MOST_FLAGGED
from spcabench.explore.understanding import Prepared
from spcabench.explore.values import Remark
from spcabench.foreign.formats import Table
from spcabench.report.figures import Figure
from spcabench.report.render.text import listed
from spcabench.specs import Array
from spcabench.wording import InputError

MOST_NAMED = 4


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found in a table.

    Parameters
    ----------
    source : Table
        The table as read.
    remarks : tuple of Remark
        What was done to it.
    table : Prepared
        The matrix that was fitted.
    decision : Decision
        What was decided, and what other forms of the table say.
    script : str
        The Python that fits it again.
    methods : tuple of Reached
        Other methods, if a budget was given.
    missed : tuple of str
        Methods that the budget had no time for.
    """

    source: Table
    remarks: tuple[Remark, ...]
    table: Prepared
    decision: Decision
    script: str
    methods: tuple[Reached, ...] = ()
    missed: tuple[str, ...] = ()

    @cached_property
    def components(self) -> pd.DataFrame:
        """The loadings by variable; no column if nothing is beyond chance."""
        return self._framed(self.decision.first.components)

    @cached_property
    def frequencies(self) -> pd.DataFrame:
        """The share of half-samples whose component selects a variable."""
        first = self.decision.first
        return self._framed(first.found.selection_frequencies_[: len(first.components)])

    def _framed(self, rows: Array) -> pd.DataFrame:
        index = pd.Index(self.table.features, name="variable")
        return pd.DataFrame(rows.T, index, [f"PC{j + 1}" for j in range(len(rows))])

    @property
    def estimator(self) -> Any:
        """The fitted estimator; its samples are scaled as `table` says."""
        return self.decision.first.found.estimator_

    @property
    def title(self) -> str:
        """The name of the table and its size."""
        n, d = self.table.X.shape
        return f"{self.source.file.name}: {n} rows, {d} variables"

    @property
    def verdict(self) -> str:
        """The answer in a sentence."""
        decision = self.decision
        said = _said(self, decision.first)
        if decision.first.how != "the other rows":
            ranks = f"By ranks, which outlying values hardly move: {said[0].lower()}{said[1:]}"
            return ranks if decision.first.how == "the ranks" else said
        rows = _listed([self.table.name_of(i) for i in decision.far.tolist()])
        number = len(decision.far)
        plain = next((view for view in decision.others if view.how == "all rows"), None)
        start = f"{'One row decides' if number == 1 else f'{number} rows decide'} it ({rows}).  "
        with_them = f"  With {'it' if number == 1 else 'them'}: {_short(plain)}." if plain else ""
        return f"{start}Without {'it' if number == 1 else 'them'}: {said[0].lower()}{said[1:]}{with_them}"

    def figure(self, name: str = "heat_map") -> Figure:
        """Return a figure, which shows itself in a notebook; its ``save`` writes SVG, PNG or PDF.

        Parameters
        ----------
        name : {"heat_map", "stability", "held_out", "biplot", "circle"}
            Which.

        Raises
        ------
        InputError
            If there is no such figure.
        """
        found = {one.name: one for one in figures(self)}
        if name not in found:
            raise InputError(f"no figure '{name}' of this answer; valid are {', '.join(found)}")
        return found[name]

    def __str__(self) -> str:
        said = [f"{question}: {text}" for question, text in facts(self)]
        remarks = [f"{'warning: ' if remark.warning else ''}{remark}" for remark in self.remarks]
        return "\n".join([self.verdict, "", *said, "", self.title, *remarks])

    def _repr_html_(self) -> str:
        said = "".join(f"<dt>{escape(q)}</dt><dd>{escape(text)}</dd>" for q, text in facts(self))
        return f"<p><strong>{escape(self.verdict)}</strong></p><dl>{said}</dl>"


def _said(answer: Answer, view: View) -> str:
    n, d = view.X.shape
    if view.kind == "nothing":
        return f"Nothing beyond chance: no component of these {d} variables exceeds what {n} rows make by chance."
    r = len(view.components)
    if view.kind == "not sparse":
        count = "One component" if r == 1 else f"{r} components"
        best = f"the best sparse loadings have {_listed(view.sizes)} of {d} variables"
        return f"{count} beyond chance, but not sparse: {best}; take PCA."
    parts = [f"PC{j} {names}" for j, names in enumerate(_variables(answer, view), 1)]
    again = _listed([f"{share:.0%}" for share in view.found.found_again_])
    found = "" if np.isnan(view.found.found_again_).any() else f"  Found again in {again} of the half-samples."
    many = f"{r} blocks" if view.apart else f"{r} sparse components, which share variables,"
    return f"{'One block' if r == 1 else many} of {_listed(view.sizes)} variables: {'; '.join(parts)}.{found}"


def _variables(answer: Answer, view: View) -> Iterator[str]:
    for w in view.components:
        order = [f for f in np.argsort(-np.abs(w), kind="stable").tolist() if w[f]]
        named = [f"{'+' if w[f] > 0 else '-'}{answer.table.features[f]}" for f in order]
        yield listed(named, MOST_NAMED)


def _short(view: View) -> str:
    if not len(view.components):
        return "nothing beyond chance"
    r = len(view.components)
    return f"{'one component' if r == 1 else f'{r} components'} of {_listed(view.sizes)} variables"


def facts(answer: Answer) -> tuple[tuple[str, str], ...]:
    """Return the question and the answer of each decision."""
    said = {
        "how many components": _counted(answer),
        "how sparse": _sparse(answer),
        "how stable": _stable(answer),
        "outlying rows": _outlying(answer),
        "other methods": _methods(answer),
    }
    found = ((question, " ".join(filter(None, sentences))) for question, sentences in said.items())
    return tuple((question, text) for question, text in found if text)


def _counted(answer: Answer) -> Iterator[str]:
    first, decision = answer.decision.first, answer.decision
    chooser = first.found
    if chooser.n_components != "auto":
        yield f"{chooser.n_components}, as you asked."
        return
    how = "shifted against each other" if decision.in_order else "permuted"
    yield (
        f"{chooser.n_beyond_chance_}: each varies more than in any of up to {chooser.n_permutations} copies of the "
        f"table whose columns are {how}, so that only chance correlates them."
    )
    if chooser.n_beyond_chance_ == chooser.max_components:
        yield "The count stopped there: more may be there."
    if decision.n_used < len(answer.table.X):
        yield f"Chosen on {decision.n_used} of {len(answer.table.X)} rows, drawn at random."


def _sparse(answer: Answer) -> Iterator[str]:
    first = answer.decision.first
    if not len(first.components):
        return
    chooser = first.found
    own = float(chooser.held_out_[:, first.place].mean())
    yield (
        f"{_listed(first.sizes)} variables. Their span keeps {own:.1%} of the variance of held-out rows; as many "
        f"components of PCA keep {chooser.dense_held_out_:.1%}."
    )
    sparser = first.sparser()
    if sparser:
        yield f"Sparser: {_listed(sparser[0])} variables keep {sparser[1]:.1%} of that."
    elif chooser.n_nonzero is None:
        yield "No sparser choice keeps 99% of that."


def _stable(answer: Answer) -> Iterator[str]:
    first = answer.decision.first
    if not len(first.components) or np.isnan(first.found.found_again_).any():
        return
    for j, share in enumerate(first.found.found_again_.tolist()):
        chosen = answer.frequencies.iloc[:, j][first.components[j] != 0]
        yield f"PC{j + 1} is found again in {share:.0%} of {first.found.n_resamples} half-samples,"
        yield f"its variables in {chosen.min():.0%} to {chosen.max():.0%}."


def _outlying(answer: Answer) -> Iterator[str]:
    decision = answer.decision
    rows = [answer.table.name_of(i) for i in decision.far.tolist()]
    if rows:
        yield f"{len(rows)} of {len(answer.table.X)} rows lie far away: {_listed(rows)}."
    else:
        yield f"None; or more than {MOST_FLAGGED:.0%} of the rows lie far away, which are then groups or heavy tails."
    for view in decision.others:
        yield f"Another answer by {view.how}: {_short(view)}."
    if not decision.others:
        yield "The ranks alone give the same answer" + (", and so do the other rows." if rows else ".")


def _methods(answer: Answer) -> Iterator[str]:
    if answer.methods:
        best = [one.method for one in answer.methods if one.tied]
        yield f"Not ruled out as the best on held-out halves: {_listed(best)}."
    if answer.missed:
        yield f"No time for {_listed(answer.missed)}."


def _listed(things: Sequence[object]) -> str:
    names = [str(thing) for thing in things]
    if len(names) > 2 * MOST_NAMED:
        return f"{', '.join(names[: 2 * MOST_NAMED])} and {len(names) - 2 * MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
