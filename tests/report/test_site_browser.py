"""The leaderboard site in a real browser: no errors, no sideways scrolling, tables sorted by the keyboard."""

import pytest
from accessible import errors, faults_of, shown_at
from boards import board_run, track
from test_report_browser import WIDTHS, column, css, heading

pytest.importorskip("selenium")

from selenium.webdriver.common.keys import Keys

from spcabench.site.build import site, write

pytestmark = pytest.mark.nightly

BOARD = "main > section:nth-of-type(2)"


def test_pages_fit_and_the_leaderboard_is_sorted_by_the_keyboard(browser, make):
    tracks = [track(name) for name in ("span", "adjusted", "recovery", "prediction")]  # the answers have a filter, too
    results = board_run(make, {"dense": 0.9, "low": 0.2, "mid": 0.6, "top": 0.8, "last": 0.1}, tracks=tracks)
    made = site([results], {})
    folder = write(made, make.folder.path.parent / "site", "Made.").parent
    for width in (*WIDTHS, 1920):
        for scheme in ("light", "dark"):
            for page in ("index.html", "questions/span.html", "methods/mid.html", "datasets/a.html"):
                shown_at(browser, folder / page, width, scheme)
                assert browser.execute_script("return document.documentElement.scrollWidth") <= width, (page, width)
                assert errors(browser) == []
                if width == WIDTHS[-1]:
                    assert faults_of(browser) == [], page
    front = (folder / "index.html").resolve().as_uri()
    browser.get(front)
    assert column(browser, "method", BOARD) == ["top", "mid", "low", "last"]
    for order in ("ascending", "descending"):
        heading(browser, "span", BOARD).find_element("tag name", "button").send_keys(Keys.ENTER)
        assert heading(browser, "span", BOARD).get_attribute("aria-sort") == order
    (field,) = css(browser, f"{BOARD} [data-filter]")
    field.send_keys("mid")
    assert column(browser, "method", BOARD) == ["mid"]
    assert browser.current_url == f"{front}?q=mid"
    browser.get(f"{front}?q=top#row-top")
    assert column(browser, "method", BOARD) == ["top"]
    assert css(browser, "tr#row-top")
