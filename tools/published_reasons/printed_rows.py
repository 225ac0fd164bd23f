"""How far out the rows printed in Tables 2 and 3 of the RSPCA paper lie among draws, and which are no unit vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from published_checks.estimators import Array, drawn, fit, registry
from published_checks.rspca_claims import SETS

from published_reasons.registry import Variant, reason
from spcabench.suite.load import load_suite

RSPCA = "Zhao, Meng, Xu 2014 (RSPCA), Tables 2 and 3"
SUITES = dict(zip(SETS, ("hastie_noise", "hastie_outlier"), strict=True))
ROWS: Mapping[str, Mapping[str, Any]] = {
    "pca": {},
    "pca_l1": {},
    "gpower_l1m (rho=1e-3)": {"rho": 1e-3},
    "gpower_l0m (rho=1e-5)": {"rho": 1e-5},
    "rspca(p=0)": {"n_nonzero": 4, "p": 0.0},
    "rspca(p=1)": {"n_nonzero": 4, "p": 1.0},
}
N_DRAWS = 200


@cache
def printed(kind: str) -> dict[str, dict[tuple[int, int], float]]:
    """Return the entries that the suite has of a table, by method, component and feature, counted from 0."""
    (block,) = (
        block for block in load_suite(SUITES[kind], registry()).suite.published if "entries of the two" in block.source
    )
    rows: dict[str, dict[tuple[int, int], float]] = {}
    for row in block.rows:
        for name, value in row.metrics.items():
            component, feature = name.removeprefix("loading@").split(".")
            rows.setdefault(row.method, {})[int(component) - 1, int(feature) - 1] = value
    return rows


@cache
def draws(kind: str) -> list[Array]:
    """Draw the data."""
    return [np.asarray(drawn("hastie", seed, n=10_000, **SETS[kind]).X) for seed in range(N_DRAWS)]


def entries(name: str, kind: str, places: list[tuple[int, int]]) -> Array:
    """Return these entries of the loadings of each draw, the largest of each component being positive."""
    found = []
    for X in draws(kind):
        W = fit(name.partition(" ")[0].partition("(")[0], X, n_components=2, **ROWS[name]).components_
        W = W * np.sign(W[[0, 1], np.abs(W).argmax(axis=1)])[:, None]
        found.append([W[place] for place in places])
    return np.array(found)


@reason(
    "rows_among_draws",
    RSPCA,
    f"draws of {N_DRAWS} that have an entry as far from its mean, in standard deviations, as the farthest of the row",
    "one draw, of which the tables print the loadings",
)
def rows_among_draws() -> Iterator[Variant]:
    for kind in SETS:
        for name in ROWS:
            row = printed(kind)[name]
            ours = entries(name, kind, list(row))
            spread = np.maximum(ours.std(axis=0), 1e-12)
            apart, theirs = (
                np.abs((values - ours.mean(axis=0)) / spread).max(axis=-1)
                for values in (ours, np.array(list(row.values())))
            )
            yield Variant(f"{name}, {kind}: {theirs:.1f} standard deviations", str(int((apart >= theirs).sum())))


@reason(
    "printed_lengths",
    RSPCA,
    "components that are printed with four decimals and are no unit vectors: their lengths",
    "unit vectors",
)
def printed_lengths() -> Iterator[Variant]:
    for kind in SETS:
        for name, row in printed(kind).items():
            for component in (0, 1):
                values = np.array([value for (j, _), value in row.items() if j == component])
                length = float(np.linalg.norm(values))
                if abs(length - 1.0) > 1e-3:
                    yield Variant(f"{name}, {kind}, component {component + 1}", f"{length:.4f}")
