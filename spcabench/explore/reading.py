"""Read a table of one's own by the Python that is printed for it: what `refit.py` does is what was done."""

from __future__ import annotations

import codecs
import gzip
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse

from spcabench.explore.values import Remark
from spcabench.parameters import without_file
from spcabench.wording import Fault, InputError

SEPARATORS = ",;\t|"
MOST_SPARSE = 2000
"""Of a sparse table the columns of largest variance are kept, so many at most."""
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
SAMPLE = 200
"""Rows that tell whether numbers have a decimal comma."""
HEADLESS = Remark(
    "the first row is all numbers", "read as a row of values; the columns are x0, x1, ..", "write a header with names"
)

IMPORTS = {
    "anndata.": "import anndata",
    "np.": "import numpy as np",
    "pd.": "import pandas as pd",
    "scipy.": "import scipy.sparse",
}
"""What code that uses a name has to import."""
EXTRAS = {".parquet": ("pyarrow", "parquet"), ".h5ad": ("anndata", "h5ad")}
"""What reads an ending if it is installed, and the extra that installs it."""

_PARQUET = "table = pd.read_parquet(<file>)\ntable.columns = table.columns.map(str)"
_ARRAY = "table = pd.DataFrame(np.load(<file>)).rename(columns='x{}'.format)"
_MOST_VARIABLE = f"""\
mean = np.asarray(matrix.mean(axis=0)).ravel()
variance = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel() - mean**2
kept = np.sort(np.argsort(-variance, kind='stable')[:{MOST_SPARSE}])
"""
_SPARSE = f"""\
matrix = scipy.sparse.csc_matrix(scipy.sparse.load_npz(<file>))
{_MOST_VARIABLE}\
table = pd.DataFrame(matrix[:, kept].toarray(), columns=[f'x{{j}}' for j in kept])"""
_ANNOTATED = f"""\
data = anndata.read_h5ad(<file>)
matrix = scipy.sparse.csc_matrix(data.X)
{_MOST_VARIABLE}\
data = data[:, kept].copy()
table = data.to_df().join(data.obs.select_dtypes(['category', 'object']).astype(object))"""


@dataclass(frozen=True)
class Source:
    """A table as read.

    Parameters
    ----------
    file : Path
        Where it was.
    frame : DataFrame
        What it holds; the names of its columns are text.
    imports : list of str
        The lines before the code.
    code : str
        Python that reads it as ``table``.
    remarks : tuple of Remark
        What a reader must know of the reading.
    """

    file: Path
    frame: pd.DataFrame
    imports: list[str]
    code: str
    remarks: tuple[Remark, ...] = ()


def read(file: Path) -> Source:
    """Read a table by the ending of its file.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read.
    """
    place = str(file)
    fault = without_file(place)
    if fault:
        raise InputError(Fault(fault, place))
    ending = Path(file.name.lower().removesuffix(".gz")).suffix
    if ending not in READERS:
        raise InputError(Fault(f"no table ends in '{ending}'; valid are {', '.join(READERS)}", place))
    try:
        template = READERS[ending](file)
        imports = [line for name, line in IMPORTS.items() if name in template]
        code = template.replace("<file>", repr(str(file.absolute())))  # so it runs in any folder
        names: dict[str, Any] = {}
        exec("\n".join([*imports, code]), names)
    except ImportError as reason:
        package, extra = EXTRAS.get(ending, ("more", ""))
        raise InputError(Fault(f"reading it needs {package}: pip install 'spcabench[{extra}]'", place)) from reason
    except (ValueError, OSError, EOFError, KeyError) as reason:
        raise InputError(Fault(f"it cannot be read as {ending}: {reason}", place)) from reason
    frame = names["table"].rename(columns=str).reset_index(drop=True)
    if min(frame.shape) == 0:
        raise InputError(Fault(f"it has {frame.shape[0]} rows and {frame.shape[1]} columns", place))
    headless = (HEADLESS,) if "header=None" in template else ()
    return Source(file, frame, imports, code, headless + _left_out(names))


def _left_out(names: Mapping[str, Any]) -> tuple[Remark, ...]:
    if "matrix" not in names or names["matrix"].shape[1] <= MOST_SPARSE:
        return ()
    found = f"a sparse table of {names['matrix'].shape[1]} columns"
    done = f"the {MOST_SPARSE} of largest variance are used"
    return (Remark(found, done, "save the columns that you want as a file of their own"),)


def _text(file: Path) -> str:
    """Read cells between separators; the one that the first row has most often separates them."""
    with gzip.open(file) if file.name.lower().endswith(".gz") else file.open("rb") as stream:
        content = stream.read()
    encoding = _encoding(content)
    first = next((line for line in content.decode(encoding).splitlines() if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    cells = pd.Series([cell.strip().strip('"') for cell in first.split(separator)])
    given = "" if encoding == "utf-8-sig" else f", encoding={encoding!r}"
    given += "" if separator == "," else f", sep={separator!r}"
    numbers = pd.to_numeric(cells.str.replace(",", "."), errors="coerce").notna() | cells.str.lower().isin(["", "nan"])
    if numbers.all():
        given += f", header=None, names=[f'x{{j}}' for j in range({len(cells)})]"
    if separator != ",":
        names = None if numbers.all() else 0
        some = pd.read_csv(file, sep=separator, header=names, nrows=SAMPLE, dtype=str, encoding=encoding)
        columns = [some[name].dropna() for name in some]
        if any(len(column) and column.str.fullmatch(DECIMAL_COMMA).all() for column in columns):
            given += ", decimal=','"
    return f"table = pd.read_csv(<file>{given})"


def _encoding(content: bytes) -> str:
    """Return in which encoding a text is: UTF-8, UTF-16 with its mark, or else Latin-1, which any bytes are."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


def _archive(file: Path) -> str:
    """Read a sparse matrix that scipy saved, or the only array of an archive."""
    with np.load(file, allow_pickle=False) as archive:
        names = archive.files
    if {"format", "shape"} <= set(names):
        check = getattr(scipy.sparse.load_npz(file), "check_format", None)
        if check is not None:
            check(full_check=True)  # an index beyond the shape would end the process
        return _SPARSE
    if len(names) != 1:
        raise ValueError(f"it holds {len(names)} arrays ({', '.join(names)}); save one as .npy")
    return _ARRAY.replace("(<file>)", f"(<file>)[{names[0]!r}]")


READERS: Mapping[str, Callable[[Path], str]] = {
    ".csv": _text,
    ".tsv": _text,
    ".txt": _text,
    ".parquet": lambda file: _PARQUET,
    ".npy": lambda file: _ARRAY,
    ".npz": _archive,
    ".h5ad": lambda file: _ANNOTATED,
}
"""What returns the Python that reads a file, by its ending; the file is <file> in it."""
