"""Samples with missing values or with weights: their second moments, on which any method that takes a covariance fits.

Importing this page imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import NOTHING, Anything, Either, Number, OneOf, Parameter, Whole

SCHEMES = ("em", "pairwise")

MOMENT_PARAMETERS: Mapping[str, Parameter] = {
    "estimator": Parameter(None, Anything(), "what is fitted, with the parameter covariance; null: TPower"),
    "missing": Parameter("em", OneOf(*SCHEMES), "how second moments are estimated where values are missing"),
    "rank": Parameter(None, Either(NOTHING, Whole(0)), "factors of the Gaussian model; null: one more than components"),
    "max_iter": Parameter(200, Whole(1), "iterations of em"),
    "tol": Parameter(1e-3, Number(0.0), "em ends when no second moment changes by more than this share of the largest"),
}
