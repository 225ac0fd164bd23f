"""What is done to data before methods see them, by formula."""

import numpy as np
import pytest

from spcabench import Dataset
from spcabench.suite.preprocessing import preprocessed

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(3.0, (12, 4)) + 1.0
TEST = RNG.poisson(3.0, (5, 4)) + 1.0


def scaled(values, train):
    return (values - train.mean(axis=0)) / train.std(axis=0)


LOG_RATIO = {name: np.log(X / np.exp(np.log(X).mean(axis=1))[:, None]) for name, X in (("X", COUNTS), ("X_test", TEST))}
CASES = {
    "none": (COUNTS, TEST),
    "centre": (COUNTS - COUNTS.mean(axis=0), TEST - COUNTS.mean(axis=0)),
    "standardise": (scaled(COUNTS, COUNTS), scaled(TEST, COUNTS)),
    "log1p": (np.log(1 + COUNTS), np.log(1 + TEST)),
    "sqrt": (COUNTS**0.5, TEST**0.5),
    "clr": tuple(LOG_RATIO.values()),
    "sqrt+standardise": (scaled(COUNTS**0.5, COUNTS**0.5), scaled(TEST**0.5, COUNTS**0.5)),
    "clr+standardise": tuple(scaled(values, LOG_RATIO["X"]) for values in LOG_RATIO.values()),
}


@pytest.mark.parametrize("how", CASES)
def test_held_out_samples_are_scaled_as_the_others(how):
    found = preprocessed(Dataset(X=COUNTS, X_clean=COUNTS[:3], X_test=TEST), how)
    for got, wanted in zip((found.X, found.X_test), CASES[how], strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-12)
    np.testing.assert_array_equal(found.X_clean, found.X[:3])


def test_columns_that_do_not_vary_stay():
    np.testing.assert_array_equal(preprocessed(Dataset(X=np.ones((3, 2))), "standardise").X, np.zeros((3, 2)))


@pytest.mark.parametrize(
    ("how", "value", "message"),
    [
        ("log1p", -2.0, r"preprocess is log1p, and X_test is -2 at row 1, column 2; valid is 0 or more: standardise"),
        ("sqrt", -2.0, "valid is 0 or more"),
        ("clr", 0.0, "X_test is 0 at row 1, column 2; valid is above 0: where there are zeros, use log1p"),
    ],
)
def test_values_that_have_no_logarithm_or_root_are_pointed_at(how, value, message):
    test = TEST.copy()
    test[1, 2] = value
    with pytest.raises(ValueError, match=message):
        preprocessed(Dataset(X=COUNTS, X_test=test), how)


def test_a_covariance_is_scaled_and_not_transformed():
    S = np.array([[4.0, 1.0], [1.0, 9.0]])
    np.testing.assert_allclose(preprocessed(Dataset(covariance=S), "standardise").covariance, [[1, 1 / 6], [1 / 6, 1]])
    with pytest.raises(ValueError, match="a covariance has no values to transform; use none or standardise"):
        preprocessed(Dataset(covariance=S), "log1p+standardise")
