"""What values a parameter takes, declared once.

One declaration serves the suite reader (every fault at once, with the nearest valid name) and ``spcabench info``.  A
set of valid values describes itself in the words of a suite: ``null``, ``true``, ``false``.  Estimators that declare
their parameters as scikit-learn's do need none, see `spcabench.own_parameters`.  Nothing heavy is imported here.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Protocol


class Valid(Protocol):
    """A set of valid values: a test, and the words for it."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` is in the set."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Number:
    """A finite real number between `low` and `high`, both included unless marked open."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def accepts(self, value: object) -> bool:
        """Return whether `value` is a finite number in the interval."""
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        try:
            number = float(value)
        except OverflowError:
            return False
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        return math.isfinite(number) and above and below

    def __str__(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return "a finite number"
        left = "(" if self.low_open or math.isinf(self.low) else "["
        right = ")" if self.high_open or math.isinf(self.high) else "]"
        return f"a number in {left}{self.low:g}, {self.high:g}{right}"


LARGEST = 2**31 - 1
"""The largest whole number that any loop can count to; the bound of a `Whole` that has no bound of its own."""


@dataclass(frozen=True)
class Whole:
    """A whole number between `low` and `high`, both included."""

    low: int = 0
    high: int = LARGEST

    def accepts(self, value: object) -> bool:
        """Return whether `value` is an integer in the range."""
        return isinstance(value, Integral) and not isinstance(value, bool) and self.low <= int(value) <= self.high

    def __str__(self) -> str:
        return f"a whole number from {self.low}" + (f" to {self.high}" if self.high != LARGEST else "")


@dataclass(frozen=True)
class OneOf:
    """One of a few words (or other constants)."""

    options: tuple[object, ...]

    def __init__(self, *options: object) -> None:
        object.__setattr__(self, "options", options)

    def accepts(self, value: object) -> bool:
        """Return whether `value` is one of the options, of the same type, or a NumPy scalar of that type."""
        plain = value.item() if hasattr(value, "item") and getattr(value, "shape", None) == () else value
        return any(type(plain) is type(option) and plain == option for option in self.options)

    def __str__(self) -> str:
        words = ["null" if o is None else str(o).lower() if isinstance(o, bool) else str(o) for o in self.options]
        return words[0] if len(words) == 1 else f"one of {', '.join(words)}"


@dataclass(frozen=True)
class Text:
    """A non-empty string."""

    meaning: str = "text"

    def accepts(self, value: object) -> bool:
        """Return whether `value` is a non-empty string without null characters."""
        return isinstance(value, str) and bool(value) and "\0" not in value

    def __str__(self) -> str:
        return self.meaning


@dataclass(frozen=True)
class ExistingFile(Text):
    """The name of a file, relative to the working directory; before a run the suite reader checks that it exists."""

    meaning: str = "a file"


@dataclass(frozen=True)
class ListOf:
    """A list of valid values; of a fixed length if `length` is given."""

    each: Valid
    length: int | None = None

    def accepts(self, value: Any) -> bool:
        """Return whether `value` is a list or array, of one axis or more, whose every element is valid."""
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        elements = list(value) if is_list or getattr(value, "ndim", 0) > 0 else []
        return len(elements) > 0 and self.length in (None, len(elements)) and all(map(self.each.accepts, elements))

    def __str__(self) -> str:
        return f"a list{'' if self.length is None else f' of {self.length}'}, each {self.each}"


@dataclass(frozen=True)
class Fields:
    """A mapping with declared fields."""

    fields: Mapping[str, Parameter]

    def accepts(self, value: object) -> bool:
        """Return whether `value` is a mapping whose every field is declared and valid."""
        return isinstance(value, Mapping) and not parameter_faults(value, self.fields)

    def __str__(self) -> str:
        return "a mapping of " + "; ".join(f"{name}: {field.valid}" for name, field in self.fields.items())


@dataclass(frozen=True)
class Either:
    """A value valid in at least one of several ways."""

    ways: tuple[Valid, ...]

    def __init__(self, *ways: Valid) -> None:
        object.__setattr__(self, "ways", ways)

    def accepts(self, value: object) -> bool:
        """Return whether any of the ways accepts `value`."""
        return any(way.accepts(value) for way in self.ways)

    def __str__(self) -> str:
        return ", or ".join(map(str, self.ways))


@dataclass(frozen=True)
class Anything:
    """Any value: for parameters whose validity only the estimator can judge (an array, a generator)."""

    meaning: str = "any value"

    def accepts(self, value: object) -> bool:
        """Accept every value."""
        return True

    def __str__(self) -> str:
        return self.meaning


NOTHING = OneOf(None)
FLAG = OneOf(False, True)


@dataclass(frozen=True)
class Parameter:
    """One parameter: its default, its valid values, and what it means in a line."""

    default: object
    valid: Valid
    meaning: str = ""


MOST_NAMED = 30
"""How many valid names a message lists at most; nobody would read more."""


def nearest(word: object, words: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the most similar word, or an empty string.

    Case does not count, nor whether words are joined by hyphens, underscores or spaces.
    """
    folded = {_folded(known): known for known in words}
    close = difflib.get_close_matches(_folded(str(word)[:80]), list(folded), n=1, cutoff=0.55)
    return f" (did you mean '{folded[close[0]]}'?)" if close else ""


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def shown(value: object, width: int = 60) -> str:
    """Return a short text for any value."""
    try:
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "an enormous number"
    except ValueError:  # an integer within, with more digits than Python writes
        text = "a value with an enormous number in it"
    return text if len(text) <= width else text[: width - 3] + "..."


