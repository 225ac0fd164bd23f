"""The HTML report in a real browser: no errors, charts drawn, tables sorted and filtered, no sideways scrolling."""

import re

import pytest
from accessible import errors, faults_of, shown_at
from path_runs import path_run, staircase

from spcabench.report.build import build

selenium = pytest.importorskip("selenium", reason="selenium is not installed: the page was not tried in a browser")

from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

pytestmark = pytest.mark.nightly

NASTY = "<img src=x onerror=document.title='broken'>"

WIDTHS = (390, 1280)


def look(browser, folder, width=1280, scheme="light"):
    """Open a run's report as a reader would, and wait until its charts are drawn."""
    shown_at(browser, folder / "report.html", width, scheme)
    WebDriverWait(browser, 20, 0.05).until(lambda b: b.execute_script("return document.readyState") == "complete")
    WebDriverWait(browser, 20, 0.05).until(lambda b: not css(b, "[data-chart]:not([data-drawn])"))


def css(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def column(browser, heading, table="#results"):
    """Return the texts of a column, top to bottom, of the rows that are shown."""
    script = """
        const table = document.querySelector(arguments[0] + " table");
        const place = [...table.querySelectorAll("th")].findIndex((th) => th.innerText.startsWith(arguments[1]));
        return [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[place].innerText);
    """
    return browser.execute_script(script, table, heading)


def heading(browser, text, table="#results"):
    return next(th for th in css(browser, f"{table} th") if th.text.startswith(text))


def point_at(browser, mark):
    """Point at a mark, and return what the tooltip says."""
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
    webdriver.ActionChains(browser).move_to_element(mark).perform()
    WebDriverWait(browser, 5, 0.05).until(lambda b: css(b, "#vg-tooltip-element.visible"))
    return css(browser, "#vg-tooltip-element")[0].text


@pytest.fixture
def open_full(browser, full_built):
    look(browser, full_built.folder.path)
    return browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_and_is_drawn_without_errors(browser, full_built, width, scheme):
    look(browser, full_built.folder.path, width, scheme)
    assert errors(browser) == []
    across = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    wide, room = browser.execute_script(across)
    assert wide <= room <= width
    charts = css(browser, "[data-chart]")
    assert len(charts) == 6
    for chart in charts:
        assert len(chart.find_elements(By.CSS_SELECTOR, "svg path, svg image")) > 3
        assert chart.size["height"] > 100
    assert all(box.size["width"] <= width for box in css(browser, ".scroll"))


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_is_accessible_in_both_schemes(browser, full_built, scheme, dark):
    look(browser, full_built.folder.path, 1280, scheme)
    assert faults_of(browser) == []
    paper, turned = browser.execute_script(
        "return [getComputedStyle(document.body).backgroundColor, "
        "getComputedStyle(document.querySelector('.chart svg')).filter];"
    )
    assert (int(re.search(r"\d+", paper)[0]) < 80) == dark
    assert (turned != "none") == dark


def test_a_click_on_a_heading_sorts_by_number(open_full):
    original = column(open_full, "cpev")
    button = heading(open_full, "cpev").find_element(By.TAG_NAME, "button")
    button.click()
    assert heading(open_full, "cpev").get_attribute("aria-sort") == "ascending"
    rising = column(open_full, "cpev")
    assert [text.split()[0] for text in rising] == sorted(text.split()[0] for text in original)
    button.click()
    assert column(open_full, "cpev") != rising
    button.click()
    assert column(open_full, "cpev") == original


def labels(browser, chart):
    return {text.text for text in css(browser, f'[data-chart="{chart}"] svg text')}


def test_choosing_a_method_narrows_tables_and_charts(open_full):
    assert {"pca", "gpower_l0", "gpower_l1"} <= labels(open_full, "pareto")
    css(open_full, '[data-chip="gpower_l0"]')[0].click()
    assert set(column(open_full, "method")) == {"gpower_l0"}
    WebDriverWait(open_full, 5, 0.05).until(lambda b: "pca" not in labels(b, "pareto"))
    assert "gpower_l0" in labels(open_full, "pareto")
    assert {"original", "as used"} <= labels(open_full, "reconstructions")
    css(open_full, "#all-methods")[0].click()
    assert len(column(open_full, "method")) == 6
    css(open_full, "#method-filter")[0].send_keys("pca")
    assert set(column(open_full, "method")) == {"pca"}
    assert [chip.is_displayed() for chip in css(open_full, "[data-chip]")] == [True, False, False]
    assert errors(open_full) == []


def test_a_click_on_a_name_in_a_chart_chooses_it(open_full):
    (name,) = [text for text in css(open_full, '[data-chart="pareto"] svg text') if text.text == "gpower_l1"][:1]
    open_full.execute_script("arguments[0].scrollIntoView({block: 'center'})", name)
    name.click()
    assert set(column(open_full, "method")) == {"gpower_l1"}


@pytest.mark.parametrize("width", WIDTHS)
def test_a_solution_path_is_drawn_without_errors(browser, make, width):
    build(path_run(make, staircase(13), staircase(13), d=13))
    look(browser, make.folder.path, width)
    assert {"v0", "v9", "component 2"} <= labels(browser, "solution_path")
    assert "l1 norm: 1 to 1" in labels(browser, "path_curves")
    assert errors(browser) == []


def test_what_plugins_name_is_shown_and_never_run(browser, make):
    cells = [make.cell(NASTY, cpev=0.9), make.cell("b", cpev=0.8), make.cell("c", status="error", reason=NASTY)]
    build(make(cells, title="Nasty", report={"figures": ["metric_bars"]}))
    look(browser, make.folder.path)
    chip = css(browser, "[data-chip]")[0]
    assert chip.text == NASTY
    chip.click()
    assert column(browser, "method") == [NASTY]
    assert NASTY in point_at(browser, css(browser, '[data-chart="metric_bars"] svg .mark-symbol path')[0])
    assert browser.title == "Nasty"
    assert errors(browser) == []
