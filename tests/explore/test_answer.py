"""What the answer says, sentence by sentence."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from spcabench.explore.answer import facts
from spcabench.explore.choice import Choice
from spcabench.explore.judging import Bend, Stability, Winner
from spcabench.explore.outliers import Outliers


def answer(n_samples, bend):
    unknown = np.full(1, np.nan)
    return SimpleNamespace(
        choice=Choice([4], {}, {"parallel": 1, "bi_cv": 0}, [], [], 9, ["Noted."]),
        winner=Winner("tpower", (), 0, ()),
        stability=Stability(np.full((1, 6), np.nan), unknown, 0),
        components=(),
        table=SimpleNamespace(X=np.zeros((n_samples, 6)), rows=np.arange(1, n_samples + 1)),
        outliers=Outliers(np.empty(0, int), unknown, unknown, False, unknown, np.zeros(1, bool)),
        disagreement=(),
        bend=bend,
    )


@pytest.mark.parametrize(("place", "more"), [(2, " For a sparser answer: --nonzeros 2."), (6, "")])
def test_the_bend_is_said_wherever_it_is(place, more):
    said = dict(facts(answer(60, Bend(place, 0.02, 0.001))))
    assert said["how sparse"] == (
        f"4 variables. The curve bends at {place} a component: before, one more variable adds 2.00% of the variance, "
        f"after it 0.10%.{more} Noted."
    )
    assert "beyond 9 permutations of the columns 1, by held-out" in said["how many components"]


@pytest.mark.parametrize(
    ("n_samples", "reason"),
    [
        (60, "The budget had no time for enough halves of the rows"),
        (12, "12 rows are too few to hold half of them out"),
    ],
)
def test_without_halves_the_reason_is_said(n_samples, reason):
    said = dict(facts(answer(n_samples, None)))
    assert said["how stable"] == f"Not judged. {reason}."
    assert said["which method"] == f"tpower. {reason}: the variance of the whole table decided."
