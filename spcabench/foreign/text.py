"""Find how a file of cells is written: its encoding, what separates cells, whether there is a header."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
from collections.abc import Sequence
from itertools import islice, zip_longest
from pathlib import Path

from spcabench.foreign.arrays import see_size
from spcabench.foreign.confined import Refused

SEPARATORS = ("\t", ";", "|", ",", r"\s+")
"""The first of them that all lines have as often is the one: a comma may be within numbers."""
LINES = 50
"""Lines that tell what separates cells, and whether numbers have a decimal comma."""
_QUOTED = re.compile(r'"[^"]*"')
_WITH_COMMA = re.compile(r"\s*[+-]?(\d+|\d*,\d+)([eE][+-]?\d+)?\s*")


def dialect_of(file: Path, most: int) -> tuple[dict[str, object], bool]:
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
