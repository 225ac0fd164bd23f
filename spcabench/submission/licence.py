"""The licence of a plugin: a line of its file, or what its distribution says."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from spcabench.wording import Fault, InputError

_SPDX = re.compile(r"SPDX-License-Identifier:[ \t]*([\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*)")

FIELDS = ("License-Expression", "License")
"""Where the metadata of a distribution name its licence, the newer field first."""


def licence_of(source: Path | None, origin: str) -> str:
    """Return the licence of a plugin.

    Parameters
    ----------
    source : Path, optional
        The file of a single-file plugin, which has a line ``# SPDX-License-Identifier: NAME``.
    origin : str
        The distribution and its version, of any other.

    Raises
    ------
    InputError
        If none is named.
    """
    if source is not None:
        found = _SPDX.search(source.read_text(encoding="utf-8"))
        if found is None:
            message = "it names no licence; add a line such as '# SPDX-License-Identifier: BSD-3-Clause'"
            raise InputError(Fault(message, str(source)))
        return found[1]
    try:
        about = metadata(origin.rpartition(" ")[0])
    except (PackageNotFoundError, ValueError):
        named = ""
    else:
        named = next((about[field] for field in FIELDS if field in about), "")
    if not named:
        raise InputError(Fault("it names no licence; set 'license' in its pyproject.toml and install it again", origin))
    return named.splitlines()[0]
