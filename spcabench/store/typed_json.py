"""JSON of typed values: written from dataclasses, and read back with every field checked."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from typing import Any, Generic, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

T = TypeVar("T")

_LONE = (b"\\ud8", b"\\ud9", b"\\uda", b"\\udb", b"\\udc", b"\\udd", b"\\ude", b"\\udf")
"""How JSON writes half a surrogate pair, as the names of files have that are not UTF-8."""


class TypedJson(Generic[T]):
    """Writes and reads values of one type.

    Parameters
    ----------
    kind : type
        A dataclass, or a union of dataclasses that differ in their field ``kind``.

    Notes
    -----
    Infinities and nan, of which only unions hold any, are written as the constants that Python's own reader knows.
    Names of files that are not UTF-8 arrive as they are, which pydantic's own writer refuses.
    """

    def __init__(self, kind: Any) -> None:
        config = None if is_dataclass(kind) else ConfigDict(ser_json_inf_nan="constants")  # a dataclass takes none
        self._adapter: TypeAdapter[T] = TypeAdapter(kind, config=config)

    def dumps(self, value: T) -> bytes:
        """Write a value in one line."""
        try:
            return self._adapter.dump_json(value)
        except PydanticSerializationError:
            return json.dumps(self._adapter.dump_python(value, mode="json")).encode()

    def loads(self, text: bytes) -> T:
        """Read what `dumps` wrote.

        Raises
        ------
        CutShort
            If the text is no JSON, as what is left of a file after its writer was killed.
        ValueError
            If the text does not fit the type; the message names each field that is wrong.
        """
        try:
            return self._adapter.validate_json(text)
        except ValidationError as error:
            if error.errors()[0]["type"] != "json_invalid":
                raise ValueError(_described(error)) from error
            if not any(half in text for half in _LONE):
                raise CutShort from error
        return self.of(_plain(text))

    def of(self, value: Any) -> T:
        """Return the value that plain data describes.

        Raises
        ------
        ValueError
            If the data does not fit the type; the message names each field that is wrong.
        """
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise ValueError(_described(error)) from error


def _plain(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CutShort from error


class CutShort(ValueError):
    """A text that is no JSON."""


def _described(error: ValidationError) -> str:
    """Name the first fields that are wrong, each with what is wrong with it."""
    faults = [[".".join(map(str, fault["loc"])), fault["msg"]] for fault in error.errors(include_url=False)]
    return "; ".join(": ".join(filter(None, fault)) for fault in faults[:3])
