"""Data sets of models, and pitprops: what they say is true of them is."""

import numpy as np
import pytest
from spcabench_datasets import block_model, covariances, hastie, spiked, word_counts

SPIKED = {"n": 50, "d": 40, "spikes": [10.0, 20.0], "support_size": [3, 5]}
GENERAL = {"n": 4000, "d": 30, "spikes": [5.0, 20.0], "support_size": 6, "overlap": 2, "n_test": 10}
BLOCKS = {"n": 4000, "d": 40, "r": 3, "block": 10, "overlap": 4}
WORDS = {"n": 500, "d": 60, "topics": 2, "words": 5, "length": 20.0, "strength": 3.0, "log": False}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_pitprops_is_the_published_table(rng):
    """A check of the published numbers holds its eigenvalues."""
    dataset = covariances.load_pitprops(rng)
    np.testing.assert_array_equal(dataset.covariance, dataset.covariance.T)
    np.testing.assert_array_equal(np.diag(dataset.covariance), 1)
    assert dataset.feature_names[:3] == ("topdiam", "length", "moist")
    assert dataset.facts == frozenset()


def test_features_of_pitprops_may_come_in_any_order(rng):
    published, other = covariances.load_pitprops(rng), covariances.load_pitprops(rng, order="random")
    places = [published.feature_names.index(name) for name in other.feature_names]
    assert sorted(places) == list(range(13)) != places
    np.testing.assert_array_equal(other.covariance, published.covariance[np.ix_(places, places)])


# Two points of fifty that lie far off


def test_two_points_of_fifty_lie_far_off(rng):
    X = hastie.load_toy_outlier(rng).X
    assert X.shape == (50, 2)
    np.testing.assert_allclose(X[:, 0], np.linspace(-2.4, 2.5, 50), atol=1e-12)
    np.testing.assert_allclose(X[X[:, 1] == 7.0, 0], [1.3, 1.5])


def test_noise_has_the_variance_asked_for(rng):
    draws = [hastie.load_toy_outlier(rng, outlier=0.0).X[:, 1] for _ in range(200)]
    others = [y[y != 0.0] for y in draws]
    assert {len(y) for y in others} == {48}
    assert np.var(others) == pytest.approx(0.25, rel=0.05)


# Hastie's two factors, and a third of both


def test_exact_covariance_by_hand(rng):
    S = hastie.load_exact(rng, d=10, noise_variance=1.0).covariance
    by_hand = {(0, 0): 291, (0, 1): 290, (4, 5): 300, (0, 4): 0, (0, 8): -0.3 * 290, (4, 9): 0.925 * 300}
    by_hand[8, 9] = 0.09 * 290 + 0.925**2 * 300 + 1
    assert {place: S[place] for place in by_hand} == pytest.approx(by_hand)
    top = np.linalg.eigvalsh(S)[::-1]
    assert top[:2].sum() / top.sum() == pytest.approx(0.99681, abs=1e-5)


def test_first_component_is_the_second_block(rng):
    first, second = hastie.load_exact(rng, d=20).supports
    np.testing.assert_array_equal(np.flatnonzero(first), np.arange(8, 16))
    np.testing.assert_array_equal(np.flatnonzero(second), np.arange(8))


def test_samples_have_that_covariance(rng):
    X = hastie.load_hastie(rng, d=5, n=100_000).X
    S = hastie.load_exact(rng, d=5).covariance
    np.testing.assert_allclose(X.T @ X / len(X), S, atol=6)


def test_outliers_are_the_last_twentieth(rng):
    dataset = hastie.load_hastie(rng, n=1000, outlier_variance=6000.0)
    outliers = dataset.X[950:]
    assert not outliers[:, :8].any()
    assert outliers[:, 8:].var() == pytest.approx(6000, rel=0.4)
    np.testing.assert_array_equal(dataset.clean_rows, np.arange(950))
    np.testing.assert_array_equal(dataset.X_clean, dataset.X[dataset.clean_rows])
    assert dataset.X_clean.all()


def test_held_out_samples_leave_the_training_samples_alone():
    without, held_out = (hastie.load_hastie(np.random.default_rng(5), n_test=n) for n in (0, 30))
    np.testing.assert_array_equal(without.X, held_out.X)
    assert held_out.X_test.shape == (30, 10)


# Spikes


def test_supports_are_disjoint_and_in_decreasing_order_of_their_spikes(rng):
    dataset = spiked.load_spiked(rng, **SPIKED)
    np.testing.assert_array_equal(dataset.supports.sum(axis=1), [5, 3])
    assert dataset.supports.sum(axis=0).max() == 1


def test_variance_along_a_direction_is_its_spike_and_the_noise(rng):
    dataset = spiked.load_spiked(rng, **SPIKED | {"n": 20_000, "noise_variance": 0.5})
    eigenvalues, vectors = np.linalg.eigh(np.cov(dataset.X, rowvar=False))
    np.testing.assert_allclose(eigenvalues[::-1][:3], [20.5, 10.5, 0.5], rtol=0.1)
    first = np.abs(vectors[:, -1])
    np.testing.assert_allclose(first[dataset.supports[0]], 1 / np.sqrt(5), atol=0.02)
    assert first[~dataset.supports[0]].max() < 0.02


