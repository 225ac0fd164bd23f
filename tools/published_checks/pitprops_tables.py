"""The tables of the papers on pitprops, six components: SPCArt's Table 4 and the cumulative variances of COP-PCA."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from published_checks.claims import SPECIFICATION, Expected, Same, add, near
from published_checks.estimators import counts, dataset, fit, of_fit

SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4"
COP = "Meng, Cui, Xu, Jing 2013 (COP-PCA), section 3.2"

TABLE = {"tol": 0.01, "max_iter": 200}
TIES = "all variances are 1, so that the start depends on the order of the features; `reasons.py ties_pitprops`"
LOST = (
    "none of 96 fits over six penalties, four tolerances, two rules of step lengths and two limits of covariances has "
    "the published cardinalities; `reasons.py alspca_spcart`"
)


class Row(NamedTuple):
    """A row of the table: what is fitted, and what is claimed of it."""

    method: str
    level: str
    params: dict[str, Any]
    source: str
    pattern: str
    std: float | None
    nor: float
    cpev: float
    reasons: Mapping[str, str] = MappingProxyType({})


ROWS = [
    Row(
        "alspca",
        "rho = 0.154",
        {"rho": 0.154},
        SPCART,
        "7 2 2 2 1 3",
        0.1644,
        0.0008,
        0.8011,
        dict.fromkeys(("nonzeros", "STD", "NOR", "CPEV"), LOST),
    ),
    Row("gpower_l0", "rho = 0.1", {"rho": 0.1}, SPCART, "7 1 2 1 6 2", 0.2030, 0.0259, 0.8111, {"nonzeros": TIES}),
    Row(
        "rsvdgp_l0",
        "threshold = 0.27",
        {"threshold": 0.27, **TABLE},
        SPCART,
        "6 1 2 4 2 2",
        0.1411,
        0.0209,
        0.8117,
        {"nonzeros": TIES},
    ),
    Row("gpower_l0m", "rho = 0.115", {"rho": 0.115, **TABLE}, SPCART, "7 2 4 1 1 2", 0.1782, 0.0186, 0.8087),
    Row("rsvdgpb_l0", "threshold = 0.3", {"threshold": 0.3}, SPCART, "5 3 4 1 3 2", 0.1088, 0.0222, 0.7744),
    Row("spcart_l0", "threshold = 1/sqrt(13)", {}, SPCART, "4 2 4 3 3 2", 0.0688, 0.0181, 0.8013),
    Row(
        "spca_card",
        "k = 3, stop at a mean change of 0.01",
        {"n_nonzero": 3, "tol": 0.01, "stop": "mean"},
        SPCART,
        "3 3 3 3 3 3",
        0.0,
        0.0095,
        0.7727,
    ),
    Row("pathspca", "k = 3", {"n_nonzero": 3}, SPECIFICATION, "3 3 3 3 3 3", 0.0, 0.0290, 0.7988),
    Row("rsvdgp_sp", "k = 3", {"n_nonzero": 3, **TABLE}, SPECIFICATION, "3 3 3 3 3 3", 0.0, 0.0212, 0.8015),
    Row(
        "rsvdgp_sp",
        "k = 3, start at PCA",
        {"n_nonzero": 3, "init": "pca", **TABLE},
        SPECIFICATION,
        "3 3 3 3 3 3",
        0.0,
        0.0408,
        0.7725,
    ),
    Row("rsvdgpb_sp", "k = 3", {"n_nonzero": 3}, SPECIFICATION, "3 3 3 3 3 3", 0.0, 0.0525, 0.7610),
    Row("rsvdgpb_l1", "threshold = 0.3", {"threshold": 0.3}, SPECIFICATION, "4 2 2 1 1 1", None, 0.0, 0.7224),
    Row("rsvdgpb_en", "energy = 0.1", {"energy": 0.1}, SPECIFICATION, "6 6 4 3 5 2", None, 0.0421, 0.8321),
    Row("rsvdgpb_en", "energy = 0.15", {"energy": 0.15}, SPECIFICATION, "5 3 4 3 2 2", None, 0.0252, 0.8171),
    Row("spcart_sp", "k = 3", {"n_nonzero": 3}, SPECIFICATION, "3 3 3 3 3 3", 0.0, 0.0428, 0.7514),
    Row("rsvdgp_en", "energy = 0.1", {"energy": 0.1, **TABLE}, SPECIFICATION, "6 4 5 2 2 5", None, 0.0539, 0.8334),
    Row("spcart_en", "energy = 0.15", {"energy": 0.15}, SPECIFICATION, "5 2 4 3 2 2", None, 0.0303, 0.8104),
    Row("spcart_en", "energy = 0.1", {"energy": 0.1}, SPECIFICATION, "6 2 4 4 3 3", None, 0.0635, 0.8374),
    Row("spcart_l1", "threshold = 1/sqrt(13)", {}, SPECIFICATION, "4 2 3 2 3 3", None, 0.0033, 0.6940),
]


for row in ROWS:
    expected: dict[str, Expected] = {"nonzeros": Same(row.pattern)}
    if row.reasons.get("nonzeros") == TIES:
        expected["nonzeros in ascending order"] = Same(" ".join(sorted(row.pattern.split())))
    if row.std is not None:
        expected["STD"] = near(row.std, 5.1e-5)
    expected |= {"NOR": near(row.nor, 5.1e-5), "CPEV": near(row.cpev, 5.1e-5)}
    section = "B2" if row.source == SPCART else "B2, 23-25"
    where = f"pitprops, 6 components, {row.level}"
    of_fit(section, row.method, "pitprops", where, expected, row.source, row.reasons, n_components=6, **row.params)


def root_samples() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return samples of mean zero whose covariance is pitprops: its symmetric root, and the same with other signs."""
    values, vectors = np.linalg.eigh(dataset("pitprops").covariance)
    root = np.sqrt(13 * np.maximum(values, 0)) * vectors @ vectors.T
    return np.vstack([root, -root])


