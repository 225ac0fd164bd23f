"""SCA against a slow reference that has the scores, and its two ways to shrink."""

from __future__ import annotations

import numpy as np
import pytest
import reference_rotation as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import PCA, SCA
from spcabench_methods.rotation.sca import largest_entries, shrunk


def with_positive_peaks(W):
    return W * np.sign(W[np.arange(len(W)), np.abs(W).argmax(axis=1)])[:, None]


@pytest.mark.parametrize(("r", "gamma"), [(2, 3.0), (3, 5.0)])
def test_reference(tall, r, gamma):
    A = tall - tall.mean(axis=0)
    found = SCA(r, gamma=gamma, tol=1e-12).fit(tall).components_
    assert_allclose(found, with_positive_peaks(reference.sca(A, r, gamma)), atol=1e-4)


def test_one_threshold_for_all_entries():
    Y = np.random.default_rng(0).standard_normal((9, 3))
    for total in (0.5, 3.0, 1e3):
        assert_allclose(shrunk(Y, total), reference.one_threshold(Y, total), atol=1e-12)
    kept = largest_entries(Y, 7.0)
    assert np.count_nonzero(kept) == 7
    assert np.abs(kept[kept != 0]).min() >= np.abs(Y[kept == 0]).max()


def test_shrinkage_leads_from_all_entries_to_one_each(tall):
    assert_allclose(SCA(3, shrinkage=0.0).fit(tall).cpev_[-1], PCA(3).fit(tall).cpev_[-1])
    some, more = (SCA(3, shrinkage=s).fit(tall).n_nonzero_.sum() for s in (0.6, 0.9))
    assert 36 > some > more
    assert SCA(3, shrinkage=0.5, truncation="l0").fit(tall).n_nonzero_.sum() == round(3 * (12 - 0.5 * 11))


def test_gamma_and_shrinkage_are_one_number(tall):
    gamma = 3 * (np.sqrt(12) - 0.4 * (np.sqrt(12) - 1))
    same = [SCA(3, **way).fit(tall).components_ for way in ({"gamma": gamma}, {"shrinkage": 0.4})]
    assert_allclose(*same, atol=1e-12)
    default = [SCA(3, **way).fit(tall).components_ for way in ({"gamma": 6.0}, {})]
    assert_array_equal(*default)
    with pytest.raises(ValueError, match="gamma and shrinkage are both given"):
        SCA(3, gamma=5.0, shrinkage=0.1).fit(tall)
