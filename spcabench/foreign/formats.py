"""How each kind of file is read: Python in which the file is a field, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.foreign.arrays import NUMBERS, arrays_of, members, see_size
from spcabench.foreign.confined import Refused
from spcabench.foreign.text import dialect_of

EXTRAS = {".parquet": ("pyarrow", "parquet"), ".xlsx": ("openpyxl", "xlsx")}
"""What reads an ending if it is installed, and the extra that installs it."""
MATRIX = "X"
"""The matrix of a .npz file that has more than one."""

Note = tuple[str, str, str]
"""What was found, what is done, and how to do otherwise."""
HEADLESS = ("the first row is all numbers", "a row of values; the columns are x0, x1, ..", "write a header with names")
UNNAMED = ("the header has a name fewer than the rows", "the first column names the rows", "name each column")

_NUMBERED = "\ntable.columns = [f'x{{j}}' for j in range(table.shape[1])]"
_PARQUET = "table = pd.read_parquet({file}, page_checksum_verification=True)\ntable.columns = table.columns.map(str)"


@dataclass(frozen=True)
class Way:
    """How a file is read.

    Parameters
    ----------
    code : str
        Python that reads it as ``table``, with the field ``{file}``.
    named : bool
        Whether the file names the columns.
    notes : tuple of Note
        What a reader must know of the reading.
    """

    code: str
    named: bool = True
    notes: tuple[Note, ...] = ()


def ending_of(file: Path) -> str:
    """Return the ending that tells what a file is; that of its content, if it is gzipped."""
    return Path(file.name.lower().removesuffix(".gz")).suffix


def _text(file: Path, most: int) -> Way:
    options, rows_named = dialect_of(file, most)
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    named = "header" not in options
    notes = (UNNAMED,) if rows_named else () if named else (HEADLESS,)
    return Way(f"table = pd.read_csv({{file}}{given})" + ("" if named else _NUMBERED), named, notes=notes)


def _parquet(file: Path, most: int) -> Way:
    from pyarrow import parquet

    about = parquet.read_metadata(file)
    see_size(8 * about.num_rows * about.num_columns, most)
    return Way(_PARQUET)


def _workbook(file: Path, most: int) -> Way:
    """Read the first sheet."""
    members(file, most)
    sheets = pd.ExcelFile(file, engine="openpyxl").sheet_names
    others = (f"it has {len(sheets)} sheets", f"the first, {sheets[0]!r}, is read", "save another as a file of its own")
    return Way("table = pd.read_excel({file})", notes=(others,) if len(sheets) > 1 else ())


def _array(file: Path, most: int) -> Way:
    (array,) = arrays_of(file, most).values()
    return Way(f"table = pd.DataFrame(np.load({{file}}){_as_matrix(array)}){_NUMBERED}", named=False)


def _as_matrix(array: NDArray[Any]) -> str:
    """Return the Python that gives a matrix a type that pandas has; raise Refused if an array is none."""
    if array.dtype.kind not in NUMBERS:
        raise Refused(f"it holds {array.dtype}; valid are real numbers")
    if array.ndim != 2 or not array.size:
        raise Refused(f"it has the shape {array.shape}; valid is (samples, features), neither zero")
    return "" if array.dtype.isnative and array.dtype != np.float16 else ".astype(float)"


def _archive(file: Path, most: int) -> Way:
    """Read a matrix, which has a name where there are others."""
    arrays = arrays_of(file, most)
    matrices = [name for name, array in arrays.items() if array.ndim == 2 and array.dtype.kind in NUMBERS]
    keys = [MATRIX] if MATRIX in arrays else matrices or list(arrays)
    if len(keys) != 1:
        raise Refused(f"it holds {len(arrays)} arrays ({', '.join(arrays)}); name the matrix {MATRIX!r}")
    held = f"np.load({{file}})[{_braced(keys[0])}]{_as_matrix(arrays.pop(keys[0]))}"
    notes = ((f"it holds also {', '.join(sorted(arrays))}", "not used", f"name a matrix {MATRIX!r}"),) if arrays else ()
    return Way(f"table = pd.DataFrame({held}){_NUMBERED}", named=False, notes=notes)


def _braced(text: str) -> str:
    return repr(text).replace("{", "{{").replace("}", "}}")


FORMATS: Mapping[str, Callable[[Path, int], Way]] = {
    ".csv": _text,
    ".tsv": _text,
    ".txt": _text,
    ".parquet": _parquet,
    ".npy": _array,
    ".npz": _archive,
    ".xlsx": _workbook,
}
"""What finds how a file is read that may unpack to so many bytes, by its ending."""
