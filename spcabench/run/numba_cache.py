"""Where the workers keep what numba compiled: in the user's cache folder, not beside the installed code."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from spcabench.process import user_cache

VARIABLE = "NUMBA_CACHE_DIR"
"""numba reads it when it is imported, so it is set for a process before that starts."""


def numba_cache(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variable that names numba's cache: as the user has it, or a folder for the versions installed."""
    kept = environment.get(VARIABLE)
    versions = "-".join(f"{name}-{version(name)}" for name in ("spcabench", "numba"))
    return {VARIABLE: kept or str(user_cache(environment) / "spcabench" / "numba" / versions)}
