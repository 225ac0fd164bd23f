"""Arrays from a stranger's .npz: what a file claims is held against what it has before anything is made of it."""

from __future__ import annotations

import io
import math
import re
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.store.inside import Damaged

MOST_BYTES = 2**30
"""Bytes that a file of arrays may have."""
MOST_ARRAYS = 10_000
_NAME = re.compile(r"([A-Za-z0-9_]{1,80})\.npy")
_ENCRYPTED = 1
_LONGEST_HEADER = 10_000
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_UNREADABLE = (OSError, ValueError, EOFError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""What the standard library raises at an archive that is none, or is one of another kind."""
_UNPARSED = (SyntaxError, TypeError, KeyError, IndexError, OverflowError, MemoryError)
"""What a header raises that is no header."""


def read_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file, real numbers or truth values, by name.

    Raises
    ------
    Damaged
        If it is no archive of such arrays, or claims more than it has.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            _check(members)
            return {member.filename.removesuffix(".npy"): _array(archive, member) for member in members}
    except (*_UNREADABLE, *_UNPARSED) as error:
        raise Damaged(f"it is no archive of arrays: {type(error).__name__}") from error


def finite(arrays: dict[str, NDArray[Any]], *names: str) -> dict[str, NDArray[Any]]:
    """Return the arrays if those of these names are there and all their numbers are finite.

    Raises
    ------
    Damaged
        If they are not.
    """
    for name in names:
        if name not in arrays:
            raise Damaged(f"it has no array '{name}'")
        if not np.isfinite(arrays[name]).all():
            raise Damaged(f"its array '{name}' holds values that are not finite")
    return arrays


def _check(members: list[zipfile.ZipInfo]) -> None:
    """See that nothing is claimed that must not be."""
    names = [member.filename for member in members]
    if len(names) > MOST_ARRAYS or len(set(names)) < len(names) or not all(map(_NAME.fullmatch, names)):
        raise Damaged("its members are not arrays of different names")
    if any(m.flag_bits & _ENCRYPTED or m.compress_type != zipfile.ZIP_STORED for m in members):
        raise Damaged("a member is encrypted or packed; a run stores its arrays as they are")


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    with archive.open(member) as stream:
        text = stream.read(member.file_size)
    if len(text) != member.file_size:
        raise Damaged(f"'{member.filename}' is cut short")
    file = io.BytesIO(text)
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        raise Damaged(f"'{member.filename}' is of an unknown version")
    shape, by_column, dtype = _HEADERS[version](file, max_header_size=_LONGEST_HEADER)
    if dtype.kind not in "fiub" or dtype.hasobject:
        raise Damaged(f"'{member.filename}' holds {dtype}; valid are real numbers")
    if any(length < 0 for length in shape) or math.prod(shape) * dtype.itemsize != len(text) - file.tell():
        raise Damaged(f"'{member.filename}' claims the shape {str(shape)[:60]}, which is not what it holds")
    array: NDArray[Any] = np.frombuffer(text, dtype, offset=file.tell())
    return array.reshape(shape, order="F" if by_column else "C").copy()
