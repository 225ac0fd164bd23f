"""The one reader of tables and arrays from outside.

Each file is read in a process of its own within limits (`spcabench.foreign.confined`).  A table is read by the Python
that its `Table` has, so that what a printed script does is what was done.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
from numpy.typing import NDArray

from spcabench.foreign.arrays import arrays_of
from spcabench.foreign.confined import Refused, confined
from spcabench.foreign.formats import EXTRAS, FORMATS, Table, ending_of
from spcabench.parameters import without_file
from spcabench.specs import DataUnavailable
from spcabench.wording import Fault, InputError

T = TypeVar("T")

SECONDS = 600.0
"""Reading a file takes at most so long."""
LEAST, GROWTH = 2**30, 8
"""A file may unpack to the larger of so many bytes, and so many times its own size."""
MEMORY = 4
"""Reading may take so many times the memory that a file may unpack to."""
IMPORTS = {
    "np.": "import numpy as np",
    "pd.": "import pandas as pd",
    "scipy.": "import scipy.sparse",
}
"""What code that uses a name has to import."""
CELLS = {date, str, bool, int, float, type(None), type(pd.NA)}
"""The types of cells in a column that has no type of its own."""


class MissingExtra(InputError, DataUnavailable):
    """A file is of a kind that needs a package which is not installed."""


def read_arrays(place: str | Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of a .npz file by their names, or that of a .npy file under an empty name.

    Raises
    ------
    InputError
        If there is no such file, or it is not sound; the message names it, and what to do.
    """
    file = _of_kind(place, (".npy", ".npz"))
    return within_limits(file, partial(arrays_of, file))


def read_table(place: str | Path, *, widest: int | None = None, seconds: float = SECONDS) -> Table:
    """Read a table by the ending of its file.

    A .npz file has one matrix, or one that is named ``X``; the array ``feature_names`` names its columns, and
    ``labels`` has the classes of its rows, if they are there.

    Parameters
    ----------
    place : str or Path
        The file; ``~`` is the user's home.
    widest : int, optional
        Of a sparse table so many columns at most are kept, those of largest variance.
    seconds : float
        That it may take.

    Raises
    ------
    MissingExtra
        If a package is needed that is not installed.
    InputError
        If there is no such file, or it is not sound; the message names it, and what to do.
    """
    file = _of_kind(place, FORMATS)
    return within_limits(file, lambda most: _read(file, most, widest), seconds)


def within_limits(file: Path, read: Callable[[int], T], seconds: float = SECONDS) -> T:
    """Read a file in a process of its own, within the limits of this module.

    Parameters
    ----------
    file : Path
        It must be there.
    read : callable
        Takes the bytes that the file may unpack to; what it returns is pickled.
    seconds : float
        That it may take.

    Raises
    ------
    InputError
        If the file is not sound; the message names it, and what to do.
    """
    most = max(LEAST, GROWTH * file.stat().st_size)
    try:
        return confined(lambda: read(most), seconds, MEMORY * most)
    except Refused as reason:
        raise InputError(Fault(str(reason), str(file))) from reason


def _of_kind(place: str | Path, endings: Collection[str]) -> Path:
    """Return the file at a place, which must be there and have one of some endings that can be read."""
    if fault := without_file(str(place)):
        raise InputError(fault)
    file = Path(place).expanduser()
    if ending_of(file) not in endings:
        raise InputError(Fault(f"it ends in '{ending_of(file)}'; valid are {', '.join(endings)}", str(file)))
    package, extra = EXTRAS.get(ending_of(file), ("", ""))
    if package and find_spec(package) is None:
        raise MissingExtra(Fault(f"reading it needs {package}: pip install 'spcabench[{extra}]'", str(file)))
    return file


def _read(file: Path, most: int, widest: int | None) -> Table:
    """Read a table, in the process that may."""
    table = FORMATS[ending_of(file)](file, most, widest)
    code = table.code.format(file=repr(str(file.absolute())), widest=widest)  # so it runs in any folder
    imports = [line for name, line in IMPORTS.items() if name in table.code]
    names: dict[str, Any] = {}
    warnings.simplefilter("error", pd.errors.ParserWarning)  # cells would be lost
    exec("\n".join([*imports, code]), names)
    if not names["table"].index.equals(pd.RangeIndex(len(names["table"]))):  # rows are left out by their places
        code += "\ntable = table.reset_index(drop=True)"
    frame = names["table"].rename(columns=str).reset_index(drop=True)
    _see_cells(frame)
    return replace(table, code=code, frame=frame, imports=imports)


def _see_cells(frame: pd.DataFrame) -> None:
    """Raise Refused if a table is empty, names are alike, or cells are neither numbers, text nor dates."""
    if min(frame.shape) == 0:
        raise Refused(f"it has {frame.shape[0]} rows and {frame.shape[1]} columns; valid are two or more of each")
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()][0]
        raise Refused(f"two columns are named {repeated!r}; give each a name of its own")
    for name, dtype in frame.dtypes.items():
        others = {type(cell) for cell in frame[name]} - CELLS if getattr(dtype, "hasobject", False) else set()
        if others or dtype.kind in "cV":
            what = next((other.__name__ for other in others), str(dtype))
            raise Refused(f"column {name!r} holds {what}; valid are real numbers and text")