def unknown_name(word: object, words: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the valid names, and the nearest."""
    listed = sorted(words)
    if not listed:
        return "; there are none"
    named = ", ".join(listed) if len(listed) <= MOST_NAMED else f"{len(listed)} names, which 'spcabench list' shows"
    return f"; valid are {named}{nearest(word, listed)}"


def without_file(name: str) -> str:
    """Report that a file does not exist, and the nearest one that does; return an empty string if it exists."""
    try:
        file = Path(name).expanduser()
        if file.is_file():
            return ""
        if file.is_dir():
            return f"{file} is a folder, not a file"
        if file.exists():
            return f"{file} is a pipe or a device, not a file; save what it holds as a file"
        if not file.parent.is_dir():
            return f"no file {file}: there is no folder {file.parent}"
        return f"no file {file}{nearest(file.name, [entry.name for entry in file.parent.iterdir()])}"
    except (OSError, RuntimeError) as reason:  # the name is too long, the folder is closed, or there is no home
        return f"{shown(name)} cannot be read: {reason}"


def missing_files(given: Mapping[str, object], declared: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    """List the parameters, given by name, that take an `ExistingFile` and name one that is not there, with messages."""
    faults = []
    for name, value in given.items():
        valid = declared[name].valid if name in declared else None
        if any(isinstance(way, ExistingFile) for way in (valid.ways if isinstance(valid, Either) else (valid,))):
            files = [file for file in (value if isinstance(value, list) else [value]) if isinstance(file, str)]
            faults += [(name, f"{name}: {words}") for words in map(without_file, files) if words]
    return faults


def parameter_faults(given: Mapping[str, object], declared: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    """List what is wrong with parameters, given by name, as pairs of a name and a message; empty if all is well.

    A message names the value found and the valid ones.
    """
    faults = []
    for name, value in given.items():
        if name not in declared:
            faults.append((str(name), f"unknown parameter {shown(name)}{unknown_name(name, declared)}"))
        elif not declared[name].valid.accepts(value):
            faults.extend((name, message) for message in _value_faults(name, value, declared[name].valid))
    return faults


def _value_faults(name: str, value: object, valid: Valid) -> list[str]:
    """Return what is wrong with an invalid value; for a mapping, what is wrong with each field."""
    ways = valid.ways if isinstance(valid, Either) else (valid,)
    fields = [way.fields for way in ways if isinstance(way, Fields)]
    if isinstance(value, Mapping) and fields:
        return [f"in {name}: {message}" for _, message in parameter_faults(value, fields[0])]
    large = isinstance(value, Integral) and int(value) > LARGEST and any(isinstance(way, Whole) for way in ways)
    found = f"{shown(value)}, more than {LARGEST}" if large else shown(value)  # a bound that `valid` does not name
    words = [str(word) for way in ways if isinstance(way, OneOf) for word in way.options]
    return [f"{name} is {found}; valid is {valid}{nearest(value, words) if isinstance(value, str) else ''}"]
