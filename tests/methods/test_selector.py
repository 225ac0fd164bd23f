"""`SparsePCASelector` finds what is planted, by scikit-learn's conventions, and each of its steps against a hand's."""

import numpy as np
import pandas as pd
import pytest
from choosing_table import TABLES, blocks
from sklearn.base import clone
from sklearn.decomposition import SparsePCA
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from spcabench_methods import SPCA, Rotation, SparsePCASelector
from spcabench_methods.selection import counting
from spcabench_methods.selection.counting import best, scree, without_correlation
from spcabench_methods.selection.span import Rows, kept_by, matched
from spcabench_methods.selection.together import halves, one_standard_error, standard_error

SMALL = {"cv": 3, "n_resamples": 4, "n_permutations": 19, "max_components": 3}
"""What makes a fit quick."""


@pytest.mark.parametrize("name", [pytest.param("two near", marks=pytest.mark.nightly), "three equal", "sizes 12, 6, 3"])
def test_blocks_are_found_together(name):
    table = TABLES[name]
    draws = [SparsePCASelector().fit(table.draw(seed)) for seed in range(3)]
    right = [one for one in draws if blocks(one.components_) == table.blocks]
    assert len(right) >= 2
    found = right[0]
    assert found.n_beyond_chance_ == found.n_components_ == len(table.sizes)
    assert found.found_again_.min() > 0.9
    assert found.selection_frequencies_[found.components_ != 0].min() > 0.5
    means = found.held_out_.mean(axis=0)
    assert found.held_out_.shape == (15, len(found.tried_))
    assert found.tried_.index(tuple(found.n_nonzero_)) <= means.argmax()
    assert found.dense_held_out_ < means.max()


@pytest.mark.parametrize(("name", "seed"), [("Likert", 1000), ("two equal", 1016)])
def test_a_variable_of_noise_makes_no_component_longer_than_others(name, seed):
    assert SparsePCASelector(n_resamples=0).fit(TABLES[name].draw(seed)).n_nonzero_.tolist() == [*TABLES[name].sizes]


def test_wide_samples_are_counted_and_searched():
    table = TABLES["wide"]
    assert blocks(SparsePCASelector(n_permutations=19).fit(table.draw(0)).components_) == table.blocks


@pytest.mark.parametrize("name", ["two unequal", "wide", "t3", "nothing", "nothing, t3", "nothing, wide"])
def test_drawing_ends_early_only_where_the_count_is_known(monkeypatch, name):
    samples = [TABLES[name].draw(seed) for seed in range(4)]
    early, drawn = [scree(X, 6, 39, False, np.random.RandomState(0))[0] for X in samples], []
    monkeypatch.setattr(counting, "FEWEST", 39)
    monkeypatch.setattr(counting, "best", lambda *given: drawn.append(given) or best(*given))
    assert [scree(X, 6, 39, False, np.random.RandomState(0))[0] for X in samples] == early
    assert len(drawn) == sum(40 * (found + 1) for found in early)


def test_it_stands_in_a_pipeline_and_refits_as_its_parts():
    X = TABLES["three equal"].draw(0) * 3 + 5
    pipeline = make_pipeline(StandardScaler(), SparsePCASelector(SPCA(), n_nonzero=[3, 5, 8], **SMALL))
    scores = pipeline.fit_transform(X)
    chosen = pipeline[-1]
    again = SPCA(chosen.n_components_, 5).fit(StandardScaler().fit_transform(X))
    np.testing.assert_array_equal(again.components_, chosen.components_)
    assert pipeline.get_feature_names_out().tolist() == [f"sparsepcaselector{j}" for j in range(scores.shape[1])]
    assert clone(pipeline[-1]).get_params()["estimator__n_components"] == 2
    assert cross_val_score(pipeline, X, cv=3).min() > 0.4


def test_one_row_at_a_time_may_be_left_out():
    X = TABLES["two equal"].draw(0)[:40]
    alone = SparsePCASelector(n_components=2, n_nonzero=[2, 6, 9], **{**SMALL, "cv": len(X), "n_resamples": 0}).fit(X)
    assert alone.held_out_.shape == (40, len(alone.tried_))
    assert alone.n_components_ == len(alone.n_nonzero_) == 2


@pytest.mark.filterwarnings("ignore:the largest cardinality")
def test_a_large_table_is_divided_once():
    X = TABLES["wide"].draw(0)
    found = SparsePCASelector(n_components=2, n_nonzero=[5, 10], **{**SMALL, "n_resamples": 0}).fit(X)
    assert len(found.held_out_) == 3


def test_told_numbers_are_kept_and_many_nonzeros_fitted_fast():
    X = TABLES["four equal"].draw(0)
    told = SparsePCASelector(n_components=2, n_nonzero=40, **SMALL).fit(X)
    assert told.n_nonzero_.tolist() == [40, 40]
    assert isinstance(told.estimator_, Rotation)


def test_doubts_are_warned_of():
    X = TABLES["nothing"].draw(0)
    with pytest.warns(UserWarning, match="no component exceeds chance; one is fitted"):
        found = SparsePCASelector().fit(X)
    assert (found.n_beyond_chance_, found.n_components_) == (0, 1)
    with pytest.warns(UserWarning, match="the largest cardinality was chosen, 2; offer larger ones as n_nonzero"):
        SparsePCASelector(n_components=2, n_nonzero=[1, 2], **SMALL).fit(TABLES["two equal"].draw(0))


