"""Suites with published numbers: one command runs what has published numbers."""

import click
import pytest
from click.testing import CliRunner

from spcabench.cli import spcabench
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


def call(*args):
    ended = CliRunner().invoke(spcabench, args, standalone_mode=False)
    if ended.exception:
        raise ended.exception
    return ended.stdout


@pytest.fixture
def suites(tmp_path, monkeypatch):
    """Three suites are known, one with a published number and one with a claim."""
    files = {}
    for name, more in (("plain", ""), ("paper", WITH), ("said", SAID)):
        files[name] = tmp_path / f"{name}.yaml"
        files[name].write_text(f"name: {name}\n{WITHOUT}{more}")
    monkeypatch.setattr("spcabench.suite.yaml_source.suite_files", lambda: files)
    monkeypatch.chdir(tmp_path)


def test_without_a_run_the_suites_with_published_numbers_are_run_and_resumed(suites, tmp_path):
    assert str(tmp_path / "made" / "published.md") in call("run", "published", "-o", str(tmp_path / "made"))
    text = (tmp_path / "made" / "published.md").read_text()
    assert "1 numbers of 1 suites, at the default scale; 1 can fail." in text
    assert "## paper: A paper" in text
    assert "## said: claims" in text, "a suite with claims alone has its place on the page"
    assert not (tmp_path / "made" / "plain").exists()
    before = list(RunFolder(tmp_path / "made" / "paper").records())
    call("run", "published", "-o", str(tmp_path / "made"))
    assert list(RunFolder(tmp_path / "made" / "paper").records()) == before
    assert len(before) == 1


@pytest.mark.parametrize("options", [("--quick",), ("--only", "pca")])
def test_options_of_one_suite_are_refused(suites, options):
    with pytest.raises(click.UsageError, match="published are whole suites"):
        call("run", "published", *options)
