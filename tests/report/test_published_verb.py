"""Suites with published numbers: one command runs what has published numbers."""

import pytest

from spcabench.store.folder import RunFolder

WITHOUT = """\
datasets: [pitprops]
methods: [pca]
n_components: 1
n_nonzero: [4]
metrics: [cpev]
"""
WITH = """\
published:
  - {source: A paper, rows: [{method: pca, metrics: {cpev: 0.3246}}]}
"""
SAID = """\
claims:
  - {name: much, says: PCA explains much., place: A paper, holds: "mean('cpev', 'pca') > 0.3"}
"""


@pytest.fixture
def suites(place, monkeypatch):
    """Three suites are known, one with a published number and one with a claim."""
    files = {}
    for name, more in (("plain", ""), ("paper", WITH), ("said", SAID)):
        files[name] = place / f"{name}.yaml"
        files[name].write_text(f"name: {name}\n{WITHOUT}{more}")
    monkeypatch.setattr("spcabench.suite.yaml_source.suite_files", lambda: files)


def test_without_a_run_the_suites_with_published_numbers_are_run_and_resumed(suites, place, command):
    code, out, err = command("run", "published", "-o", place / "made")
    assert code == 0, err
    assert str(place / "made" / "published.md") in out
    text = (place / "made" / "published.md").read_text()
    assert "1 numbers of 1 suites, at the default scale; 1 can fail." in text
    assert "## paper: A paper" in text
    assert "## said: claims" in text, "a suite with claims alone has its place on the page"
    assert not (place / "made" / "plain").exists()
    before = list(RunFolder(place / "made" / "paper").records())
    assert command("run", "published", "-o", place / "made")[0] == 0
    assert list(RunFolder(place / "made" / "paper").records()) == before
    assert len(before) == 1


@pytest.mark.parametrize("options", [("--quick",), ("--only", "pca")])
def test_options_of_one_suite_are_refused(suites, command, options):
    code, _, err = command("run", "published", *options)
    assert code == 2
    assert "published are whole suites" in err
