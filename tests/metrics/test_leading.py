"""The leading eigenvector: that of a decomposition, wherever the search for it starts."""

import numpy as np
import pytest

from spcabench.metrics import _leading
from spcabench.metrics._leading import SMALL, leading

N = 2 * SMALL


def symmetric(values):
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
    return (Q * values) @ Q.T, Q


SPECTRA = {
    "decay": 1.0 / np.arange(1, N + 1),
    "a gap of a hundredth": np.r_[1.0, np.linspace(0.99, 0.0, N - 1)],
    "of low rank": np.r_[3.0, 2.0, 1.0, np.zeros(N - 3)],
    "few": np.array([2.0, 1.0, 0.5]),
}


@pytest.mark.parametrize("start", ["itself", "the second", "anywhere"])
@pytest.mark.parametrize("values", SPECTRA.values(), ids=SPECTRA)
def test_it_is_found_from_any_start(values, start):
    S, Q = symmetric(values)
    starts = {"itself": Q[:, 0], "the second": Q[:, 1], "anywhere": np.ones(len(S)) / np.sqrt(len(S))}
    assert abs(leading(S, starts[start]) @ Q[:, 0]) == pytest.approx(1.0, abs=1e-12)


def test_it_is_found_where_steps_do_not_suffice(monkeypatch):
    S, Q = symmetric(SPECTRA["a gap of a hundredth"])
    monkeypatch.setattr(_leading, "STEPS", _leading.EVERY)
    assert abs(leading(S, Q[:, 1]) @ Q[:, 0]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("S", [np.zeros((N, N)), np.eye(N), np.diag(np.r_[1.0, 1.0, np.zeros(N - 2)])])
def test_where_several_lead_it_is_one_of_them(S):
    found = leading(S, np.eye(N)[0])
    assert np.linalg.norm(found) == pytest.approx(1.0)
    assert found @ S @ found == pytest.approx(S.max())
