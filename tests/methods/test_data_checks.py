"""Data seen at a glance come to the same as data that scikit-learn looks at in full."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from spcabench_methods import TPower
from spcabench_methods.core import checks
from spcabench_methods.core.checks import checked_data


@pytest.fixture
def samples():
    return np.random.default_rng(0).standard_normal((20, 6)) * 5.0


@pytest.fixture
def in_full(monkeypatch):
    """Count what scikit-learn is asked to look at."""
    seen = []
    validate = checks.validate_data
    monkeypatch.setattr(checks, "validate_data", lambda *args, **kwargs: seen.append(args) or validate(*args, **kwargs))
    return seen


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_plain_and_mapped_arrays_are_taken_as_they_are(samples, in_full, dtype, order, tmp_path):
    X = np.asarray(samples, dtype=dtype, order=order)
    X.flags.writeable = False
    method = TPower()
    assert checked_data(method, X, False, 2)[0] is X
    assert method.n_features_in_ == X.shape[1]
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    found, _ = checked_data(TPower(), mapped, False, 2)
    assert np.shares_memory(found, mapped)
    assert type(found) is np.ndarray
    assert not in_full


@pytest.mark.parametrize(
    "changed",
    [
        lambda X: X.tolist(),
        lambda X: X.astype(int),
        lambda X: X.astype(">f8"),
        np.ma.asarray,
        pd.DataFrame,
    ],
    ids=["list", "integers", "byte order", "masked", "frame"],
)
def test_others_are_looked_at_in_full(samples, in_full, changed):
    found, _ = checked_data(TPower(), changed(samples), False, 2)
    assert found.dtype in (np.float64, np.float32)
    assert len(in_full) == 1


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (np.array([[np.inf, -np.inf], [2.0, 1.0]]), "infinity"),
        (np.ones(3), "2D array"),
        (np.ones((3, 0)), "0 feature"),
        (np.ones((2, 3, 1)), "dim 3"),
    ],
    ids=["inf both ways", "one axis", "no features", "three axes"],
)
def test_what_is_amiss_is_said_in_scikit_learns_words(X, words):
    with pytest.raises(ValueError, match=words):
        TPower().fit(X)


def test_a_sum_that_overflows_is_no_infinity(in_full):
    X = np.full((4, 2), 1e308)
    assert_array_equal(checked_data(TPower(), X, False, 2)[0], X)
    assert len(in_full) == 1


def test_names_do_not_outlive_the_data_that_had_them(samples):
    named = pd.DataFrame(samples, columns=[f"x{j}" for j in range(samples.shape[1])])
    method = TPower().fit(named)
    assert list(method.feature_names_in_) == list(named.columns)
    method.fit(samples)
    assert not hasattr(method, "feature_names_in_")


class Foreign:
    """An array on a device, as those of torch are, from which numpy cannot read."""

    shape, ndim = (20, 6), 2

    def __len__(self):
        return 20

    def __dlpack__(self, **kwargs):
        raise BufferError

    def __array__(self, *args, **kwargs):
        raise TypeError("can't convert the device")


@pytest.mark.filterwarnings("ignore:fit keeps no second moments")
@pytest.mark.parametrize("call", ["fit", "transform", "partial_fit", "score", "fit_transform"])
def test_arrays_of_other_libraries_are_refused_with_a_remedy(call, samples):
    with pytest.raises(ValueError, match=r"array of test_data_checks; .* convert it with"):
        getattr(TPower().fit(samples), call)(Foreign())
