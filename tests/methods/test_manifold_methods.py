"""Proximal gradient on orthonormal columns at its limits; the checks of published numbers hold what it reaches."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from spcabench_methods import AManPG, ManPG

GIVEN = {"covariance": "precomputed"}


def test_large_penalties(pitprops):
    """Orthonormal loadings cannot vanish: each has a single feature; the columns of B can."""
    found = ManPG(3, mu=50.0, **GIVEN).fit(pitprops)
    assert_array_equal(found.n_nonzero_, [1, 1, 1])
    assert_array_equal(found.components_ @ found.components_.T, np.eye(3))
    with pytest.warns(UserWarning, match="components 1, 2 are zero"):
        assert not AManPG(2, l1=50.0, **GIVEN).fit(pitprops).components_.any()


def test_prices_of_their_own(pitprops):
    for method in (ManPG(2, mu=[0.0, 0.8], **GIVEN), AManPG(2, l1=[0.0, 1.0], **GIVEN)):
        few, many = np.sort(method.fit(pitprops).n_nonzero_)
        assert few <= 6 < many
