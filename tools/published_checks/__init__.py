"""Every check of the specification that has a number or a definite claim, and the value reached now.

Importing a module of this package registers its checks; `all_checks` imports them all.
"""

from __future__ import annotations

from importlib import import_module

from published_checks.claims import CHECKS, Check

FAMILIES = (
    "pitprops",
    "pitprops_relaxation",
    "pitprops_searches",
    "pitprops_penalties",
    "pitprops_tables",
    "hidden_factors",
    "toy",
    "samples",
    "falling",
    "identities",
    "shrinkage",
    "properties",
    "monotone",
    "propositions",
    "bounds",
    "paths",
    "theorem",
    "blocks",
    "fantope",
    "thresholds",
    "reductions",
    "manifold",
    "metrics",
    "inverse_power",
    "streams",
    "random_projections",
    "several",
    "sparse_bases",
    "reweighted",
    "local_search",
    "cop_claims",
    "spcart_claims",
    "rspca_claims",
    "costs",
)


def all_checks() -> list[Check]:
    """Return the checks of all families, in the order in which they are written."""
    for family in FAMILIES:
        import_module(f"published_checks.{family}")
    return CHECKS
