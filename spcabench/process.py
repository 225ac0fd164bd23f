"""What a process is given from around it: threads of its libraries, where it finds modules, the user's caches."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # this is imported before the search path is clean, so that other modules may be another file's
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

VARIABLE = "PYTHONPATH"


def named(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variable of the search path for a process to be started, without the entries that are empty.

    An empty one, as a ``:`` at the end leaves it, stands for the current folder.

    Examples
    --------
    >>> named({"PYTHONPATH": "lib::other:"})
    {'PYTHONPATH': 'lib:other'}
    >>> named({})
    {'PYTHONPATH': ''}
    """
    return {VARIABLE: os.pathsep.join(filter(None, environment.get(VARIABLE, "").split(os.pathsep)))}


def without_current_folder(path: list[str], environment: Mapping[str, str]) -> list[str]:
    """Return the search path of this process without the current folder, if an empty entry alone put it there."""
    entries = environment.get(VARIABLE, "").split(os.pathsep)
    here = os.path.abspath("")
    if entries == [""] or "" not in entries or here in map(os.path.abspath, filter(None, entries)):
        return path
    return [place for place in path if place != here]


def user_cache(environment: Mapping[str, str]) -> Path:
    """Return the folder where the user's programs keep what they can make again."""
    from pathlib import Path

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
