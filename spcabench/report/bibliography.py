"""BibTeX of the sources that specifications name.

A plugin keeps its entries in ``references.bib``, in the package of its estimators.  An entry belongs to a source if
the source has the surname of its first author, its number at arXiv or else its year, and its first page if both have
pages.  A source that no entry belongs to becomes an entry of its own, with the words of the specification.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from itertools import chain
from pathlib import Path

from spcabench.specs import MethodSpec

FILE = "references.bib"


@dataclass(frozen=True)
class Entry:
    """One entry of a BibTeX file.

    Parameters
    ----------
    text : str
        From ``@`` to its closing brace.
    """

    text: str

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """The fields by name, without braces; each stands on a line of its own."""
        found = re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$", self.text, re.MULTILINE)
        return {name.lower(): re.sub(r"[{}]", "", value) for name, value in found}

    @property
    def key(self) -> str:
        """What a text cites it by."""
        return self.text.partition("{")[2].partition(",")[0].strip()

    def is_of(self, source: str) -> bool:
        """Return whether a source, as a specification writes it, is this entry."""
        surname = self.fields.get("author", "").partition(",")[0]
        year, number = self.fields.get("year", ""), self.fields.get("eprint", "")
        if not surname or not re.search(rf"(?<!\w){re.escape(surname)}\b", source):
            return False
        if number and number in source:
            return True
        pages = re.findall(r"(\d+)-\d+", source)
        first = self.fields.get("pages", "").partition("-")[0]
        return year in re.findall(r"\b\d{4}\b", source) and (not pages or not first or first in pages)


def software() -> Entry:
    """Return the entry of spcabench itself."""
    return _entry(
        "spcabench",
        author="{The spcabench developers}",
        title="spcabench: the benchmark of sparse principal component analysis",
        note=f"version {version('spcabench')}",
    )


def _entry(key: str, **fields: str) -> Entry:
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items()]
    return Entry(f"@misc{{{key},\n{''.join(lines)}}}")


def entries(text: str) -> list[Entry]:
    """Return the entries of a BibTeX file, each of which ends with a brace at the start of a line."""
    return [Entry(found) for found in re.findall(r"^@.*?^\}", text, re.MULTILINE | re.DOTALL)]


def known_entries(methods: Iterable[MethodSpec]) -> list[Entry]:
    """Return the entries in the files of the packages that the estimators of some methods are in."""
    packages = dict.fromkeys(spec.estimator.partition(":")[0].partition(".")[0] for spec in methods)
    return [entry for package in packages for entry in _of_package(package)]


def _of_package(package: str) -> list[Entry]:
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return []
    places = (found and found.submodule_search_locations) or []
    files = [Path(place) / FILE for place in places]
    return [entry for file in files if file.is_file() for entry in entries(file.read_text(encoding="utf-8"))]


def sources_of(spec: MethodSpec) -> list[str]:
    """Return the sources that a method names, which semicolons separate."""
    return list(dict.fromkeys(part.strip() for part in spec.reference.split(";") if part.strip()))


def cited(methods: Iterable[MethodSpec], known: Sequence[Entry]) -> dict[Entry, list[str]]:
    """Return the entries of the sources of some methods, each with the names of the methods that it is of."""
    found: dict[Entry, list[str]] = {}
    for spec in methods:
        for entry in entries_of(spec, known):
            found.setdefault(entry, []).append(spec.name)
    return found


def entries_of(spec: MethodSpec, known: Sequence[Entry]) -> list[Entry]:
    """Return the entries of the sources of one method; one of its own stands for those that no entry belongs to."""
    sources = sources_of(spec)
    belonging = {source: [entry for entry in known if entry.is_of(source)] for source in sources}
    strange = "; ".join(source for source in sources if not belonging[source])
    own = [_entry(spec.name, title=spec.title or spec.name, note=strange)] if strange else []
    return list(dict.fromkeys([*chain.from_iterable(belonging.values()), *own]))
