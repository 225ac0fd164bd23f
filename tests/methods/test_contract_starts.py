"""What every registered method with a start promises of it: the words that all share, and vectors."""

from __future__ import annotations

import numpy as np
import pytest
from contract import every, small_samples
from numpy.testing import assert_allclose, assert_array_equal

WORDS = ("ones", "pca", "max_variance")
"""The words that a suite may choose a start by."""

BLOCKS = {"ALSPCA", "AManPG", "GPowerBlock", "ITSPCA", "ManPG", "RSVDGPB", "Rotation", "SPCA", "SPCArt", "VarProSPCA"}
"""The classes that find all components together, from a block of as many vectors."""

MINIMISED = {"AManPG", "ManPG", "RSVD", "SPCA", "SPCArt", "VarProSPCA"}
"""The classes whose objective is minimised."""

starting = every(lambda c: c.spec is not None and c.spec.starts is not None)


def centred(seed=0):
    X = small_samples() if seed == 0 else np.random.default_rng(seed).standard_normal((30, 8)) * np.arange(8, 0, -1)
    return X - X.mean(axis=0)


def vectors(X, word, r):
    """Return the rows that a word stands for, at the first component or for a block of r."""
    d = X.shape[1]
    if word == "ones":
        return np.array([np.cos(np.pi * m * (np.arange(d) + 0.5) / d) for m in range(r)])
    if word == "pca":
        return np.linalg.svd(X)[2][:r]
    return np.eye(d)[np.argsort(-X.var(axis=0))[:r]]


def fitted(method, X, init, **params):
    return method.new(**{method.spec.starts: init}, **params).fit(X)


@starting
@pytest.mark.parametrize("word", [*WORDS, "random"])
def test_every_word_leads_to_loadings_of_the_same_kind(method, word):
    X = centred()
    params = {"n_nonzero": 3} if method.counts else {}
    found = fitted(method, X, word, **params)
    assert np.isfinite(found.components_).all()
    assert_allclose(np.linalg.norm(found.components_, axis=1), 1.0)
    if method.counts:
        assert_array_equal(found.n_nonzero_ == 3, getattr(found, "exact_cardinality_", [True, True]))


@starting
@pytest.mark.parametrize("word", WORDS)
def test_a_word_stands_for_its_vectors(method, word):
    X, r = centred(), 2 if method.kind in BLOCKS else 1
    given = vectors(X, word, r)
    found = fitted(method, X, word, n_components=r).components_
    assert_allclose(fitted(method, X, given, n_components=r).components_, found, atol=1e-6)
    assert_allclose(fitted(method, X, 3.0 * given, n_components=r).components_, found, atol=1e-6)


@starting
def test_one_vector_serves_all_components(method):
    X = centred()
    found = fitted(method, X, np.ones(8)).components_
    assert_allclose(fitted(method, X, "ones").components_, found, atol=1e-6)


@starting
def test_more_random_starts_do_not_end_worse(method):
    X = centred(1)
    one, four = (fitted(method, X, "random", n_components=1, n_init=n, random_state=0) for n in (1, 4))
    assert np.isfinite(four.objective_).all()
    if getattr(four, "calibrated_params_", None) != getattr(one, "calibrated_params_", None):
        return  # objectives at two penalties, each found by a search, do not compare
    gained = four.objective_[0] - one.objective_[0]
    assert (-gained if method.kind in MINIMISED else gained) >= -1e-9


@starting
def test_what_is_no_start_is_refused(method):
    name, X = method.spec.starts, centred()
    words = method.estimator._parameter_constraints[name][0]
    assert {*WORDS, "random"} <= words.options
    with pytest.raises(ValueError, match=rf"'{name}' parameter of .*max_variance.* Got 'max-varianc'"):
        fitted(method, X, "max-varianc")
    for bad, fault in (
        (np.ones(3), rf"{name} has shape \(3,\); valid is \(8,\), for all components, or \(2, 8\)"),
        ([[1.0] * 8, [1.0]], f"'{name}' parameter of .* a vector of finite numbers, or a list of them"),
        (np.zeros(8), f"{name} has a start that is zero or not finite"),
    ):
        with pytest.raises(ValueError, match=fault):
            fitted(method, X, bad)
