"""suites/README.md and the gallery have each suite, and what they say of sizes is so."""

import re
from pathlib import Path

import pytest
from gallery import LIST, OF_SEVERAL, content
from shipped import shipped
from snapshots import read

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "suites" / "README.md").read_text(encoding="utf-8")
GALLERY = (ROOT / "reports" / "gallery" / "README.md").read_text(encoding="utf-8")
SUITES = sorted(file.stem for file in (ROOT / "suites").glob("*.yaml"))


def fits(suite, scale="default", load=shipped):
    return sum(not cell.skip for cell in load(suite, scale).plan.cells)


def test_the_page_lists_the_suites():
    assert sorted(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == SUITES


@pytest.mark.parametrize("suite", SUITES)
def test_the_gallery_shows_the_suite_under_its_title(suite):
    title = shipped(suite).suite.title
    section = next(part for part in GALLERY.split("\n## ") if part.startswith(f"{suite}\n"))
    assert f"\n{title}." in section
    assert f"![{title}]({suite}.png)" in section
    assert (ROOT / "reports" / "gallery" / f"{suite}.png").is_file()
    assert f"`spcabench run {suite}" in section


PICTURES = {row["suite"]: row["content"] for row in read(LIST).rows}


def test_each_picture_has_its_suite_in_the_list():
    assert sorted(PICTURES) == sorted([*SUITES, *OF_SEVERAL])


@pytest.mark.parametrize("suite", PICTURES)
def test_no_suite_is_newer_than_its_picture(suite):
    assert content(suite) == PICTURES[suite], f"run {suite}, then python tools/gallery.py {suite}=FIGURE.png"


def test_default_forms_are_as_much_longer_as_the_page_says():
    sentence = " ".join(PAGE.split()).partition("By default ")[2].partition(". ")[0]
    thrice, _, more = sentence.partition("times as many cells as with `--quick`")
    ten, _, more = more.partition("ten times as many")
    assert "have 6 and 11 times as many, and `--scale starts` runs" in more
    assert fits("mnist_classification") == 10 * fits("mnist_classification", "quick")
    assert "mnist_classification" in ten
    for suite in re.findall(r"`(\w+)`", thrice):
        assert fits(suite) == 3 * fits(suite, "quick")
    for suite, times in (("toy_outlier", 6), ("hastie_noise", 11), ("hastie_outlier", 11)):
        assert suite in more
        assert round(fits(suite) / fits(suite, "quick")) == times


@pytest.mark.nightly
@pytest.mark.parametrize(("suite", "number"), [("hastie_noise", 84_000), ("hastie_outlier", 126_000)])
def test_full_forms_have_as_many_fits_as_the_page_says(suite, number):
    assert str(number) in PAGE
    assert fits(suite, "full", load=shipped.__wrapped__) == number, "not kept: so many cells take much memory"
