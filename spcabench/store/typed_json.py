"""JSON of typed values: written from dataclasses, and read back with every field checked."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any, Generic, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

T = TypeVar("T")


class TypedJson(Generic[T]):
    """Writes and reads values of one type.

    Parameters
    ----------
    kind : type
        A dataclass, or a union of dataclasses that differ in their field ``kind``.

    Notes
    -----
    Infinities and nan, of which only unions hold any, are written as the constants that Python's own reader knows.
    """

    def __init__(self, kind: Any) -> None:
        config = None if is_dataclass(kind) else ConfigDict(ser_json_inf_nan="constants")  # a dataclass takes none
        self._adapter: TypeAdapter[T] = TypeAdapter(kind, config=config)

    def dumps(self, value: T) -> bytes:
        """Write a value in one line."""
        return self._adapter.dump_json(value)

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
            if error.errors()[0]["type"] == "json_invalid":
                raise CutShort from error
            raise ValueError(_described(error)) from error


class CutShort(ValueError):
    """A text that is no JSON."""


def _described(error: ValidationError) -> str:
    """Name the first fields that are wrong, each with what is wrong with it."""
    faults = [[".".join(map(str, fault["loc"])), fault["msg"]] for fault in error.errors(include_url=False)]
    return "; ".join(": ".join(filter(None, fault)) for fault in faults[:3])
