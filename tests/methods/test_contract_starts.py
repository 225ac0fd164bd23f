"""What every registered method with a start promises of it: the words that all share, and vectors."""

import numpy as np
import pytest
from contract import every
from drawn import small_samples
from numpy.testing import assert_allclose, assert_array_equal

BLOCKS = {"ALSPCA", "AManPG", "GPowerBlock", "ITSPCA", "ManPG", "RSVDGPB", "Rotation", "SPCA", "SPCArt", "VarProSPCA"}
"""The classes that find all components together, from a block of as many vectors."""

MINIMISED = {"AManPG", "ManPG", "RSVD", "SPCA", "SPCArt", "VarProSPCA"}
"""The classes whose objective is minimised."""

STARTS = {
    "ones": lambda X, r: np.array([np.cos(np.pi * m * (np.arange(8) + 0.5) / 8) for m in range(r)]),
    "pca": lambda X, r: np.linalg.svd(X)[2][:r],
    "max_variance": lambda X, r: np.eye(8)[np.argsort(-X.var(axis=0))[:r]],
}
"""The words that a suite may choose a start by, and their rows at the first component or for a block of r."""

starting = every(lambda c: c.spec is not None and c.spec.starts is not None)


def centred(X):
    return X - X.mean(axis=0)


def fitted(method, X, init, **params):
    return method.new(**{method.spec.starts: init}, **params).fit(X)


@starting
@pytest.mark.parametrize("word", STARTS)
def test_a_word_stands_for_its_vectors(method, word):
    X, r = centred(small_samples()), 2 if method.kind in BLOCKS else 1
    found = fitted(method, X, word, n_components=r).components_
    assert_allclose(fitted(method, X, 3.0 * STARTS[word](X, r), n_components=r).components_, found, atol=1e-6)
    assert_allclose(np.linalg.norm(found, axis=1), 1.0)


@starting
def test_one_vector_serves_all_components(method):
    X = centred(small_samples())
    found = fitted(method, X, np.ones(8)).components_
    assert_allclose(fitted(method, X, "ones").components_, found, atol=1e-6)


@starting
def test_more_random_starts_do_not_end_worse(method):
    X = centred(np.random.default_rng(1).standard_normal((30, 8)) * np.arange(8, 0, -1))
    one, four = (fitted(method, X, "random", n_components=1, n_init=n, random_state=0) for n in (1, 4))
    assert np.isfinite(four.objective_).all()
    if method.counts:
        assert_array_equal(four.n_nonzero_, one.n_nonzero_)
    if getattr(four, "calibrated_params_", None) != getattr(one, "calibrated_params_", None):
        return  # objectives at two penalties, each found by a search, do not compare
    gained = four.objective_[0] - one.objective_[0]
    assert (-gained if method.kind in MINIMISED else gained) >= -1e-9


@starting
def test_what_is_no_start_is_refused(method):
    name, X = method.spec.starts, small_samples()
    words = method.estimator._parameter_constraints[name][0]
    assert {*STARTS, "random"} <= words.options
    with pytest.raises(ValueError, match=rf"'{name}' parameter of .*max_variance.* Got 'max-varianc'"):
        fitted(method, X, "max-varianc")
    for bad, fault in (
        (np.ones(3), rf"{name} has shape \(3,\); valid is \(8,\), for all components, or \(2, 8\)"),
        ([[1.0] * 8, [1.0]], f"'{name}' parameter of .* a vector of finite numbers, or a list of them"),
        (np.zeros(8), f"{name} has a start that is zero or not finite"),
    ):
        with pytest.raises(ValueError, match=fault):
            fitted(method, X, bad)
