"""Find the files of real data: in the folder that a suite names, or the one that SPCABENCH_DATA names."""

from __future__ import annotations

import os
from pathlib import Path

from spcabench import NOTHING, DataUnavailable, Either, Parameter, Text

PATH = Parameter(
    None, Either(NOTHING, Text("a file")), "the file; null: the folder that SPCABENCH_DATA names is searched"
)


def local_file(path: str | None, folder: str, name: str, advice: str) -> Path:
    """Return the file named by `path`, or ``folder/name`` below the folder that SPCABENCH_DATA names.

    Raises
    ------
    DataUnavailable
        If it is not there; the message says where to get it.
    """
    root = os.environ.get("SPCABENCH_DATA")
    file = Path(path) if path is not None else Path(root or "") / folder / name
    file = file.expanduser()
    if (path is None and not root) or not file.is_file():
        where = (
            f"there is no {file}" if path is not None or root else "the environment variable SPCABENCH_DATA is not set"
        )
        raise DataUnavailable(
            f"{where}; set the parameter path to the file, or SPCABENCH_DATA to the folder in which "
            f"{folder}/{name} lies; {advice}"
        )
    return file
