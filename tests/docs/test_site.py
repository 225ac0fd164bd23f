"""The site: it builds without a warning, loads nothing from elsewhere, and shows itself without errors."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from accessible import errors, faults_of, shown_at

import spcabench

pytest.importorskip("sphinx_gallery", reason="the extra docs is not installed: the site was not built")

pytestmark = pytest.mark.weekly

ROOT = Path(__file__).parents[2]
PAGES = (
    *("index", "trying", "guide", "variance", "large", "coming_from", "report", "benchmark", "numbers", "made/which"),
    *("made/choosing", "made/suites", "made/published", "made/methods/index", "made/methods/rspca"),
    *("made/examples/index", "made/examples/plot_digits", "made/api/index", "made/api/spcabench_methods.TPower"),
    "_modules/spcabench_methods/power/tpower",
)
WIDTHS = (390, 1280, 1920)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site from a copy of the pages, warnings as errors."""
    root = tmp_path_factory.mktemp("site")
    leave = shutil.ignore_patterns("_build", "made", "__pycache__")
    shutil.copytree(ROOT / "docs", root / "docs", ignore=leave)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "reports", "suites", "plugins", "spcabench"):
        (root / name).symlink_to(ROOT / name)
    for name in ("tests", "tools", ".github", "LICENSE", "CITATION.cff"):
        (root / name).symlink_to(ROOT / name)
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "html"]
    done = subprocess.run(build, cwd=root, capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return root / "html"


def test_at_least_fifteen_examples_ran(site):
    shown = [
        page for page in (site / "made" / "examples").glob("plot_*.html") if "sphx-glr-single-img" in page.read_text()
    ]
    assert len(shown) >= 15


def test_each_method_has_its_page(site):
    from spcabench.plugins import load_registry

    names = {
        name for name, origin in load_registry().methods.origins.items() if origin.startswith("spcabench_methods.")
    }
    assert names == {page.stem for page in (site / "made" / "methods").glob("*.html")} - {"index"}


def test_pages_name_the_version_and_those_of_classes_and_methods_lead_to_code(site):
    pages = {page.stem: page.read_text() for page in (site / "made" / "api").glob("*.html")}
    pages |= {name: (site / "made" / "methods" / f"{name}.html").read_text() for name in ("tpower", "rspca")}
    assert {name for name, text in pages.items() if 'href="../../_modules/' not in text} == {"index"}
    assert all(f"spcabench {spcabench.__version__}</title>" in text for text in pages.values())


def test_nothing_is_loaded_from_elsewhere(site):
    loading = r'<(?:script|img|iframe|source)[^>]+src="(https?:[^"]+)|<link[^>]+href="(https?:[^"]+)'
    found = {page.name: hit for page in site.rglob("*.html") for hit in re.findall(loading, page.read_text())}
    assert found == {}
    sheets = {
        sheet.name: hit
        for sheet in site.rglob("*.css")
        for hit in re.findall(r"""(?:url\(|@import\s)["']?(https?:[^"')]+)""", sheet.read_text(errors="ignore"))
    }
    assert sheets == {}


def test_links_within_the_site_lead_somewhere(site):
    dead = set()
    for page in site.rglob("*.html"):
        for link in re.findall(r'<a [^>]*href="([^"#?]+)', page.read_text()):
            if not re.match(r"[a-z]+:", link) and not (page.parent / link).resolve().exists():
                dead.add((page.name, link))
    assert dead == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_has_no_errors(site, browser, page, scheme):
    for width in WIDTHS:
        shown_at(browser, site / f"{page}.html", width, scheme)
        across = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        wide, room = browser.execute_script(across)
        assert wide <= room <= width
        assert browser.execute_script("return document.documentElement.dataset.theme") == scheme
        assert errors(browser) == []
        if width == WIDTHS[-1]:
            assert faults_of(browser) == []
