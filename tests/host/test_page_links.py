"""Links of the pages lead somewhere, also those of the pages that the site takes from the repository."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import house_pages  # noqa: E402

GENERATED = {"made/api/plugins.rst", "made/api/index.rst", "made/methods/index.rst"} | {
    f"made/{file.name}" for file in (DOCS / "_templates").glob("*.md")
}
"""Pages that the build makes, beside those of `house_pages`, the methods and the examples."""


def target(link, methods):
    """Return whether a link to a page that the build makes has a source."""
    made = {f"made/{name}.md" for name in house_pages.PAGES.values()}
    example = re.fullmatch(r"made/examples/(plot_\w+|index)\.rst", link)
    if example:
        return example[1] == "index" or (DOCS / "gallery" / f"{example[1]}.py").is_file()
    return link in GENERATED | made | {f"made/methods/{name}.rst" for name in methods}


@pytest.mark.parametrize(
    "page", [*sorted(DOCS.glob("*.md")), DOCS / "_templates" / "which.md"], ids=lambda page: page.name
)
def test_links_of_the_site_lead_somewhere(page, registry):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    folder = DOCS / "made" if page.parent.name == "_templates" else DOCS
    dead = []
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        there = (folder / link).resolve()
        inside = str(there.relative_to(DOCS)) if there.is_relative_to(DOCS) else ""
        if not there.is_file() and not target(inside, registry.methods.origins):
            dead.append(link)
    assert dead == []


@pytest.mark.parametrize("source", house_pages.PAGES)
def test_links_of_a_page_that_the_site_takes_lead_somewhere(source):
    for link in re.findall(r"\]\(([\w./-]+\.(?:md|png))\)", house_pages.page(source)):
        assert link.removesuffix(".md") in house_pages.PAGES.values() or (DOCS / "made" / link).resolve().is_file()


def test_a_link_that_leads_nowhere_is_an_error(tmp_path):
    (tmp_path / "a.md").write_text("[lost](b.md)")
    with pytest.raises(ValueError, match=r"a.md: the link b.md leads nowhere"):
        house_pages.page("a.md", {}, tmp_path)


def test_links_are_led_to_the_pages_of_the_site(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("sub/b.md", "c.py", "d.png"):
        (tmp_path / name).touch()
    (tmp_path / "a.md").write_text("[b](sub/b.md), [code](c.py), [c.py](c.py), ![seen](d.png), [d](d.png) [x](#y)")
    pages = {"sub/b.md": "other"}
    made = "[b](other.md), code (`c.py`), `c.py`, ![seen](../../d.png), d [x](#y)"
    assert house_pages.page("a.md", pages, tmp_path) == made
    pages[house_pages.GALLERY] = "seen"
    assert house_pages.page("a.md", pages, tmp_path) == made.replace(", d [x]", ", [d](seen.md#d) [x]")
