"""The data sets drawn from a model, and pitprops."""

import numpy as np
import pytest
from spcabench_datasets import covariances, hastie, spiked

HASTIE = {"d": 10, "n": 1000, "noise_variance": 1.0, "outlier_variance": None, "outlier_fraction": 0.05, "n_test": 0}
SPIKED = {"n": 50, "d": 40, "spikes": [10.0, 20.0], "support_size": [3, 5], "noise_variance": 1.0, "n_test": 0}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


class TestPitprops:
    def test_is_the_published_table(self, rng):
        dataset = covariances.load_pitprops(rng)
        S = dataset.covariance
        np.testing.assert_array_equal(S, S.T)
        np.testing.assert_array_equal(np.diag(S), 1)
        published = [4.2186, 2.3781, 1.8782, 1.1094, 0.9100, 0.8154, 0.5763, 0.4396, 0.3527, 0.1908, 0.0506]
        np.testing.assert_allclose(np.linalg.eigvalsh(S)[::-1][:11], published, atol=5e-5)
        assert dataset.feature_names[:3] == ("topdiam", "length", "moist")
        assert dataset.facts == frozenset()


class TestToy:
    def test_two_points_of_fifty_lie_far_off(self, rng):
        X = hastie.load_toy_outlier(rng, noise_variance=0.25, outlier=7.0).X
        assert X.shape == (50, 2)
        np.testing.assert_allclose(X[:, 0], np.linspace(-2.4, 2.5, 50), atol=1e-12)
        np.testing.assert_allclose(X[X[:, 1] == 7.0, 0], [1.3, 1.5])

    def test_noise_has_the_variance_asked_for(self):
        draws = [
            hastie.load_toy_outlier(np.random.default_rng(s), noise_variance=0.25, outlier=0.0) for s in range(200)
        ]
        others = [draw.X[draw.X[:, 1] != 0.0, 1] for draw in draws]
        assert {len(y) for y in others} == {48}
        assert np.var(others) == pytest.approx(0.25, rel=0.05)


class TestHastie:
    def test_exact_covariance_by_hand(self, rng):
        dataset = hastie.load_exact(rng, d=10, noise_variance=1.0)
        S = dataset.covariance
        assert S[0, 0] == 291
        assert S[0, 1] == 290
        assert S[4, 5] == 300
        assert S[0, 4] == 0
        assert S[0, 8] == pytest.approx(-0.3 * 290)
        assert S[4, 9] == pytest.approx(0.925 * 300)
        assert S[8, 9] == pytest.approx(0.09 * 290 + 0.925**2 * 300 + 1)
        top = np.linalg.eigvalsh(S)[::-1]
        assert top[:2].sum() / top.sum() == pytest.approx(0.99681, abs=1e-5)

    def test_first_component_is_the_second_block(self, rng):
        supports = hastie.load_exact(rng, d=20, noise_variance=1.0).supports
        np.testing.assert_array_equal(np.flatnonzero(supports[0]), np.arange(8, 16))
        np.testing.assert_array_equal(np.flatnonzero(supports[1]), np.arange(8))

    def test_samples_have_that_covariance(self, rng):
        X = hastie.load_hastie(rng, **HASTIE | {"n": 100_000, "d": 5}).X
        S = hastie.load_exact(rng, d=5, noise_variance=1.0).covariance
        np.testing.assert_allclose(X.T @ X / len(X), S, atol=6)

    def test_outliers_are_the_last_twentieth(self, rng):
        dataset = hastie.load_hastie(rng, **HASTIE | {"outlier_variance": 6000.0})
        outliers = dataset.X[950:]
        assert not outliers[:, :8].any()
        assert outliers[:, 8:].var() == pytest.approx(6000, rel=0.4)
        np.testing.assert_array_equal(dataset.clean_rows, np.arange(950))
        np.testing.assert_array_equal(dataset.X_clean, dataset.X[dataset.clean_rows])
        assert dataset.X_clean.all()

    def test_held_out_samples_leave_the_training_samples_alone(self):
        without = hastie.load_hastie(np.random.default_rng(5), **HASTIE)
        held_out = hastie.load_hastie(np.random.default_rng(5), **HASTIE | {"n_test": 30})
        np.testing.assert_array_equal(without.X, held_out.X)
        assert held_out.X_test.shape == (30, 10)

    def test_blocks_need_a_multiple_of_five(self, rng):
        with pytest.raises(ValueError, match="d is 12; valid is a multiple of 5"):
            hastie.load_hastie(rng, **HASTIE | {"d": 12})


class TestSpiked:
    def test_supports_are_disjoint_and_in_decreasing_order_of_their_spikes(self, rng):
        dataset = spiked.load_spiked(rng, **SPIKED)
        np.testing.assert_array_equal(dataset.supports.sum(axis=1), [5, 3])
        assert dataset.supports.sum(axis=0).max() == 1

    def test_variance_along_a_direction_is_its_spike_and_the_noise(self, rng):
        dataset = spiked.load_spiked(rng, **SPIKED | {"n": 20_000, "noise_variance": 0.5})
        eigenvalues, vectors = np.linalg.eigh(np.cov(dataset.X, rowvar=False))
        np.testing.assert_allclose(eigenvalues[::-1][:3], [20.5, 10.5, 0.5], rtol=0.1)
        first = np.abs(vectors[:, -1])
        np.testing.assert_allclose(first[dataset.supports[0]], 1 / np.sqrt(5), atol=0.02)
        assert first[~dataset.supports[0]].max() < 0.02

    def test_many_features_do_not_form_their_covariance(self, rng):
        assert spiked.load_spiked(rng, **SPIKED | {"d": 100_000, "n": 10}).X.shape == (10, 100_000)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"support_size": [3]}, "1 sizes for 2 spikes"),
            ({"support_size": 21}, "need 42 features, and d is 40"),
        ],
    )
    def test_impossible_supports_are_refused(self, rng, params, message):
        with pytest.raises(ValueError, match=message):
            spiked.load_spiked(rng, **SPIKED | params)