ROOT = "ties of the largest variance go to the first feature here for every factor, so the row is that of Cholesky"
add(
    "12",
    "gpower_l0",
    "pitprops as X = C^(1/2), rho = 0.1: nonzeros in ascending order",
    Same("1 1 1 2 3 7"),
    lambda: " ".join(sorted(counts(fit("gpower_l0", root_samples(), n_components=6, rho=0.1)).split())),
    reason=ROOT,
)
add(
    "12",
    "gpower_l0",
    "pitprops as X = C^(1/2), rho = 0.1: CPEV",
    near(0.8013, 5e-5),
    lambda: fit("gpower_l0", root_samples(), n_components=6, rho=0.1).cpev_[-1],
    reason=ROOT,
)


# The COP-PCA paper: cumulative variance of six components with four nonzeros each

SIX = {"n_components": 6, "n_nonzero": 4}
WHOLE = {"n_steps": 10_000, "n_candidates": None}
VERSIONS = (
    "refitted, the elastic net has 76.93, or 76.96 in the order of variances; unrefitted it falls from 79.5 to 76.6 as "
    "the ridge grows from 0.1 without limit, and is 76.99 near a ridge of 16; `reasons.py spca_pitprops`"
)
DEFLATED = (
    "of three deflations and three measures none gives it: pathspca 80.18 and 80.42, dspca 79.61 and 79.70 are "
    "nearest; `reasons.py deflation_pitprops`"
)
MISSED = (
    "the search finds no penalty with four nonzeros in the third component; after Schur's deflation it finds all six, "
    "with 80.42, or 81.11 as CPEV; `reasons.py deflation_pitprops`"
)
SEARCHED = "the paper has 80.95, and so has ours at the tolerance 1e-4 of the authors' program"
CUMULATIVE: list[tuple[str, dict[str, Any], float, str]] = [
    ("pca", {"n_components": 6}, 87.0, ""),
    ("cop", {**SIX, **WHOLE}, 80.68, ""),
    ("spca_card", SIX, 76.99, VERSIONS),
    ("spca_soft", SIX, 76.99, VERSIONS),
    ("dspca", SIX, 79.71, DEFLATED),
    ("pathspca", SIX, 80.28, DEFLATED),
    ("empca", {**SIX, "n_init": 0}, 80.68, ""),
    ("gpower_l1", {**SIX, "tol": 1e-4}, 80.95, ""),
    ("gpower_l0", SIX, 81.04, MISSED),
    (
        "alspca",
        {"n_components": 6, "rho": 0.2},
        53.59,
        "53.49 at rho = 0.6 with nonzeros 2 1 1 1 1 1, and 52.9 to 54.4 at rho = 0.2 to 0.4 if scores are uncorrelated "
        "and four entries of each are kept; `reasons.py alspca_pitprops`",
    ),
]


