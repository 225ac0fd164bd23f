"""The rules of accessibility: each sees its fault, and the page of a try breaks none."""

from urllib.parse import quote

import pytest
from accessible import faults_of, shown_at
from sklearn.datasets import load_wine

pytest.importorskip("selenium", reason="selenium is not installed: pages were not tried in a browser")

pytestmark = pytest.mark.nightly

FAULTY = """<html><body style="background:#fff;outline:none"><h2>one</h2><h4 id="a">two</h4>
<p id="a" style="color:#999">x</p><img src="data:,"><table><tr><td>1</td></tr></table><input>
<span role="button">y</span>
<a href="#a" style="outline:none">z</a></body></html>"""


def test_each_rule_sees_its_fault(browser):
    browser.get(f"data:text/html,{quote(FAULTY)}")
    found = {fault.partition(": ")[0] for fault in faults_of(browser)}
    assert found == {
        "no language", "not one first heading", "a heading skips a level", "a picture without text",
        "a table without headers", "a control without a name", "an id twice", "what is clicked takes no focus",
        "low contrast", "printed, low contrast", "the focus is not seen",
    }  # fmt: skip


def test_the_page_of_a_try(browser, command, place):
    load_wine(as_frame=True).data.to_csv("wine.csv", index=False)
    assert command("try", "wine.csv")[0] == 0
    for scheme in ("light", "dark"):
        shown_at(browser, place / "reports" / "try-wine" / "report.html", scheme=scheme)
        assert faults_of(browser) == [], scheme
