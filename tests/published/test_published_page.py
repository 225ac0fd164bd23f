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
            assert f"| {plain(row.method)} |" in section
            assert plain(row.reason) in section


def test_the_page_counts_its_verdicts():
    total, counts = re.search(r"^(\d+) numbers: (.*?)\.  ", PAGE, re.MULTILINE).groups()
    stated = {verdict: int(number) for number, verdict in re.findall(r"(\d+) ([a-z ]+)", counts)}
    found = Counter(re.findall(r"\| (matches|within the spread|differs|not measured) +\|", PAGE))
    assert found == stated
    assert found.total() == int(total)


def test_the_readme_shows_numbers_of_the_page():
    section = PAGE.split("\n## ")[1]
    assert section.startswith("mnist_outlier: ")
    rows = [[cell.strip() for cell in line.split("|")] for line in section.splitlines() if "| err@100 " in line]
    on_the_page = sorted(tuple(map(float, row[5:8])) for row in rows)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\|.*\| ([\d.]+) \| ([\d.]+) ± ([\d.]+) \|$", readme, re.MULTILINE)
    for shown, exact in zip(sorted(tuple(map(float, cells)) for cells in table), on_the_page, strict=True):
        assert shown == pytest.approx(exact, abs=0.051)