def test_many_features_do_not_form_their_covariance(rng):
    assert spiked.load_spiked(rng, **SPIKED | {"d": 100_000, "n": 10}).X.shape == (10, 100_000)


def test_the_largest_spike_is_the_first_support_and_neighbours_overlap(rng):
    data = spiked.load_spiked_general(rng, **GENERAL)
    assert list(data.supports.sum(axis=1)) == [6, 6]
    assert (data.supports[0] & data.supports[1]).sum() == 2
    leading = np.linalg.eigh(np.cov(data.X.T))[1][:, -1]
    assert set(np.argsort(-np.abs(leading))[:6]) == set(np.flatnonzero(data.supports[0]))
    assert data.X_test.shape == (10, 30)
    assert data.X_clean is None


@pytest.mark.parametrize(("noise", "equal", "neighbours"), [("unequal", False, 0.0), ("correlated", True, 0.5)])
def test_noise_is_as_it_says(rng, noise, equal, neighbours):
    data = spiked.load_spiked_general(rng, **{**GENERAL, "spikes": [1e-9], "noise": noise})
    S = np.cov(data.X.T)
    deviations = np.sqrt(S.diagonal())
    assert (deviations.max() / deviations.min() < 1.2) == equal
    R = S / np.outer(deviations, deviations)
    assert np.allclose(R.diagonal(1), neighbours, atol=0.07)


def test_outliers_lie_apart_from_the_supports_and_are_known(rng):
    data = spiked.load_spiked_general(rng, **{**GENERAL, "outliers": 0.1})
    assert len(data.X_clean) == 3600
    aside = np.flatnonzero(data.X[3600:].var(axis=0) > 50)
    assert len(aside) == 6
    assert not data.supports[:, aside].any()


@pytest.mark.parametrize("sparse", ["loadings", "weights"])
def test_blocks_have_sparse_loadings_or_weights(rng, sparse):
    data = block_model.load(rng, **{**BLOCKS, "sparse": sparse, "noise_share": 0.0})
    assert np.linalg.matrix_rank(data.X) == 3
    assert list(data.supports.sum(axis=1)) == [10, 10, 10]
    rows = np.linalg.svd(data.X, full_matrices=False)[2][:3]
    sparse_basis = [np.linalg.svd(rows[:, ~support].T)[2][-1] @ rows for support in data.supports]
    for w, support in zip(sparse_basis, data.supports, strict=True):
        assert np.allclose(w[~support], 0, atol=1e-10)
    R = np.corrcoef(np.array(sparse_basis) @ data.X.T)
    assert (np.abs(R - np.eye(3)).max() < 0.05) == (sparse == "weights")


def test_noise_is_the_share_of_the_variance_that_it_should_be(rng):
    share = [block_model.load(rng, **{**BLOCKS, "noise_share": part}).X.var(axis=0).sum() for part in (0.0, 0.5)]
    assert share[1] / share[0] == pytest.approx(2, rel=0.1)


def test_words_of_a_topic_come_together(rng):
    data = word_counts.load(rng, **WORDS)
    assert (data.X >= 0).all()
    assert (data.X % 1 == 0).all()
    assert (data.X == 0).mean() > 0.5
    R = np.corrcoef(data.X.T)
    first = np.flatnonzero(data.supports[0])
    within = R[np.ix_(first, first)][~np.eye(5, dtype=bool)].mean()
    assert within > 5 * np.abs(R[np.ix_(first, np.flatnonzero(~data.supports.any(axis=0)))]).mean()
    assert data.X.mean(axis=0)[first].sum() > data.X.mean(axis=0)[data.supports[1]].sum()


@pytest.mark.parametrize(
    ("load", "given", "message"),
    [
        (hastie.load_hastie, {"d": 12}, "d is 12; valid is a multiple of 5"),
        (spiked.load_spiked, {**SPIKED, "support_size": [3]}, "1 sizes for 2 spikes"),
        (spiked.load_spiked, {**SPIKED, "support_size": 21}, "need 42 features, and d is 40"),
        (spiked.load_spiked_general, {**GENERAL, "overlap": 6}, "overlap is 6; valid is less than support_size"),
        (spiked.load_spiked_general, {**GENERAL, "d": 9}, "need 10 features, and d is 9"),
        (spiked.load_spiked_general, {**GENERAL, "d": 15, "outliers": 0.1}, "need 16 features, and d is 15"),
        (block_model.load, {**BLOCKS, "overlap": 10}, "overlap is 10; valid is less than block"),
        (block_model.load, {**BLOCKS, "d": 21}, "3 blocks need 22 features, and d is 21"),
        (word_counts.load, {**WORDS, "d": 9}, "2 topics of 5 words need 10 features, and d is 9"),
    ],
)
def test_what_does_not_fit_is_refused(rng, load, given, message):
    with pytest.raises(ValueError, match=message):
        load(rng, **given)