SHARES = [
    (name, params, "the variance, deflated", percent, 0.0051, COP, why) for name, params, percent, why in CUMULATIVE
]
SHARES += [
    (name, params, what, percent, tolerance, SPECIFICATION, reason)
    for name, params, what, percent, tolerance, reason in (
        ("cop", {**SIX, **WHOLE}, "CPEV", 80.98, 0.0051, ""),
        ("cop", {**SIX, **WHOLE, "deflation": "gsd"}, "the variance, deflated", 80.68, 0.0051, ""),
        ("cop", {**SIX, **WHOLE, "refit": False}, "the variance, deflated", 79.8, 0.051, ""),
        ("empca", {**SIX, "n_init": 0, "deflation": "projection"}, "the variance, deflated", 80.68, 0.0051, ""),
        ("empca", {**SIX, "n_init": 0, "deflation": "projection"}, "CPEV", 80.98, 0.0051, ""),
        ("spca_soft", SIX, "CPEV", 80.85, 0.0051, ""),
        ("spca_soft", SIX, "adjusted variance", 68.3, 0.051, ""),
        ("spca_card", SIX, "CPEV", 78.4, 0.051, ""),
        ("pathspca", SIX, "the variance, deflated", 79.5, 0.051, ""),
        ("pathspca", SIX, "CPEV", 80.18, 0.0051, ""),
        ("pathspca", {**SIX, "deflation": "schur"}, "CPEV", 81.11, 0.0051, ""),
        ("gpower_l1", SIX, "the variance, deflated", 80.55, 0.0051, SEARCHED),
        ("gpower_l1", SIX, "CPEV", 80.86, 0.0051, SEARCHED),
        ("gpower_l0", SIX, "the variance, deflated", 79.9, 0.051, MISSED),
        ("gpower_l0", SIX, "CPEV", 80.81, 0.0051, MISSED),
        ("tpower", SIX, "the variance, deflated", 80.67, 0.0051, ""),
        ("tpower", {**SIX, "init": "pca"}, "CPEV", 80.44, 0.0051, ""),
        ("exact", SIX, "CPEV", 81.24, 0.0051, ""),
    )
]
for method, params, what, percent, tolerance, source, reason in SHARES:
    shown = ("tol",) if source == COP else ("refit", "deflation", "init")
    words = "".join(f", {key} = {params[key]}" for key in shown if key in params).replace("0.0001", "1e-4")
    where = f"pitprops, 6 components, k = 4{words}"
    of_fit("A2", method, "pitprops", where, {f"% of {what}": near(percent, tolerance)}, source, reason, **params)

for rho, percent in ((0.3, 74.03), (0.5, 60.28), (0.6, 53.49), (0.7, 46.15)):
    expected = {"% of the variance, deflated": near(percent, 0.051)}
    of_fit("A2", "alspca", "pitprops", f"pitprops, 6 components, rho = {rho}", expected, n_components=6, rho=rho)
