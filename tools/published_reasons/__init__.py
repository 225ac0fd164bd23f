"""The computations behind the reasons of numbers that ours does not reach.

Importing a module of this package registers its reasons; `all_reasons` imports them all.
"""

from __future__ import annotations

from importlib import import_module

from published_checks import all_checks

from published_reasons.registry import REASONS, Reason

FAMILIES = (
    *("iterations", "pitprops", "supports", "least_absolute", "seconds", "truncation", "others"),
    *("printed_rows", "digits"),
)


def all_reasons() -> dict[str, Reason]:
    """Return the reasons of all families by name."""
    all_checks()  # reasons import modules of checks, which would register out of their order
    for family in FAMILIES:
        import_module(f"published_reasons.{family}")
    return REASONS
