"""Where Python finds modules: what the user named, and not the current folder for the sake of an empty name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping  # it may be another file's, before the search path is clean

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
