"""Arrays of numbers or text from .npy and .npz files: checked whole, and without pickles."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.foreign.confined import Refused

NUMBERS = "biuf"
"""The kinds of the types of real numbers and truth values."""


def array_of(content: bytes) -> NDArray[Any]:
    """Return the array of a .npy file.

    Raises
    ------
    Refused
        If it holds more or less than one array, or one of anything but text and real numbers of at most 64 bits.
    Exception
        Of many kinds, if it is damaged, or holds Python objects.
    """
    stream = BytesIO(content)
    array: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    if stream.tell() != len(content):
        raise Refused(f"{len(content) - stream.tell()} bytes follow the array; save each array as a file of its own")
    if array.dtype.kind not in NUMBERS + "US" or (array.dtype.kind in NUMBERS and array.dtype.itemsize > 8):
        raise Refused(f"it holds {array.dtype}; valid are real numbers of at most 64 bits")
    if array.dtype.kind == "U":
        "".join(array.ravel().tolist()).encode()  # an error if some of it is no text
    return array


def arrays_of(file: Path, most: int) -> dict[str, NDArray[Any]]:
    """Return the arrays of a .npz file by their names, or that of a .npy file under an empty name.

    Raises
    ------
    Refused
        If it unpacks to more than `most` bytes, or holds what `array_of` refuses.
    Exception
        Of many kinds, if it is damaged.
    """
    with file.open("rb") as stream:
        zipped = stream.read(2) == b"PK"
    if not zipped:
        return {"": array_of(file.read_bytes())}
    return {name.removesuffix(".npy"): array_of(content) for name, content in members(file, most).items()}


def members(file: Path, most: int) -> Mapping[str, bytes]:
    """Return what a zip archive holds; each checksum is checked, and no more is unpacked than the archive declares."""
    with zipfile.ZipFile(file) as archive:
        listed = archive.infolist()
        see_size(sum(member.file_size for member in listed), most)
        names = [member.filename for member in listed]
        if len(set(names)) < len(names):
            raise Refused("two of its arrays have one name; give each its own")
        return {member.filename: archive.read(member) for member in listed}


def see_size(size: int, most: int) -> None:
    """Raise Refused if a file unpacks to more than `most` bytes."""
    if size > most:
        found, valid = size / 2**30, most / 2**30
        raise Refused(f"it unpacks to {found:.3g} GiB; valid is up to {valid:.3g} GiB: save it uncompressed")
