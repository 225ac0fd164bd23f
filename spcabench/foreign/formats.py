"""How each kind of file is read: Python in which the file is a field, and what is to be said of it."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse
from numpy.typing import NDArray

from spcabench.foreign.arrays import NUMBERS, arrays_of, members, see_size
from spcabench.foreign.confined import Refused

EXTRAS = {".parquet": ("pyarrow", "parquet"), ".xlsx": ("openpyxl", "xlsx")}
"""What reads an ending if it is installed, and the extra that installs it."""
MATRIX, NAMES, LABELS = "X", "feature_names", "labels"
"""The arrays of a .npz file that has more than one: a matrix, the names of its columns, the classes of its rows."""

Note = tuple[str, str, str]
"""What was found, what is done, and how to do otherwise."""
HEADLESS = ("the first row is all numbers", "a row of values; the columns are x0, x1, ..", "write a header with names")
UNNAMED = ("the header has a name fewer than the rows", "the first column names the rows", "name each column")

SEPARATORS = ("\t", ";", "|", ",", r"\s+")
"""The first of them that all lines have as often is the one: a comma may be within numbers."""
LINES = 50
"""Lines that tell what separates cells, and whether numbers have a decimal comma."""
_QUOTED = re.compile(r'"[^"]*"')
_WITH_COMMA = re.compile(r"\s*[+-]?(\d+|\d*,\d+)([eE][+-]?\d+)?\s*")

_NUMBERED = "\ntable.columns = [f'x{{j}}' for j in range(table.shape[1])]"
_PARQUET = "table = pd.read_parquet({file}, page_checksum_verification=True)\ntable.columns = table.columns.map(str)"
_SPARSE = """\
matrix = scipy.sparse.csc_matrix(scipy.sparse.load_npz({file}))
mean = np.asarray(matrix.mean(axis=0)).ravel()
variance = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel() - mean**2
kept = np.sort(np.argsort(-variance, kind='stable')[:{widest}])
table = pd.DataFrame(matrix[:, kept].toarray(), columns=[f'x{{j}}' for j in kept])"""


@dataclass(frozen=True)
class Table:
    """A table as read, or how it will be.

    Parameters
    ----------
    file : Path
        Where it was.
    code : str
        Python that reads it as ``table``; before it is read with the fields ``{file}`` and ``{widest}``.
    frame : DataFrame
        What it holds; the names of its columns are text, no two alike.  It is empty before it is read.
    imports : list of str
        The lines before the code.
    named : bool
        Whether the file names the columns.
    label : str, optional
        The column of classes, if the file says which it is.
    notes : tuple of Note
        What a reader must know of the reading.
    """

    file: Path
    code: str
    frame: pd.DataFrame = field(default_factory=pd.DataFrame)
    imports: list[str] = field(default_factory=list)
    named: bool = True
    label: str | None = None
    notes: tuple[Note, ...] = ()


def ending_of(file: Path) -> str:
    """Return the ending that tells what a file is; that of its content, if it is gzipped."""
    return Path(file.name.lower().removesuffix(".gz")).suffix


def _text(file: Path, most: int, widest: int | None) -> Table:
    options, rows_named = _dialect_of(file, most)
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    named = "header" not in options
    notes = (UNNAMED,) if rows_named else () if named else (HEADLESS,)
    code = f"table = pd.read_csv({{file}}{given})" + ("" if named else _NUMBERED)
    return Table(file, code, named=named, notes=notes)


def _dialect_of(file: Path, most: int) -> tuple[dict[str, object], bool]:
    """Return the options of `pandas.read_csv` for a file, gzipped or not, and whether its rows are named.

    The option ``header`` is None if the first row is one of values.  Rows are named if the header has a name fewer than
    they have cells: pandas then takes the first of them for the name of the row.

    Raises
    ------
    Refused
        If it unpacks to more than `most` bytes, is empty, or has zero bytes in it.
    """
    with gzip.open(file) if file.name.lower().endswith(".gz") else file.open("rb") as stream:
        content = stream.read(most + 1)
    see_size(len(content), most)
    encoding = _encoding(content)
    text = content.decode(encoding)
    if "\0" in text:
        raise Refused("it has zero bytes in it; save it as text in UTF-8")
    lines = list(islice((line for line in io.StringIO(text, newline=None) if line.strip()), LINES))
    if not lines:
        raise Refused("it is empty; valid is a row of names, and rows of numbers")
    separator, rows_named, unsure = _separator(_QUOTED.sub('""', "".join(lines)).rstrip("\n").split("\n"))
    options: dict[str, object] = {} if encoding == "utf-8-sig" else {"encoding": encoding}
    options |= {} if separator == "," else {"sep": separator}
    options |= {"index_col": False} if unsure else {}
    first, *rest = [line.split() for line in lines] if len(separator) > 1 else csv.reader(lines, delimiter=separator)
    if rows_named and any(_is_number(row[0]) and not row[0].strip().isdigit() for row in rest):
        raise Refused("its header has a name fewer than its rows; name each column")
    options |= {"header": None} if not rows_named and all(map(_is_number, first)) else {}
    if separator != "," and any(map(_has_decimal_comma, zip_longest(*rest, fillvalue=""))):
        options |= {"decimal": ","}
    return options, rows_named


def _encoding(content: bytes) -> str:
    """Return in which encoding a text is: UTF-8, UTF-16 with its mark, or else Latin-1, which any bytes are."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(content) > error.start and error.reason == "unexpected end of data":
            raise Refused("it ends within a character: it is cut short; copy it again") from error
        if content.startswith(codecs.BOM_UTF8):
            raise Refused("its mark says UTF-8, and it is not: it is damaged; copy it again") from error
        return "latin-1"
    return "utf-8-sig"


