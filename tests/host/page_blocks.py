"""The code blocks of the pages, in their order, and the commands that lines of text name."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = [
    *("README.md", "CONTRIBUTING.md", "suites/README.md", "plugins/README.md", "plugins/example/README.md"),
    *("plugins/spcabench_methods/selection/README.md", "reports/README.md", "reports/gallery/README.md"),
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")),
    "docs/_templates/which.md",
]
"""The pages that people write; the others are made by commands."""

RUNS = ("python", "{runs}")
SHELL = ("console",)
SUITES = ("yaml",)
OUTPUT = ("text",)
"""What a command prints."""
MARKUP = ("{toctree}", "{image}", "{include}", "{div}", "{grid}", "{grid-item-card}")
"""Directives that show or include; the build of the site holds them."""


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    page: str
    language: str
    text: str

    @property
    def first(self):
        """Its first line, which names it in tables of exceptions."""
        return self.text.lstrip().partition("\n")[0]


def blocks(page):
    """Return the blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"^(`{3,}|:{3,})(\S[^\n]*)\n(.*?)^\1\s*$", text, re.DOTALL | re.MULTILINE)
    return [Block(page, words.split()[0], _content(words, body)) for _, words, body in found]


def _content(language, body):
    """Leave out the options of a directive."""
    return re.sub(r"\A(:\w+:.*\n)+", "", body) if language.startswith("{") else body


def of_language(page, languages):
    """Return the blocks of a page in some languages."""
    return [block for block in blocks(page) if block.language in languages]


def command_lines(block):
    """Return the commands of a block, one for each line and each part that ``&&`` joins."""
    lines = re.sub(r"\\\n\s*", "", block.text).splitlines()
    return [part.strip() for line in lines for part in line.removeprefix("$ ").split(" && ") if part.strip()]


def inline_commands(page):
    """Return what a page has of ``spcabench ...`` within its lines."""
    text = re.sub(r"^(```|:::).*?^\1", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [" ".join(span.split()) for span in re.findall(r"`(spcabench [^`]+)`", text)]
