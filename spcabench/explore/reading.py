"""Read a table of one's own, and write down the Python that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from spcabench.explore.understanding import Finding
from spcabench.parameters import without_file
from spcabench.wording import Fault, InputError

SEPARATORS = ",;\t|"
MOST_SPARSE = 2000
"""Of a sparse table the columns of largest variance are kept, so many at most."""
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


@dataclass(frozen=True)
class Source:
    """A table as read.

    Parameters
    ----------
    file : Path
        Where it was.
    frame : DataFrame
        What it holds; the names of its columns are text.
    code : str
        Python that reads it as ``table``.
    findings : tuple of Finding
        What a reader must know of the reading.
    """

    file: Path
    frame: pd.DataFrame
    code: str
    findings: tuple[Finding, ...] = ()


def read(file: Path) -> Source:
    """Read a table by the ending of its file.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read.
    """
    fault = without_file(str(file))
    if fault:
        raise InputError(Fault(fault, str(file)))
    name = file.name.lower().removesuffix(".gz")
    ending = Path(name).suffix
    if ending not in READERS:
        raise InputError(Fault(f"no table ends in '{ending}'; valid are {', '.join(READERS)}", str(file)))
    try:
        source = READERS[ending](file)
    except (ValueError, OSError, EOFError, KeyError) as reason:
        raise InputError(Fault(f"it cannot be read as {ending}: {reason}", str(file))) from reason
    if min(source.frame.shape) == 0:
        raise InputError(Fault(f"it has {source.frame.shape[0]} rows and {source.frame.shape[1]} columns", str(file)))
    return source


def _read_text(file: Path) -> Source:
    """Read cells between separators; the one that the first row has most often separates them."""
    first = pd.read_csv(file, sep="\0", header=None, nrows=1, dtype=str, engine="python").iloc[0, 0]
    separator = max(SEPARATORS, key=str(first).count)
    cells = [cell.strip().strip('"') for cell in str(first).split(separator)]
    how: dict[str, Any] = {} if separator == "," else {"sep": separator}
    if not any(map(_is_word, cells)):
        how |= {"header": None, "names": [f"x{place}" for place in range(len(cells))]}
    frame = pd.read_csv(file, **how)
    if separator != "," and any(map(_with_comma, (frame[name] for name in frame))):
        how["decimal"] = ","
        frame = pd.read_csv(file, **how)
    frame.columns = frame.columns.map(str)
    given = "".join(f", {name}={_written(name, value)}" for name, value in how.items())
    return Source(file, frame, f"table = pd.read_csv({str(file)!r}{given})")


def _written(name: str, value: Any) -> str:
    return f"[f'x{{j}}' for j in range({len(value)})]" if name == "names" else repr(value)


def _is_word(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return bool(cell)
    return False


def _with_comma(column: pd.Series[Any]) -> bool:
    """Return whether all values of a column are numbers with a decimal comma."""
    known = column.dropna()
    words = column.dtype.kind not in "biuf" and len(known) > 0
    return words and bool(known.astype(str).str.fullmatch(DECIMAL_COMMA).all())


def _read_parquet(file: Path) -> Source:
    try:
        frame = pd.read_parquet(file)
    except ImportError as reason:
        raise InputError(Fault("reading it needs pyarrow: pip install 'spcabench[parquet]'", str(file))) from reason
    frame.columns = frame.columns.map(str)
    return Source(file, frame, f"table = pd.read_parquet({str(file)!r})\ntable.columns = table.columns.map(str)")


def _read_npy(file: Path) -> Source:
    frame = _nameless(np.load(file, allow_pickle=False))
    return Source(file, frame, f"table = pd.DataFrame(np.load({str(file)!r})).rename(columns='x{{}}'.format)")


def _nameless(values: Any) -> pd.DataFrame:
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise ValueError(f"it holds {values.dtype} of shape {values.shape}; valid are real numbers, rows by columns")
    return pd.DataFrame(values).rename(columns="x{}".format)


def _read_npz(file: Path) -> Source:
    """Read a sparse matrix that scipy saved, or the only array of an archive."""
    from scipy import sparse

    with np.load(file, allow_pickle=False) as archive:
        names = archive.files
        if "format" not in names or "shape" not in names:
            if len(names) != 1:
                raise ValueError(f"it holds {len(names)} arrays ({', '.join(names)}); save one as .npy")
            code = f"table = pd.DataFrame(np.load({str(file)!r})[{names[0]!r}]).rename(columns='x{{}}'.format)"
            return Source(file, _nameless(archive[names[0]]), code)
    matrix = sparse.csc_matrix(sparse.load_npz(file))
    kept = most_variable(matrix)
    frame = pd.DataFrame(matrix[:, kept].toarray(), columns=[f"x{j}" for j in kept])
    code = f"matrix = scipy.sparse.csc_matrix(scipy.sparse.load_npz({str(file)!r}))\n" + _sparse_code(matrix.shape[1])
    return Source(file, frame, code, _left_out(matrix.shape[1]))


def most_variable(matrix: Any) -> Any:
    """Return the columns of largest variance of a sparse matrix, in their order."""
    mean = np.asarray(matrix.mean(axis=0)).ravel()
    variance = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel() - mean**2
    return np.sort(np.argsort(-variance, kind="stable")[:MOST_SPARSE])


def _sparse_code(n_columns: int) -> str:
    """Write the Python that makes ``table`` of a sparse ``matrix``."""
    if n_columns <= MOST_SPARSE:
        return "table = pd.DataFrame(matrix.toarray()).rename(columns='x{}'.format)"
    return (
        "mean = np.asarray(matrix.mean(axis=0)).ravel()\n"
        "variance = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel() - mean**2\n"
        f"kept = np.sort(np.argsort(-variance, kind='stable')[:{MOST_SPARSE}])\n"
        "table = pd.DataFrame(matrix[:, kept].toarray(), columns=[f'x{j}' for j in kept])"
    )


def _left_out(n_columns: int) -> tuple[Finding, ...]:
    if n_columns <= MOST_SPARSE:
        return ()
    found = f"a sparse table of {n_columns} columns"
    done = f"the {MOST_SPARSE} of largest variance are used"
    return (Finding(found, done, "save the columns that you want as a file of their own"),)


def _read_h5ad(file: Path) -> Source:
    """Read the matrix of annotated data, and what is known of its rows."""
    try:
        import anndata
    except ImportError as reason:
        raise InputError(Fault("reading it needs anndata: pip install 'spcabench[h5ad]'", str(file))) from reason
    data = anndata.read_h5ad(file)
    code = f"data = anndata.read_h5ad({str(file)!r})\n"
    findings = _left_out(data.n_vars)
    if data.n_vars > MOST_SPARSE:
        from scipy import sparse

        data = data[:, most_variable(sparse.csc_matrix(data.X))].copy()
        code += (
            "matrix = scipy.sparse.csc_matrix(data.X)\n"
            "mean = np.asarray(matrix.mean(axis=0)).ravel()\n"
            "variance = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel() - mean**2\n"
            f"data = data[:, np.sort(np.argsort(-variance, kind='stable')[:{MOST_SPARSE}])].copy()\n"
        )
    frame = data.to_df().join(data.obs.select_dtypes(["category", "object"]).astype(object))
    frame.columns = frame.columns.map(str)
    code += "table = data.to_df().join(data.obs.select_dtypes(['category', 'object']).astype(object))"
    return Source(file, frame.reset_index(drop=True), code, findings)


READERS: Mapping[str, Callable[[Path], Source]] = {
    ".csv": _read_text,
    ".tsv": _read_text,
    ".txt": _read_text,
    ".parquet": _read_parquet,
    ".npy": _read_npy,
    ".npz": _read_npz,
    ".h5ad": _read_h5ad,
}
"""What reads a file, by its ending."""
