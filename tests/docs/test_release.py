"""What a release says of itself: versions, addresses, the recipe for conda and the paper agree with the project."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
import versions
import yaml
from address import addressed
from packaging.requirements import Requirement

import spcabench

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "tools" / "recipe" / "recipe.yaml"


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_every_file_names_the_version_and_the_citation_is_complete():
    recipe = yaml.safe_load(RECIPE.read_text())
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    newest = headings[headings[0] == "Unreleased"]
    assert {recipe["context"]["version"], citation["version"], newest} == {spcabench.__version__}
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == project()["authors"] == [{"name": "The spcabench developers"}]
    assert citation["license"] == recipe["about"]["license"] == project()["license"]
    assert citation["title"].startswith(f"{project()['name']}: ")
    assert citation["message"]


def test_each_site_lists_the_versions_beside_it(tmp_path):
    for name in ("0.9.0", "0.10.0rc1", "0.10.0"):
        (tmp_path / name / "_static").mkdir(parents=True)
        shutil.copy(ROOT / "docs" / "_static" / "versions.js", tmp_path / name / "_static")
    assert versions.listed(tmp_path) == versions.listed(tmp_path) == ["0.10.0", "0.10.0rc1", "0.9.0"]
    first, *rest = (tmp_path / "0.9.0" / "_static" / "versions.js").read_text().splitlines()
    assert first == 'const versions = ["0.10.0", "0.10.0rc1", "0.9.0"];'
    assert rest == (ROOT / "docs" / "_static" / "versions.js").read_text().splitlines()[1:]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "suites/README.md", "reports/README.md"])
def test_links_lead_somewhere_and_what_is_named_exists(page):
    text = (ROOT / page).read_text()
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    assert links
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []
    if page == "CONTRIBUTING.md":
        named = re.findall(r"`((?:spcabench|plugins|tests|tools|reports|suites|\.ci)/[\w./]+)`", text)
        assert [name for name in named if not list(ROOT.glob(re.sub("NAME|FAMILY", "*", name)))] == []


def test_the_library_says_of_itself_what_the_whole_says():
    library = tomllib.loads((ROOT / "plugins" / "spcabench_methods" / "pyproject.toml").read_text())["project"]
    for name in ("authors", "classifiers", "license", "requires-python"):
        assert library[name] == project()[name], name
    assert set(library["keywords"]) <= set(project()["keywords"])


def test_the_recipe_needs_what_the_project_needs():
    recipe = yaml.safe_load(RECIPE.read_text())
    run = [Requirement(line) for line in recipe["requirements"]["run"]]
    python = Requirement(f"python {project()['requires-python']}")
    assert run == [python, *map(Requirement, project()["dependencies"])]
    programs = [f"{name} = {target}" for name, target in project()["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == programs


def test_a_release_has_its_address_everywhere(tmp_path):
    library = tmp_path / "plugins" / "spcabench_methods" / "pyproject.toml"
    library.parent.mkdir(parents=True)
    shutil.copy(ROOT / library.relative_to(tmp_path), library)
    for name in ("README.md", "pyproject.toml", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    addressed(tmp_path, "https://example.org/a/b", "v1")
    text = (tmp_path / "README.md").read_text()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    assert all(link.startswith("https://") for link in links)
    assert "![" in text.partition("https://example.org/a/b/raw/v1/reports/gallery/")[0]
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Changelog"] == "https://example.org/a/b/blob/v1/CHANGELOG.md"
    assert tomllib.loads(library.read_text())["project"]["urls"] == urls
    assert yaml.safe_load((tmp_path / "CITATION.cff").read_text())["repository-code"] == urls["Source"]


def test_the_paper_cites_what_it_lists():
    paper = (ROOT / "docs" / "paper" / "paper.md").read_text()
    body = paper.split("---\n", 2)[2]
    assert 750 < len(body.split()) < 1250
    cited = set(re.findall(r"@(\w+)", body))
    assert cited == set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs" / "paper" / "paper.bib").read_text(), re.MULTILINE))
    for heading in ("Summary", "Statement of need", "State of the field", "How this was written"):
        assert f"\n# {heading}\n" in body
