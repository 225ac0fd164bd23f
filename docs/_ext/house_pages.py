"""Pages that the repository has elsewhere become pages of the site, with their links led to where they are here."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from snapshot_tables import ROOT

PAGES = {
    "suites/README.md": "suites",
    "plugins/README.md": "wrapping",
    "plugins/spcabench_methods/selection/README.md": "choosing",
    "reports/README.md": "files",
    "reports/gallery/README.md": "suite_figures",
    "CHANGELOG.md": "changes",
    "CONTRIBUTING.md": "contributing",
}
"""Pages of the repository and their names among the pages that are made."""

GALLERY = "reports/gallery/README.md"
PICTURES = (".png", ".svg")


def page(source: str, pages: Mapping[str, str] = PAGES, root: Path = ROOT) -> str:
    """Return a page of the repository as a page of the site.

    A link to a page of the site leads there; one to a picture leads to the file; one to any other file of the
    repository becomes its name, as the site does not have it.

    Raises
    ------
    ValueError
        If a link leads nowhere.
    """
    text = (root / source).read_text(encoding="utf-8")

    def led(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found.group()
        path, _, _ = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if not (root / there).exists():
            raise ValueError(f"{source}: the link {target} leads nowhere")
        if there in pages:
            return f"[{words}]({pages[there]}.md)"
        if there.endswith(PICTURES):
            return f"![{words}](../../{there})" if mark else _seen(words, Path(there).stem, pages)
        return f"`{there}`" if words in (there, path) else f"{words} (`{there}`)"

    return re.sub(r"(!?)\[([^\]]+)\]\(([^)\s]+)\)", led, text)


def _seen(words: str, stem: str, pages: Mapping[str, str]) -> str:
    """Return a link to where the gallery shows a picture, or the words alone."""
    gallery = pages.get(GALLERY)
    return f"[{words}]({gallery}.md#{stem})" if gallery else words


def pages() -> dict[str, str]:
    """Return the pages that the repository has elsewhere, by their place in the folder of pages that are made."""
    return {f"{name}.md": page(source) for source, name in PAGES.items()}
