"""RSPCA and PCA-L1 on images with outliers, against plain loops; run by ``pytest tests/perf``."""

import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from spcabench_methods import PCAL1, RSPCA

sys.path.append(str(Path(__file__).parents[1] / "methods"))
from reference_robust import robust_components


@pytest.fixture(scope="module")
def images():
    """Draw 6900 smooth images and 3000 of random black and white dots, 28 x 28."""
    rng = np.random.default_rng(0)
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 28), np.linspace(-1, 1, 28)), axis=-1).reshape(-1, 2)
    centres = 0.7 * rng.standard_normal((40, 2))
    strokes = np.exp(-20.0 * ((grid[None] - centres[:, None]) ** 2).sum(axis=-1))
    smooth = np.clip(255.0 * rng.exponential(0.2, (6900, 40)) @ strokes + 10.0 * rng.random((6900, 784)), 0.0, 255.0)
    return np.vstack([smooth, 255.0 * rng.integers(0, 2, (3000, 784))])


METHODS = {
    "pca_l1": PCAL1(20, random_state=0),
    "rspca_l0": RSPCA(20, 400, random_state=0),
    "rspca_half": RSPCA(20, 400, p=0.5, random_state=0),
    "rspca_l1": RSPCA(20, 400, p=1.0, random_state=0),
}


@pytest.mark.parametrize("name", METHODS)
def test_fit(benchmark, images, name):
    METHODS[name].fit(images[::100])
    fitted = benchmark.pedantic(METHODS[name].fit, args=(images,), rounds=3)
    assert set(fitted.n_nonzero_) == {784 if name == "pca_l1" else 400}


def test_is_four_times_as_fast_as_the_plain_loop(images):
    RSPCA(2, 40).fit(images[::100])
    start = perf_counter()
    fitted = RSPCA(20, 400, random_state=0).fit(images)
    middle = perf_counter()
    found = robust_components(images, [np.ones(784)] * 20, [400] * 20)
    end = perf_counter()
    np.testing.assert_allclose(np.abs(fitted.components_), np.abs([f[0] for f in found]), atol=1e-8)
    assert end - middle > 4 * (middle - start)