def _separator(lines: Sequence[str]) -> tuple[str, bool, bool]:
    """Return what separates cells, whether the first of a row names it, and whether pandas may not say so itself."""
    doubt = ""
    for separator in SEPARATORS:
        pattern = re.compile(re.escape(separator) if len(separator) == 1 else separator)
        first, *others = [len(pattern.findall(line.strip(" "))) for line in lines]
        usual = others[0] if others else first
        if not usual or not set(others) <= {usual}:
            continue
        if first not in (usual, max(usual - 1, 1)):
            if all(_is_number(cell) for line in lines[1:] for cell in pattern.split(line.strip(" "))):
                doubt = f"its rows have {usual + 1} numbers, and its header {first + 1} names; name each column"
        elif doubt:
            raise Refused(doubt)
        else:
            trailing = first < usual and all(line.endswith(separator) for line in lines[1:])
            return separator, first < usual and not trailing, trailing
    most = max(",|;\t", key=lines[0].count)
    if most not in lines[0]:
        raise Refused("nothing separates its cells; valid are commas, semicolons, tabs, bars and blanks")
    return most, False, True


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().replace(",", ".") or "nan")
    except ValueError:
        return False
    return True


def _has_decimal_comma(cells: Sequence[str]) -> bool:
    return any("," in cell for cell in cells) and all(not cell or _WITH_COMMA.fullmatch(cell) for cell in cells)


def _parquet(file: Path, most: int, widest: int | None) -> Table:
    from pyarrow import parquet

    about = parquet.read_metadata(file)
    see_size(8 * about.num_rows * about.num_columns, most)
    return Table(file, _PARQUET)


def _workbook(file: Path, most: int, widest: int | None) -> Table:
    """Read the first sheet."""
    members(file, most)
    sheets = pd.ExcelFile(file, engine="openpyxl").sheet_names
    others = (f"it has {len(sheets)} sheets", f"the first, {sheets[0]!r}, is read", "save another as a file of its own")
    return Table(file, "table = pd.read_excel({file})", notes=(others,) if len(sheets) > 1 else ())


