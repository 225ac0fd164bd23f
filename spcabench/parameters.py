"""What values a parameter takes, declared once.

One declaration serves the suite reader (every fault at once, with the nearest valid name), the estimators
(a ``ValueError`` that names the valid range) and ``spcabench info``.  Nothing heavy is imported here.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Protocol


class Valid(Protocol):
    """A set of valid values: a test, and the words for it."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` is in the set."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Language:
    """How a language writes the constants that a parameter takes."""

    nothing: str
    true: str
    false: str

    def constant(self, value: object) -> str:
        """Return the word for a constant."""
        if value is None:
            return self.nothing
        return (self.true if value else self.false) if isinstance(value, bool) else str(value)


YAML = Language("null", "true", "false")
PYTHON = Language("None", "True", "False")


def described(valid: Valid, language: Language) -> str:
    """Return the words for a set of valid values, with constants as `language` writes them."""
    match valid:
        case OneOf(options=options):
            words = ", ".join(map(language.constant, options))
            return words if len(options) == 1 else f"one of {words}"
        case ListOf(each=each, length=length):
            return f"a list{'' if length is None else f' of {length}'}, each {described(each, language)}"
        case Fields(fields=fields):
            words = "; ".join(f"{name}: {described(field.valid, language)}" for name, field in fields.items())
            return f"a mapping of {words}"
        case Either(ways=ways):
            return ", or ".join(described(way, language) for way in ways)
        case _:
            return str(valid)


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
"""The whole number up to which any loop can count; what has no bound of its own ends there."""


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
        return described(self, YAML)


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
    """The name of a file, relative to the working directory; whether it is there is looked at before a run."""

    meaning: str = "a file"


@dataclass(frozen=True)
class ListOf:
    """A list of valid values; of a fixed length if `length` is given."""

    each: Valid
    length: int | None = None

    def accepts(self, value: object) -> bool:
        """Return whether `value` is a list or array, of one axis or more, whose every element is valid."""
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            return False
        if not hasattr(value, "__getitem__") or getattr(value, "shape", None) == ():
            return False
        elements = list(value)
        return len(elements) > 0 and self.length in (None, len(elements)) and all(map(self.each.accepts, elements))

    def __str__(self) -> str:
        return described(self, YAML)


@dataclass(frozen=True)
class Fields:
    """A mapping with declared fields."""

    fields: Mapping[str, Parameter]

    def accepts(self, value: object) -> bool:
        """Return whether `value` is a mapping whose every field is declared and valid."""
        return isinstance(value, Mapping) and not parameter_faults(value, self.fields)

    def __str__(self) -> str:
        return described(self, YAML)


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
        return described(self, YAML)


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
"""Valid names that a message lists; more would not be read."""


def nearest(word: object, words: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the word most like the one found, whatever its case, or nothing."""
    folded = {known.casefold(): known for known in words}
    close = difflib.get_close_matches(str(word)[:80].casefold(), list(folded), n=1, cutoff=0.55)
    return f" (did you mean '{folded[close[0]]}'?)" if close else ""


def shown(value: object, width: int = 60) -> str:
    """Show a found value shortly, whatever it is."""
    try:
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "an enormous number"
    except ValueError:  # an integer within, with more digits than Python writes
        text = "a value with an enormous number in it"
    return text if len(text) <= width else text[: width - 3] + "..."


def unknown_name(word: object, words: Iterable[str]) -> str:
    """Return the words after an unknown name: what is valid, and the nearest."""
    listed = sorted(words)
    if not listed:
        return "; there are none"
    named = ", ".join(listed) if len(listed) <= MOST_NAMED else f"{len(listed)} names, which 'spcabench list' shows"
    return f"; valid are {named}{nearest(word, listed)}"


def without_file(name: str) -> str:
    """Report that there is no file of a name, and the nearest that is there; nothing if there is one."""
    try:
        file = Path(name).expanduser()
        if file.is_file():
            return ""
        if file.is_dir():
            return f"{file} is a folder; wanted is a file"
        if not file.parent.is_dir():
            return f"no file {file}: there is no folder {file.parent}"
        return f"no file {file}{nearest(file.name, [entry.name for entry in file.parent.iterdir()])}"
    except (OSError, RuntimeError) as reason:  # a name too long, a folder that is closed, a home that nobody has
        return f"{shown(name)} cannot be looked at: {reason}"


def missing_files(given: Mapping[str, object], declared: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    """List the parameters that name a file which is not there.

    Parameters
    ----------
    given : mapping
        Parameter values by name; of a list each is looked at.
    declared : mapping
        The declarations, of which those that take an `ExistingFile` matter.

    Returns
    -------
    list of (name, message)
        Empty if all files are there.
    """
    faults = []
    for name, value in given.items():
        valid = declared[name].valid if name in declared else None
        if any(isinstance(way, ExistingFile) for way in (valid.ways if isinstance(valid, Either) else (valid,))):
            files = [file for file in (value if isinstance(value, list) else [value]) if isinstance(file, str)]
            faults += [(name, f"{name}: {words}") for words in map(without_file, files) if words]
    return faults


def parameter_faults(
    given: Mapping[str, object], declared: Mapping[str, Parameter], language: Language = YAML
) -> list[tuple[str, str]]:
    """List what is wrong with parameters.

    Parameters
    ----------
    given : mapping
        Parameter values by name.
    declared : mapping
        The declarations they are held against.
    language : Language
        `YAML` for a reader of suites, `PYTHON` for a user of the library.

    Returns
    -------
    list of (name, message)
        Empty if all is well.  A message says what was found and what is valid.
    """
    faults = []
    for name, value in given.items():
        if name not in declared:
            faults.append((str(name), f"unknown parameter {shown(name)}{unknown_name(name, declared)}"))
        elif not declared[name].valid.accepts(value):
            faults.extend((name, message) for message in _value_faults(name, value, declared[name].valid, language))
    return faults


def _value_faults(name: str, value: object, valid: Valid, language: Language) -> list[str]:
    """Return what is wrong with a value that is not valid; of a mapping, with each of its fields."""
    ways = valid.ways if isinstance(valid, Either) else (valid,)
    fields = [way.fields for way in ways if isinstance(way, Fields)]
    if isinstance(value, Mapping) and fields:
        return [f"in {name}: {message}" for _, message in parameter_faults(value, fields[0], language)]
    found = f"{shown(value)}, more than {LARGEST}" if _too_large(value, ways) else shown(value)
    words = [str(word) for way in ways if isinstance(way, OneOf) for word in way.options]
    hint = nearest(value, words) if isinstance(value, str) else ""
    return [f"{name} is {found}; valid is {described(valid, language)}{hint}"]


def _too_large(value: object, ways: Iterable[Valid]) -> bool:
    """Return whether a value is a whole number beyond the bound that the words for one leave out."""
    return isinstance(value, Integral) and int(value) > LARGEST and any(isinstance(way, Whole) for way in ways)
