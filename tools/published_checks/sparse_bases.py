"""SCA on pitprops: the vignette of the authors' package, and the correlations themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Expected, Same, add, near
from published_checks.estimators import counts, covariance, fit, of_fit

VIGNETTE = "Chen, Rohe 2023 (epca), vignette"
WHERE = "pitprops' correlations as 13 samples, 6 components, gamma = 6"
FIRST = np.array([0.299, 0.312, -0.189, 0.047, 0.200, 0.136])


@cache
def vignette() -> Any:
    return fit("sca_l1", covariance("pitprops"), n_components=6, gamma=6.0)


add("N7", "sca_l1", f"{WHERE}: nonzeros", Same("6 2 4 4 3 2"), lambda: counts(vignette()), VIGNETTE)
add(
    "N7",
    "sca_l1",
    f"{WHERE}: CPEV",
    near([0.265, 0.396, 0.538, 0.663, 0.768, 0.840], 5.1e-4),
    lambda: vignette().cpev_,
    VIGNETTE,
)
add(
    "N7",
    "sca_l1",
    f"{WHERE}: first loading, scaled to unit length, on features 1 2 5 8 9 10",
    near((FIRST / np.linalg.norm(FIRST)).tolist(), 2e-3),
    lambda: vignette().components_[0][[0, 1, 4, 7, 8, 9]],
    VIGNETTE,
)

for method, gamma, nonzeros, cpev in (
    ("sca_l1", 6, "6 2 3 2 2 2", 0.7916),
    ("sca_l1", 7, "7 2 5 2 4 5", 0.8129),
    ("sca_l1", 8, "7 2 6 4 6 2", 0.8327),
    ("sca_l1", 9, "7 4 7 8 6 4", 0.8472),
    ("sca_l1", 10, "8 5 8 11 7 4", 0.8570),
    ("sca_l0", 18, "6 3 2 4 2 1", 0.8261),
    ("sca_l0", 24, "7 2 4 4 5 2", 0.8493),
    ("sca_l0", 36, "7 3 8 8 6 4", 0.8645),
):
    where = f"pitprops, 6 components, gamma = {gamma}"
    expected: dict[str, Expected] = {"nonzeros": Same(nonzeros), "CPEV": near(cpev, 1.1e-4)}
    of_fit("N7", method, "pitprops", where, expected, n_components=6, gamma=float(gamma))