def _array(file: Path, most: int, widest: int | None) -> Table:
    (array,) = arrays_of(file, most).values()
    return Table(file, f"table = pd.DataFrame(np.load({{file}}){_as_matrix(array)}){_NUMBERED}", named=False)


def _as_matrix(array: NDArray[Any]) -> str:
    """Return the Python that gives a matrix a type that pandas has; raise Refused if an array is none."""
    if array.dtype.kind not in NUMBERS:
        raise Refused(f"it holds {array.dtype}; valid are real numbers")
    if array.ndim != 2 or not array.size:
        raise Refused(f"it has the shape {array.shape}; valid is (samples, features), neither zero")
    return "" if array.dtype.isnative and array.dtype != np.float16 else ".astype(float)"


def _archive(file: Path, most: int, widest: int | None) -> Table:
    arrays = arrays_of(file, most)
    return _sparse(file, most, widest) if {"format", "shape"} <= set(arrays) else _matrix(file, arrays)


def _sparse(file: Path, most: int, widest: int | None) -> Table:
    """Read a sparse matrix that scipy saved."""
    matrix = scipy.sparse.load_npz(file)
    if matrix.ndim != 2 or matrix.dtype.kind not in NUMBERS:
        raise Refused(f"it has the shape {matrix.shape} and holds {matrix.dtype}; valid is a matrix of real numbers")
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)  # an index beyond the shape would end the process, or be lost
    n, d = matrix.shape
    width = min(d, widest or d)
    see_size(8 * n * width, most)
    found, done = f"a sparse table of {d} columns", f"the {width} of largest variance are used"
    fewer = (found, done, "save the columns that you want as a file of their own")
    return Table(file, _SPARSE, named=False, notes=(fewer,) if width < d else ())


def _matrix(file: Path, arrays: Mapping[str, NDArray[Any]]) -> Table:
    """Read a matrix with the names of its columns and the classes of its rows."""
    matrices = [name for name, array in arrays.items() if array.ndim == 2 and array.dtype.kind in NUMBERS]
    keys = [MATRIX] if MATRIX in arrays else matrices or list(arrays)
    if len(keys) != 1:
        raise Refused(f"it holds {len(arrays)} arrays ({', '.join(arrays)}); name the matrix {MATRIX!r}")
    matrix = arrays[keys[0]]
    key = repr(keys[0]).replace("{", "{{").replace("}", "}}")
    code = f"held = np.load({{file}})\ntable = pd.DataFrame(held[{key}]{_as_matrix(matrix)}"
    named, labelled = (name in arrays and name != keys[0] for name in (NAMES, LABELS))
    for name, wanted in ((NAMES, matrix.shape[1:]), (LABELS, matrix.shape[:1])):
        if name in arrays and name != keys[0] and arrays[name].shape != wanted:
            raise Refused(f"its {name} have the shape {arrays[name].shape}; with such a matrix it is {wanted}")
    code += f", columns=held[{NAMES!r}].astype(str))" if named else ")" + _NUMBERED
    if labelled:
        if named and LABELS in arrays[NAMES].astype(str):
            raise Refused(f"a feature is named {LABELS!r}, as the array of classes is; give it another name")
        code += f"\ntable[{LABELS!r}] = held[{LABELS!r}]"
    left = set(arrays) - {keys[0], NAMES, LABELS}
    notes = ((f"it holds also {', '.join(sorted(left))}", "not used", f"name a matrix {MATRIX!r}"),) if left else ()
    return Table(file, code, named=named, label=LABELS if labelled else None, notes=notes)


FORMATS: Mapping[str, Callable[[Path, int, int | None], Table]] = {
    ".csv": _text,
    ".tsv": _text,
    ".txt": _text,
    ".parquet": _parquet,
    ".npy": _array,
    ".npz": _archive,
    ".xlsx": _workbook,
}
"""What finds by its ending how a file is read: it takes the file, the bytes that it may unpack to, and `widest`."""
