"""The verb cite, and the entries that it prints."""

import re

import pytest

from spcabench.report.bibliography import cited, entries, field_of, is_of, known_entries, sources_of
from spcabench.specs import MethodSpec

PAPER = """\
@article{one2001,
  author = {Øne, A. and Two, B.},
  title = {A {PCA} of ours},
  pages = {10--20},
  year = {2001},
}"""
BUILT_IN = "spcabench_methods."


def key_of(entry):
    return entry.partition("{")[2].partition(",")[0]


@pytest.fixture(scope="module")
def known(registry):
    return known_entries(registry.methods.specs.values())


def spec(reference, name="own"):
    return MethodSpec(name=name, estimator="own:Own", title="Our own", reference=reference)


def test_each_source_of_the_built_in_methods_is_one_entry(registry, known):
    own = [s for s in registry.methods.specs.values() if registry.methods.origins[s.name].startswith(BUILT_IN)]
    assert len(own) > 80
    strange = {
        (s.name, source): keys
        for s in own
        for source in sources_of(s)
        if len(keys := [key_of(entry) for entry in known if is_of(entry, source)]) != 1
    }
    assert strange == {}, "write its entry into plugins/spcabench_methods/references.bib"


def test_each_entry_is_of_some_method_and_has_what_bibtex_needs(registry, known):
    assert set(known) == set(cited(registry.methods.specs.values(), known))
    assert len(set(map(key_of, known))) == len(known)
    for entry in known:
        assert all(field_of(entry, name) for name in ("author", "title", "year")), key_of(entry)
        assert entry.count("{") == entry.count("}")


@pytest.mark.parametrize(
    ("source", "belongs"),
    [
        ("Øne and Two, Journal 3, 2001, 10-20", True),
        ("Øne and Two, Journal 3, 2001, 30-40", False),
        ("Øne and Two, Journal 3, 2002, 10-20", False),
        ("Øneson, Journal 3, 2001, 10-20", False),
    ],
)
def test_an_entry_is_known_by_author_year_and_page(source, belongs):
    (entry,) = entries(f"% comment\n{PAPER}\n")
    assert entry == PAPER
    assert field_of(entry, "title") == "A PCA of ours"
    assert is_of(entry, source) is belongs


def test_sources_without_an_entry_become_one_with_the_words_of_the_method():
    method = spec("Øne and Two, 2001; Nobody, 1999; Else, 1998")
    paper, own = cited([method], entries(PAPER))
    assert key_of(paper) == "one2001"
    assert key_of(own) == "own"
    assert [field_of(own, name) for name in ("note", "title")] == ["Nobody, 1999; Else, 1998", "Our own"]


def test_an_entry_of_several_methods_stands_once():
    found = cited([spec("Øne, 2001", "a"), spec("Øne, 2001", "b")], entries(PAPER))
    assert list(found.values()) == [["a", "b"]]


@pytest.mark.nightly
def test_it_prints_the_entries_of_a_run(command, suite_file):
    file = suite_file(methods=["tpower", "rsvd_l0", "rspca"])
    assert command("run", file, "-o", "out", "--no-isolation")[0] == 0
    code, out, err = command("cite", "out")
    assert (code, err) == (0, "")
    keys = re.findall(r"^@\w+\{(\w+),", out, re.MULTILINE)
    assert keys == ["spcabench", "yuan2013truncated", "shen2008sparse", "donoho1994ideal"], "rspca needs samples"
    assert "% tpower\n@article{yuan2013truncated," in out
    assert list(map(key_of, entries(out))) == keys
