"""Data sets of models: what they say is true of them is."""

import numpy as np
import pytest
from spcabench_datasets import block_model, spiked, word_counts

GENERAL = {"n": 4000, "d": 30, "spikes": [5.0, 20.0], "support_size": 6, "overlap": 2, "noise": "white"}
GENERAL |= {"outliers": 0.0, "outlier_variance": 100.0, "n_test": 10}
BLOCKS = {"n": 4000, "d": 40, "r": 3, "block": 10, "overlap": 4, "sparse": "loadings", "noise_share": 0.2, "n_test": 0}
WORDS = {"n": 500, "d": 60, "topics": 2, "words": 5, "length": 20.0, "strength": 3.0, "log": False, "n_test": 5}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


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
