"""JointSPCA: no step loses, and what it reaches on pitprops."""

from __future__ import annotations

import numpy as np
import pytest
from spcabench_methods import JointSPCA, Splicing
from spcabench_methods.core.moments import Gram
from spcabench_methods.joint.ascent import CRITERIA, Ascent, value_of


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_criterion_never_falls_and_is_what_it_says(pitprops, criterion):
    W = Splicing(3, 4, covariance="precomputed").fit(pitprops).components_.T
    ascent = Ascent(Gram(pitprops), W, [4] * 3, criterion, 0.1)
    for _ in range(5):
        before = ascent.value
        assert ascent.sweep() >= 0.0
        assert ascent.value >= before
        assert ascent.value == pytest.approx(value_of(criterion, ascent.W, pitprops @ ascent.W), rel=1e-9)


def test_together_they_span_more_than_one_after_the_other(pitprops):
    joint = JointSPCA(5, 5, covariance="precomputed").fit(pitprops)
    assert joint.cpev_[-1] >= 0.7738 - 1e-4
    assert joint.criterion_ == pytest.approx(joint.cpev_[-1])
    assert joint.cpev_[-1] > Splicing(5, 5, covariance="precomputed").fit(pitprops).cpev_[-1] + 0.01


def test_orthogonal_loadings_are_orthogonal(pitprops):
    W = JointSPCA(3, 5, criterion="orthogonal", covariance="precomputed").fit(pitprops).components_
    assert np.abs(W @ W.T - np.eye(3)).max() < 1e-8
