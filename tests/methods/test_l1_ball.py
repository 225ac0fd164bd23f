"""Unit vectors of bounded l1 norm: feasible, best, and orthogonal where that is asked."""

import numpy as np
import reference_penalised as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from spcabench_methods.core.l1_ball import bounded_unit, onto_balls
from spcabench_methods.penalised.scotlass import orthogonal_bounded_unit

vectors = arrays(np.float64, st.integers(1, 9), elements=st.floats(-5, 5).map(lambda x: round(x, 3)))


@given(vectors, st.floats(1.0, 4.0))
@settings(deadline=None, max_examples=300)
def test_bounded_unit_is_feasible_and_best(z, bound):
    w = bounded_unit(z, bound)
    if not z.any():
        assert not w.any()
        return
    size = np.abs(z)
    ties = np.count_nonzero(size >= size.max() * (1 - 1e-9))
    assert_allclose(np.linalg.norm(w), 1.0)
    if ties > bound**2:
        assert_allclose(np.abs(w[w != 0]), ties**-0.5)
        return
    assert np.abs(w).sum() <= bound * (1 + 1e-7)
    assert w @ z >= reference.bounded(z, bound) @ z - 1e-7


def test_projection_onto_balls():
    rng = np.random.default_rng(0)
    for _ in range(200):
        d = int(rng.integers(2, 12))
        v, bound = rng.exponential(1.0) * rng.standard_normal(d), rng.uniform(1.0, np.sqrt(d))
        w = onto_balls(v, bound)
        assert np.linalg.norm(w) <= 1 + 1e-9
        assert np.abs(w).sum() <= bound * (1 + 1e-9)
        for _ in range(20):
            other = onto_balls(rng.standard_normal(d), bound)
            assert (v - w) @ (other - w) <= 1e-8


def test_orthogonal_maximum():
    rng = np.random.default_rng(0)
    for _ in range(20):
        z, basis = rng.standard_normal(8), np.linalg.qr(rng.standard_normal((8, 2)))[0]
        w, exact = orthogonal_bounded_unit(z, 9.0, basis)
        expected = z - basis @ (basis.T @ z)
        assert exact
        assert_allclose(w, expected / np.linalg.norm(expected), atol=1e-7)
        w, exact = orthogonal_bounded_unit(z, 1.9, basis)
        assert exact
        assert np.abs(w).sum() <= 1.9 + 1e-7
        trials = rng.standard_normal((2000, 8))
        trials -= trials @ basis @ basis.T
        trials /= np.maximum(np.linalg.norm(trials, axis=1), np.abs(trials).sum(axis=1) / 1.9)[:, None]
        assert w @ z >= (trials @ z).max() - 1e-7
