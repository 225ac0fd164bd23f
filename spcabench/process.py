"""What a process is given from around it: threads of its libraries, and the user's caches."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
"""The variables by which numerical libraries learn how many threads they may have, when a process starts."""


def user_cache(environment: Mapping[str, str]) -> Path:
    """Return the folder where the user's programs keep what they can make again."""
    named = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # the standard ignores a relative path
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def numba_cache(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variable that names numba's cache: as the user has it, or a folder for the versions installed.

    It is of the user's cache folder, not beside the installed code.  numba reads the variable when it is imported, so
    it is set for a process before that starts.
    """
    from importlib.metadata import version

    kept = environment.get("NUMBA_CACHE_DIR")
    versions = "-".join(f"{name}-{version(name)}" for name in ("spcabench", "numba"))
    return {"NUMBA_CACHE_DIR": kept or str(user_cache(environment) / "spcabench" / "numba" / versions)}
