"""The pages of the project agree: one version, a whole citation, links and names of files that lead somewhere."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import spcabench

ROOT = Path(__file__).parents[2]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_is_the_same_everywhere():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    newest = headings[headings[0] == "Unreleased"]
    assert spcabench.__version__ == CITATION["version"] == newest


def test_the_citation_is_complete():
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["authors"] == PROJECT["authors"] == [{"name": "The spcabench developers"}]
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["title"].startswith(f"{PROJECT['name']}: ")
    assert CITATION["message"]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "suites/README.md", "reports/README.md"])
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


NAMED = re.findall(
    r"`((?:spcabench|plugins|tests|tools|reports|suites|\.ci)/[\w./]+)`",
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
)


def test_what_contributing_names_exists():
    assert [name for name in NAMED if not list(ROOT.glob(re.sub("NAME|FAMILY", "*", name)))] == []