def test_an_estimator_without_a_cardinality_is_named():
    words = "SparsePCASelector: SparsePCA has no parameter n_nonzero, which is chosen here"
    with pytest.raises(ValueError, match=words):
        SparsePCASelector(SparsePCA()).fit(TABLES["nothing"].draw(0))


@pytest.mark.parametrize("in_order", [False, True])
def test_columns_without_correlation_keep_their_values(in_order):
    X = np.random.default_rng(0).standard_normal((9, 3))
    (other,) = without_correlation(X, 1, in_order, np.random.RandomState(0))
    np.testing.assert_array_equal(np.sort(other, axis=0), np.sort(X, axis=0))
    assert not np.array_equal(other, X)
    turned = any(np.array_equal(np.roll(X[:, 0], k), other[:, 0]) for k in range(9))
    assert turned == in_order


def test_eigenvalues_are_those_of_the_samples():
    X = TABLES["two equal"].draw(0)
    count, (own, chance) = scree(X, 9, 19, False, np.random.RandomState(0))
    assert count == 2
    np.testing.assert_allclose(own, np.linalg.eigvalsh(X.T @ X / len(X))[::-1][:3])
    assert own[1] > chance[1]
    assert own[2] <= chance[2]
    assert scree(X, 1, 19, False, np.random.RandomState(0))[0] == 1


def test_what_a_component_leaves_of_features_that_vary_much_is_no_component():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 60)) * np.where(np.arange(60) < 8, 2.0, 0.5)
    X[:, :8] += 1.5 * rng.standard_normal((400, 1))
    assert scree(X - X.mean(axis=0), 20, 19, False, np.random.RandomState(0))[0] == 1


def test_dense_factors_of_a_wide_table_are_counted_once():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 600)) + 0.4 * rng.standard_normal((200, 3)) @ rng.standard_normal((3, 600))
    assert scree(X - X.mean(axis=0), 10, 19, False, np.random.RandomState(0))[0] == 3


def test_many_blocks_of_equal_strength_are_found():
    rng = np.random.default_rng(0)
    for _ in range(3):
        X = rng.standard_normal((3000, 100))
        X[:, :80] += 1.5 * np.repeat(rng.standard_normal((3000, 8)), 10, axis=1)
        found = SparsePCASelector(n_components=8, n_nonzero=10, cv=2, n_resamples=0).fit(X)
        assert blocks(found.components_) == {frozenset(range(j, j + 10)) for j in range(0, 80, 10)}


def test_one_standard_error_is_that_of_the_difference_to_the_best():
    common = np.array([0.0, 50.0, -50.0, 20.0])[:, None]  # of the score, and of no matter
    steady = np.array([[1.0, 3.0, 3.2], [1.0, 3.0, 3.2], [1.0, 3.0, 3.1], [1.0, 3.0, 3.1]])
    assert one_standard_error(common + steady, 4) == 2
    noisy = np.array([[1.0, 3.0, 3.6], [1.0, 3.4, 3.2], [1.0, 3.0, 3.5], [1.0, 3.3, 2.6]])
    assert one_standard_error(common + noisy, 4) == 1


def test_folds_of_several_divisions_count_by_what_they_share():
    values = np.array([[1.0], [2.0], [4.0], [5.0], [3.0], [3.0]])
    once, thrice = (standard_error(np.tile(values, (times, 1)), 6).item() for times in (1, 3))
    assert once == pytest.approx(np.sqrt(2) * np.sqrt(1 / 6 + 1 / 5))
    assert 0.7 * once < thrice < once


def test_tall_and_wide_samples_are_summarised_alike():
    X = TABLES["three equal"].draw(0)
    tall, wide = Rows.of(X, 2), Rows.of(X[:10] - X[:10].mean(axis=0), 2)
    V = np.linalg.svd(X, full_matrices=False)[2][:2].T
    np.testing.assert_allclose(np.abs(tall.V), np.abs(V), atol=1e-8)
    np.testing.assert_allclose(wide.V.T @ wide.V, np.eye(2), atol=1e-8)
    W = tall.fit((3, 4))
    assert sorted(np.count_nonzero(W, axis=0)) == [3, 4]
    assert kept_by(V, tall.S) >= kept_by(W, tall.S)
    np.testing.assert_array_equal(matched(W, -W[:, ::-1]), W)


def test_half_samples_come_in_pairs_that_share_no_row():
    X = np.arange(22.0).reshape(11, 2)
    found = list(halves(X, 5, np.random.RandomState(0)))
    assert len(found) == 6
    assert all(half.shape == (5, 2) and abs(half.mean()) < 1e-12 for half in found)


def test_what_folds_and_halves_have_too_few_rows_for():
    X = np.random.default_rng(0).standard_normal((5, 20))
    with pytest.raises(ValueError, match="n_components is 5; valid is 'auto' or a whole number up to 4"):
        SparsePCASelector(n_components=5).fit(X)
    assert np.isnan(SparsePCASelector(n_components=3, n_nonzero=4).fit(X).found_again_).all()


@pytest.mark.filterwarnings("ignore")
def test_zero_components_are_not_found_again_and_frames_are_resampled():
    X = pd.DataFrame(np.random.default_rng(0).standard_normal((20, 3)) * [1.0, 0.0, 0.0], columns=list("abc"))
    found = SparsePCASelector(n_components=2, n_nonzero=1).fit(X).set_params(n_resamples=3).resample(X)
    np.testing.assert_array_equal(found.found_again_, [1.0, np.nan])
    assert found.selection_frequencies_[0].tolist() == [1.0, 0.0, 0.0]
