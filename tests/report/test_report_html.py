"""The HTML report as text: complete, self-contained, and nothing in it that plugins could make run."""

import json
import math
import re
from html.parser import HTMLParser

import pytest

from spcabench.report.build import document
from spcabench.report.document import Entry
from spcabench.report.figures.views import SHOWN
from spcabench.report.render.html import html_page, sort_number, vega
from spcabench.store.frame import Level

NASTY = "<script>alert('x')</script>\"'&`</style> Ω→ </textarea>"


class Reader(HTMLParser):
    """Collects the tags, the text, and what is fetched."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.fetched, self.ids, self.links = [], [], [], [], []
        self.inside = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.tags.append((tag, known))
        self.inside.append(tag)
        self.ids += [known["id"]] if "id" in known else []
        self.fetched += [known[name] for name in ("src", "data", "srcset") if name in known]
        self.fetched += [known["href"]] if tag == "link" else []
        self.links += [known["href"]] if tag == "a" else []

    def handle_data(self, data):
        if self.inside[-1:] not in (["script"], ["style"]):
            self.texts.append(data)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def specs(page):
    found = re.findall(r'<script type="application/json" data-spec="(\w+)">(.*?)</script>', page, re.DOTALL)
    return {name: json.loads(text) for name, text in found}


@pytest.fixture(scope="module")
def page(full_built):
    return (full_built.folder.path / "report.html").read_text()


@pytest.fixture(scope="module")
def read(page):
    return Reader(page)


def test_nothing_is_fetched(read, page):
    assert all(address.startswith("data:") for address in read.fetched)
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']?https?:", page)
    assert "@import" not in page
    assert len(page) < 8_000_000


def test_links_lead_somewhere_and_ids_are_unique(read, full_built):
    assert len(read.ids) == len(set(read.ids))
    for link in read.links:
        if link.startswith("#"):
            assert link[1:] in read.ids
        else:
            assert (full_built.folder.path / link).is_file(), link


def test_all_is_told_and_a_stand_in_is_loud_and_first(read):
    for text in ("12 cells: 11 ok, 1 timeout.", "Somebody 2020, Table 1", "600 s | over", "made up", "0.6000 ± 0.0141"):
        assert text in read.text, text
    for text in ("some | chip", "spcabench run demo", "tr(Q'CQ)/tr(C)"):
        assert text in read.text, text
    warning = read.text.index("Stand-in data. These are not the results")
    assert warning < read.text.index("The best mean at equal sparsity")
    assert "faces [stand-in: digits]" in read.text[warning:]
    assert any(tag == "section" and known.get("role") == "alert" for tag, known in read.tags)


def test_every_chart_listens_to_the_reader(page):
    found = specs(page)
    assert found.keys() == {"metric_bars", "err_curve", "pareto", "loadings", "reconstructions", "loading_bars"}
    for name, spec in found.items():
        assert spec["params"][0] == {"name": "hidden", "value": []}, name
        assert json.dumps({"filter": SHOWN}) in json.dumps(spec), name
        assert "tooltip" in json.dumps(spec), name
        assert spec["background"] == "transparent"
    assert "data:image/png;base64," in json.dumps(found["loadings"])


def test_what_plugins_name_is_text(make):
    cells = [
        make.cell(NASTY, cpev=0.9, key="a", dataset=NASTY, stand_in=True),
        make.cell("b", cpev=0.8, key="b", dataset=NASTY),
        make.cell("c", dataset=NASTY, status="error", reason=NASTY),
    ]
    make.draw(notes=NASTY, feature_names=[NASTY] * 6, facts=[NASTY])
    make.loadings("a")
    make.folder.keep_suite(f"title: {NASTY}\n")
    page = html_page(document(make(cells, title=NASTY, description=NASTY, source=NASTY)))
    read = Reader(page)
    shell = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "<script>alert" not in page
    assert "</textarea>" not in page
    assert shell.count("</style>") == 1
    assert not re.search(r"data-method=\"[^\"]*<", page)
    assert read.text.count(" ".join(NASTY.split())) > 8
    labels = [known["data-chip"] for _, known in read.tags if "data-chip" in known]
    assert NASTY in labels
    assert {tag for tag, _ in read.tags} <= ALLOWED
    assert all(not name.startswith("on") for _, known in read.tags for name in known)
    assert NASTY in json.dumps(specs(page)["metric_bars"], ensure_ascii=False).replace('\\"', '"')


ALLOWED = {
    *("html", "head", "meta", "link", "title", "style", "script", "noscript", "body", "aside", "main", "header"),
    *("section", "nav", "details", "summary", "h1", "h2", "h3", "p", "div", "span", "b", "i", "a", "pre", "output"),
    *("ol", "ul", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption"),
    *("input", "button", "label", "small", "wbr"),
}


@pytest.mark.parametrize(
    ("entry", "number"),
    [
        (Entry(905.1, 2.3), 905.1),
        (Entry(-1.5e-6, unit="s"), -1.5e-6),
        (Entry(Level(5), note="got 3.2"), 5),
        (Entry(2, planned=3), 2),
        (Entry(math.nan), None),
        (Entry("2nd method"), None),
        (Entry(True), None),
        (Entry(Level((7, 2))), None),
        (Entry(math.inf), None),
    ],
)
def test_entries_sort_by_their_value(entry, number):
    assert sort_number(entry) == number


def test_the_script_is_made_once(tmp_path, monkeypatch):
    made = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda text: made.append(1) or "a </script>")
    whole = vega.__wrapped__()
    assert whole == "a <\\/script>"
    assert (vega.__wrapped__(), len(made)) == (whole, 1)
