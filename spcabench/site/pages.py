"""What a page of the site is made of: values alone, as of a report."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from spcabench.report.document import Code, Facts, Note, Table
from spcabench.report.render.html import Grid
from spcabench.site.plots import Curves, Dots

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Links:
    """Links: what they say, and where they lead, from the root of the site."""

    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Points:
    """Sentences below one another."""

    texts: tuple[str, ...]


Part = Note | Facts | Code | Table | Grid | Links | Points | Dots | Curves


@dataclass(frozen=True)
class Section:
    """A section: a heading, and what stands below it."""

    heading: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Parameters
    ----------
    path : str
        Its place in the site, with slashes.
    kind, title : str
        What it is, and its heading.
    lead : str
        The sentence that opens it; empty if none does.
    sections : tuple of Section
        What stands on it.
    """

    path: str
    kind: str
    title: str
    lead: str
    sections: tuple[Section, ...]

    @property
    def root(self) -> str:
        """The way from its folder to the root of the site."""
        return "../" * self.path.count("/")


@dataclass(frozen=True)
class Places:
    """Where the pages of methods, data sets and runs are, by label, and those that stand alone, by title."""

    methods: Mapping[str, str] = field(default_factory=dict)
    datasets: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)
    boards: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def of(self, name: str, text: str) -> str:
        """Return where an entry of a column leads; empty if nowhere."""
        return self._known.get(name, {}).get(text, "")

    def leads(self, name: str) -> bool:
        """Return whether entries of a column may lead somewhere."""
        return name in self._known

    @cached_property
    def _known(self) -> Mapping[str, Mapping[str, str]]:
        return {"method": self.methods, "leader": self.methods, "dataset": self.datasets, "run": self.runs}


def file_name(label: str) -> str:
    """Return a file name for a label: of other letters it has none, and a hash instead.

    Examples
    --------
    >>> file_name("rsvd_l0"), file_name("hidden factors")
    ('rsvd_l0', 'hidden-factors-24e2f0')
    """
    plain = _UNSAFE.sub("-", label).strip("-")
    if plain == label:
        return plain
    return f"{plain[:60]}-{hashlib.sha256(label.encode()).hexdigest()[:6]}".lstrip("-")
