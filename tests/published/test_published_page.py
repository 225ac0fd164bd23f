"""reports/published.md has the published numbers of the suites, with notes and reasons; the README agrees."""

import re
from collections import Counter
from pathlib import Path

import pytest

from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "reports" / "published.md").read_text(encoding="utf-8")
SUITES = sorted(file.stem for file in (ROOT / "suites").glob("*.yaml"))


def plain(text):
    """Collapse white space, and drop what Markdown escapes."""
    return " ".join(text.replace("\\", "").split())


@pytest.mark.parametrize("suite", SUITES)
def test_each_block_is_on_the_page_with_its_note_and_reasons(suite):
    sections = [plain(part) for part in PAGE.split("\n## ")]
    for block in load_suite(suite, load_registry()).suite.published:
        (section,) = [part for part in sections if part.startswith(f"{suite}: {plain(block.source)} ")]
        assert plain(block.note) in section
        for row in block.rows:
            assert f"| {plain(row.method)}{f' minus {row.minus}' if row.minus else ''} |" in section
            assert plain(row.reason) in section


def tables(text):
    """Return the rows of the tables of a text as mappings."""
    names = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells or set(line) <= set("|:-"):
            names = names if cells else []
        elif names:
            yield dict(zip(names, cells, strict=True))
        else:
            names = cells


def test_the_page_counts_its_verdicts_by_kind():
    head, *sections = PAGE.split("\n## ")
    found = Counter((row["kind"], row["verdict"]) for part in sections for row in tables(part) if "difference" in row)
    stated = {
        (row["kind"].partition(" (")[0], verdict): int(number)
        for row in tables(sections[0])
        for verdict, number in row.items()
        if verdict not in ("kind", "numbers") and number != "0"
    }
    assert found == stated
    failing = sum(number for (kind, _), number in found.items() if kind == "measured")
    assert f"{found.total()} numbers of " in head
    assert f"; {failing} of them are of a method and can fail." in head


def test_the_page_has_one_scale():
    runs = list(tables(PAGE.split("\n## Runs\n")[1].split("\n## ")[0]))
    assert {row["scale"] for row in runs} == {"default scale"}
    assert ", at the default scale; " in PAGE


def test_the_readme_shows_numbers_of_the_page():
    section = next(part for part in PAGE.split("\n## ") if part.startswith("mnist_outlier: "))
    rows = [row for row in tables(section) if row["metric"] == "err@100" and "difference" in row]
    on_the_page = sorted(tuple(float(row[name]) for name in ("published", "measured", "sd")) for row in rows)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\|.*\| ([\d.]+) \| ([\d.]+) ± ([\d.]+) \|$", readme, re.MULTILINE)
    for shown, exact in zip(sorted(tuple(map(float, cells)) for cells in table), on_the_page, strict=True):
        assert shown == pytest.approx(exact, abs=0.051)
