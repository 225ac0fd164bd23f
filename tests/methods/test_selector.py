"""`SparsePCASelector` finds what is planted, by scikit-learn's conventions."""

from __future__ import annotations

import numpy as np
import pytest
from selection_table import planted
from sklearn.base import clone
from sklearn.decomposition import SparsePCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from spcabench_methods import SPCA, SparsePCASelector, TPower
from test_contract_scikit_learn import check_all

SMALL = {"cv": 3, "n_resamples": 4, "n_permutations": 9, "max_components": 3}
"""What makes a fit quick."""


def test_the_cardinality_and_the_features_that_were_planted_are_found():
    """At a signal where the support can be found at all; theta = 5 on noise of variance 1."""
    found = [SparsePCASelector(n_components=1, random_state=s).fit(planted(50, [5], seed=s)) for s in range(3)]
    assert sum(one.n_nonzero_.tolist() == [5] for one in found) >= 2
    for one in found:
        frequency = one.selection_frequencies_[0]
        assert frequency[:5].min() >= 0.5 > frequency[5:].max()


@pytest.mark.nightly
@pytest.mark.parametrize(("d", "k", "theta", "draws"), [(50, 5, 3, 50), (50, 10, 5, 50), (500, 5, 5, 10)])
def test_the_vote_is_right_in_80_percent_of_draws(d, k, theta, draws):
    found = [
        SparsePCASelector(n_components=1, random_state=s).fit(planted(d, [theta], k, seed=s)) for s in range(draws)
    ]
    assert sum(one.n_nonzero_[0] == k for one in found) >= 0.8 * draws
    apart = [one.selection_frequencies_[0][:k].min() >= 0.5 > one.selection_frequencies_[0][k:].max() for one in found]
    assert sum(apart) >= 0.8 * draws


@pytest.mark.nightly
def test_the_number_of_components_is_right_in_80_percent_of_draws():
    counts = []
    for seed in range(50):
        fast = {"n_nonzero": [5], "criterion": "ebic", "random_state": seed}
        counts.append(SparsePCASelector(**fast).fit(planted(50, [8, 6, 4], seed=seed)).counts_["parallel"])
    assert counts.count(3) >= 40


def test_components_are_counted_and_chosen_one_after_the_other():
    X = planted(30, [20, 10], n=200)
    found = SparsePCASelector(random_state=0).fit(X)
    assert found.counts_ == {"parallel": 2, "bi_cv": 2}
    assert found.bi_cv_errors_.argmin() == 2
    assert found.scree_.shape == (2, 30)
    assert found.n_components_ == 2
    assert found.n_nonzero_.tolist() == [5, 5]
    assert [set(np.flatnonzero(w)) for w in found.components_] == [set(range(5)), set(range(5, 10))]


def test_the_vote_is_the_median_of_three_answers():
    found = SparsePCASelector(n_components=2, random_state=0).fit(planted(20, [6, 3]))
    answers = np.array([found.answers_[rule] for rule in ("ebic", "held_out", "weighed")])
    assert found.n_nonzero_.tolist() == np.median(answers, axis=0).tolist()
    for rule in ("ebic", "held_out", "weighed", "stability"):
        alone = SparsePCASelector(n_components=1, criterion=rule, random_state=0).fit(planted(20, [6, 3]))
        assert alone.n_nonzero_.tolist() == alone.answers_[rule].tolist()
        assert alone.curves_[rule].shape == (1, len(alone.grid_))


def test_the_index_chooses_one_cardinality_for_all():
    X = planted(12, [9, 6], k=3)
    found = SparsePCASelector(n_components=2, criterion="index").fit(X)
    best = found.grid_[found.curves_["index"][0].argmax()]
    assert found.n_nonzero_.tolist() == [best, best]


def test_wide_data_are_counted_by_sparse_components():
    found = SparsePCASelector(criterion="ebic", random_state=0, max_components=2).fit(planted(150, [6], n=60, seed=1))
    assert list(found.counts_) == ["sparse", "bi_cv"]
    assert found.n_components_ == 1


def test_it_stands_in_a_pipeline_and_refits_as_its_parts():
    X = planted(20, [8]) * 3 + 5
    pipeline = make_pipeline(StandardScaler(), SparsePCASelector(SPCA(), n_nonzero=[3, 5, 8], random_state=0, **SMALL))
    scores = pipeline.fit_transform(X)
    chosen = pipeline[-1]
    assert scores.shape == (100, chosen.n_components_)
    again = SPCA(chosen.n_components_, chosen.n_nonzero_.tolist()).fit(StandardScaler().fit_transform(X))
    np.testing.assert_array_equal(again.components_, chosen.components_)
    assert pipeline.get_feature_names_out().tolist() == [f"sparsepcaselector{j}" for j in range(scores.shape[1])]
    assert clone(pipeline[-1]).get_params()["estimator__n_components"] == 2
    assert pipeline.score(X) == chosen.estimator_.score(StandardScaler().fit_transform(X))


def test_the_same_seed_makes_the_same_choice():
    X = planted(20, [2])
    first, second = (SparsePCASelector(random_state=3, **SMALL).fit(X) for _ in range(2))
    assert first.curves_.keys() == second.curves_.keys()
    assert all(np.array_equal(first.curves_[rule], second.curves_[rule], equal_nan=True) for rule in first.curves_)


def test_doubts_are_warned_of():
    X = planted(20, [])
    with pytest.warns(UserWarning, match="no component exceeds chance; one is fitted"):
        SparsePCASelector(criterion="ebic", random_state=0).fit(X)
    with pytest.warns(UserWarning, match="12 samples are too few for folds and half-samples; ebic alone chooses"):
        found = SparsePCASelector(n_components=1).fit(X[:12])
    assert list(found.answers_) == ["ebic"]
    with pytest.warns(UserWarning, match="the largest cardinality was chosen, 2; offer larger ones as n_nonzero"):
        SparsePCASelector(n_components=1, n_nonzero=[1, 2], criterion="ebic").fit(planted(20, [9]))


def test_an_estimator_without_a_cardinality_is_named():
    words = "SparsePCASelector: SparsePCA has no parameter n_nonzero, which is chosen here"
    with pytest.raises(ValueError, match=words):
        SparsePCASelector(SparsePCA()).fit(planted(20, []))


def test_a_score_on_the_training_samples_never_falls_with_the_cardinality():
    X = planted(20, [3])
    scores = [TPower(1, k, init="decreasing").fit(X).score(X) for k in (1, 2, 5, 10, 20)]
    assert scores == sorted(scores)


@pytest.mark.nightly
def test_scikit_learn_finds_no_fault():
    check_all(SparsePCASelector(n_nonzero=[1, 2], random_state=0, **SMALL))


def test_blocks_of_equal_strength_are_found_together():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 15))
    for block in range(3):
        X[:, 5 * block : 5 * block + 5] += rng.standard_normal((150, 1))
    found = SparsePCASelector(n_components=3, criterion="together", cv=5, random_state=0).fit(X / X.std(axis=0))
    assert found.n_nonzero_.tolist() == [5, 5, 5]
    supports = sorted(np.flatnonzero(w).tolist() for w in found.components_)
    assert supports == [list(range(5 * b, 5 * b + 5)) for b in range(3)]
    assert found.answers_["together"].tolist() == [5, 5, 5]
