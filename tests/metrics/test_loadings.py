"""The entries of components as metrics."""

import numpy as np
import pytest

from spcabench import Dataset, Evaluation, Fitted, Moments
from spcabench.metrics import loadings


@pytest.fixture
def given():
    X = np.random.default_rng(0).standard_normal((6, 3))
    fitted = Fitted(components=np.array([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0]]), mean=np.zeros(3))
    return Evaluation(dataset=Dataset(X=X), fitted=fitted, moments=Moments(X=X))


def test_entries_are_named_by_component_and_feature_from_one(given):
    expected = {"1.1": 0.6, "1.2": 0.0, "1.3": 0.8, "2.1": 0.0, "2.2": 1.0, "2.3": 0.0}
    assert loadings.loading(given) == expected


def test_features_are_chosen_and_those_beyond_the_last_left_out(given):
    assert loadings.loading(given, features=[3, 1, 4]) == {"1.1": 0.6, "1.3": 0.8, "2.1": 0.0, "2.3": 0.0}
