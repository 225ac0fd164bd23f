"""Each rule of choice against what it is computed from by hand, and on data where the answer is plain."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from selection_table import planted
from spcabench_methods import TPower
from spcabench_methods.classic.pca import PCA
from spcabench_methods.selection import choosing
from spcabench_methods.selection.candidates import Fits, grid_of, variances, without
from spcabench_methods.selection.criteria import (
    ebic,
    held_out_variances,
    index_of_sparseness,
    one_standard_error,
    weighed,
)
from spcabench_methods.selection.parallel import (
    bi_cross_validation,
    parallel_analysis,
    permuted,
    scree,
    sparse_parallel_analysis,
)
from spcabench_methods.selection.stability import (
    frequencies,
    half_samples,
    most_stable,
    nogueira,
    resampled,
    stabilities,
)


def centred(*shape, seed=0):
    X = np.random.default_rng(seed).standard_normal(shape)
    return X - X.mean(axis=0)


def test_a_grid_rises_and_ends_at_the_features():
    assert grid_of(None, 50)[-3:] == (25, 30, 40)
    assert grid_of(None, 14) == (*range(1, 15),)
    assert grid_of([7, 3, 3, 90], 10) == (3, 7, 10)


def test_a_path_has_a_loading_at_each_cardinality():
    X = centred(30, 6)
    W = Fits(TPower(), (1, 4))(X)
    assert np.count_nonzero(W, axis=1).tolist() == [1, 4]
    np.testing.assert_allclose(variances(X, W), [w @ X.T @ X @ w / 30 for w in W])
    np.testing.assert_allclose(without(X, W[1]) @ W[1], 0.0, atol=1e-12)


def test_ebic_is_the_likelihood_of_one_spike_and_what_the_choice_costs():
    """With the eigenvalues f and (T - f)/(d - 1), d - 1 times, as the covariance of the model."""
    n, d, f, T, k = 30, 6, 4.0, 9.0, 3
    X = centred(n, d)
    X = X @ np.linalg.inv(np.linalg.cholesky(X.T @ X / n)).T @ np.diag(np.sqrt([f, *[(T - f) / (d - 1)] * (d - 1)]))
    S = np.cov(X, rowvar=False, bias=True)
    deviance = n * np.linalg.slogdet(S)[1]
    found = ebic(np.array([f]), T, [k], n, d)
    np.testing.assert_allclose(found, deviance + k * np.log(n) + 2 * k * np.log(d))
    milder = weighed(np.array([f]), T, [k], n, d, np.array([0.25]))
    np.testing.assert_allclose(milder, deviance + k * np.log(n) + 2 * np.log(math.comb(d, k)) - 15)
    assert weighed(np.array([f, f]), T, [k, d], n, d, np.array([np.nan, 0.0])).argmin() == 1


def test_held_out_rows_are_measured_about_the_mean_of_the_others():
    X = centred(11, 3)
    seen = []

    def path(rows):
        seen.append(len(rows))
        np.testing.assert_allclose(rows.mean(axis=0), 0.0, atol=1e-12)
        return np.eye(3)[:2]

    found = held_out_variances(X, path, 4, np.random.RandomState(0))
    assert seen == [8, 8, 8, 9]
    rows = np.array_split(np.random.RandomState(0).permutation(11), 4)[0]
    mean = np.delete(X, rows, axis=0).mean(axis=0)
    np.testing.assert_allclose(found[0], np.mean((X[rows] - mean)[:, :2] ** 2, axis=0))


def test_one_standard_error_is_that_of_the_difference_to_the_best():
    common = np.array([0.0, 50.0, -50.0, 20.0])[:, None]  # of the score, and of no matter
    steady = np.array([[1.0, 3.0, 3.2], [1.0, 3.0, 3.2], [1.0, 3.0, 3.1], [1.0, 3.0, 3.1]])
    assert one_standard_error(common + steady) == 2
    noisy = np.array([[1.0, 3.0, 3.6], [1.0, 3.4, 3.2], [1.0, 3.0, 3.5], [1.0, 3.3, 2.6]])
    assert one_standard_error(common + noisy) == 1


def test_nogueira_at_equal_sizes_is_the_mean_index_of_kuncheva():
    d, k = 9, 3
    rng = np.random.default_rng(0)
    sets = [frozenset(rng.choice(d, k, replace=False).tolist()) for _ in range(7)]
    supports = np.array([[f in chosen for f in range(d)] for chosen in sets])
    pairs = [(len(a & b) * d - k**2) / (k * (d - k)) for a, b in itertools.combinations(sets, 2)]
    assert nogueira(supports) == pytest.approx(np.mean(pairs))
    assert nogueira(supports[[0, 0, 0]]) == 1.0
    assert np.isnan(nogueira(np.ones((3, 4), bool)))


def test_on_ties_the_largest_is_the_most_stable():
    assert most_stable(np.array([1.0, 0.2, 1.0, 0.9, np.nan])) == 2


def test_half_samples_come_in_pairs_that_share_no_row():
    X = np.arange(22.0).reshape(11, 2)
    halves = list(half_samples(X, 5, np.random.RandomState(0)))
    assert len(halves) == 6
    assert all(half.shape == (5, 2) and abs(half.mean()) < 1e-12 for half in halves)
    loadings = resampled(X, lambda half: half[:3], 4, np.random.RandomState(0))
    assert loadings.shape == (4, 3, 2)
    assert stabilities(loadings).shape == (3,)


def test_a_half_sample_with_another_component_selects_nothing():
    w = np.array([1.0, 0.0, 0.0])
    loadings = np.array([[0.8, 0.6, 0.0], [-0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [0.4, 0.9, 0.0]])
    assert frequencies(loadings, w).tolist() == [0.5, 0.25, 0.25]


def test_the_index_of_sparseness_is_what_it_is_defined_as():
    X = centred(40, 5)
    dense = PCA(n_components=2).fit(X).components_.T
    assert index_of_sparseness(X, dense) == 0.0
    two = np.eye(5)[:, :2]
    S = np.cov(X, rowvar=False, bias=True)
    adjusted = S[0, 0] + S[1, 1] - S[0, 1] ** 2 / S[0, 0]
    expected = adjusted * (S[0, 0] + S[1, 1]) / np.linalg.eigvalsh(S)[-2:].sum() ** 2 * 8 / 10
    assert index_of_sparseness(X, two) == pytest.approx(expected)


def test_the_vote_is_the_median_of_the_answers(monkeypatch):
    for rule, place in {"low": 0, "high": 2, "middle": 1}.items():
        monkeypatch.setitem(choosing.RULES, rule, lambda question, place=place: choosing.Answer(np.zeros(3), place))
    X = centred(9, 3)
    question = choosing.Question(X, np.eye(3), Fits(TPower(), (1, 2, 3)), 0, 2, 2, np.random.RandomState(0))
    assert choosing.choose(question, ("low", "high", "middle")).place == 1
    assert choosing.choose(question, ("high", "low")).place == 0
    assert choosing.choose(question, ("high",)).w.tolist() == [0.0, 0.0, 1.0]


def test_permuted_columns_keep_their_values():
    X = centred(9, 3)
    (other,) = permuted(X, 1, np.random.RandomState(0))
    np.testing.assert_array_equal(np.sort(other, axis=0), np.sort(X, axis=0))
    assert not np.array_equal(other, X)


@pytest.mark.parametrize("thetas", [[], [16, 12, 8]])
def test_components_are_counted_in_tall_data(thetas):
    X = planted(40, thetas, n=300)
    random = np.random.RandomState(0)
    eigenvalues = scree(X, 19, random)
    np.testing.assert_allclose(eigenvalues[0], np.linalg.eigvalsh(X.T @ X / 300)[::-1])
    assert parallel_analysis(eigenvalues, 8) == len(thetas)
    assert bi_cross_validation(X, 8, random).argmin() == len(thetas)
    assert parallel_analysis(eigenvalues, 2) == min(2, len(thetas))


@pytest.mark.parametrize("thetas", [[], [6]])
def test_sparse_components_are_counted_in_wide_data(thetas):
    X = planted(200, thetas, n=60, seed=1)
    path = Fits(TPower(init="decreasing"), (3, 5, 8))
    assert sparse_parallel_analysis(X, path, 9, 2, np.random.RandomState(0)) == len(thetas)


def test_blocks_are_predicted_by_what_they_share_no_row_or_column_with():
    """Data of rank two are predicted exactly by two components, whatever the blocks."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 2)) @ rng.standard_normal((2, 12))
    errors = bi_cross_validation(X, 5, np.random.RandomState(0))
    assert errors[0] == 1.0
    np.testing.assert_allclose(errors[2:], 0.0, atol=1e-12)
