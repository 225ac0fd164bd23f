"""BibTeX of the sources that specifications name.

A plugin keeps its entries in ``references.bib``, in the package of its estimators.  An entry belongs to a source if
the source has the surname of its first author, its number at arXiv or else its year, and its first page if both have
pages.  A source that no entry belongs to becomes an entry of its own, with the words of the specification.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from spcabench.specs import MethodSpec

FILE = "references.bib"

SOFTWARE = {
    "author": "{The spcabench developers}",
    "title": "spcabench: the benchmark of sparse principal component analysis",
    "note": f"version {version('spcabench')}",
}
"""What the entry of spcabench itself says."""


def written(key: str, **fields: str) -> str:
    """Write an entry of what is no paper."""
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items()]
    return f"@misc{{{key},\n{''.join(lines)}}}"


def field_of(entry: str, name: str) -> str:
    """Return a field of an entry, without braces; each stands on a line of its own, and some entries lack it."""
    found = re.search(rf"^\s*{name}\s*=\s*\{{(.*)\}},?\s*$", entry, re.MULTILINE)
    return re.sub(r"[{}]", "", found[1]) if found else ""


def is_of(entry: str, source: str) -> bool:
    """Return whether a source, as a specification writes it, is this entry."""
    surname = field_of(entry, "author").partition(",")[0]
    if not surname or not re.search(rf"(?<!\w){re.escape(surname)}\b", source):
        return False
    number, first = field_of(entry, "eprint"), field_of(entry, "pages").partition("-")[0]
    if number and number in source:
        return True
    pages = re.findall(r"(\d+)-\d+", source)
    return field_of(entry, "year") in re.findall(r"\b\d{4}\b", source) and (not pages or first in ("", *pages))


def entries(text: str) -> list[str]:
    """Return the entries of a BibTeX file, each of which ends with a brace at the start of a line."""
    return re.findall(r"^@.*?^\}", text, re.MULTILINE | re.DOTALL)


def known_entries(methods: Iterable[MethodSpec]) -> list[str]:
    """Return the entries in the files of the packages that the estimators of some methods are in."""
    packages = dict.fromkeys(spec.estimator.partition(":")[0].partition(".")[0] for spec in methods)
    files = [place / FILE for package in packages for place in _places(package)]
    return [entry for file in files if file.is_file() for entry in entries(file.read_text(encoding="utf-8"))]


def _places(package: str) -> Iterator[Path]:
    """Yield the folders of a package; none if it is missing, or a single file."""
    with suppress(ImportError, ValueError):
        found = importlib.util.find_spec(package)
        yield from map(Path, (found and found.submodule_search_locations) or ())


def sources_of(spec: MethodSpec) -> list[str]:
    """Return the sources that a method names, which semicolons separate."""
    return list(dict.fromkeys(part.strip() for part in spec.reference.split(";") if part.strip()))


def cited(methods: Iterable[MethodSpec], known: Sequence[str]) -> dict[str, list[str]]:
    """Return the entries of the sources of some methods, each with the names of the methods that it is of.

    An entry of the method's own stands for its sources that no entry belongs to.
    """
    found: dict[str, list[str]] = {}
    for spec in methods:
        belonging = {source: [entry for entry in known if is_of(entry, source)] for source in sources_of(spec)}
        strange = "; ".join(source for source, own in belonging.items() if not own)
        if strange:
            belonging[strange] = [written(spec.name, title=spec.title or spec.name, note=strange)]
        for entry in dict.fromkeys(entry for own in belonging.values() for entry in own):
            found.setdefault(entry, []).append(spec.name)
    return found
