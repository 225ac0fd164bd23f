"""Suites with published numbers: one command runs what has published numbers, and one page has one scale."""

import click
import pytest
from click.testing import CliRunner

from spcabench.cli import spcabench
from spcabench.store.folder import RunFolder
from spcabench.wording import InputError

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
scales:
  quick: {seeds: 1}
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


def test_a_page_does_not_mix_scales(suites, tmp_path):
    call("run", "paper", "--no-isolation")
    assert ", at the default scale; " in call("report", "published", "paper")
    call("run", "paper", "--quick", "--no-isolation")
    with pytest.raises(InputError, match="the run is at quick scale; one page has one scale"):
        call("report", "published", "paper", "paper-quick")
    assert RunFolder(tmp_path / "reports" / "paper").about().scale == "default"


def test_the_page_of_all_runs_is_made_again_from_their_records(suites, tmp_path):
    call("run", "published", "--no-isolation")
    assert call("report", "published") == (tmp_path / "reports" / "published.md").read_text()


@pytest.mark.parametrize("options", [("run", "--quick"), ("run", "--only", "pca"), ("report", "--rescore")])
def test_options_of_one_suite_are_refused(suites, options):
    verb, *others = options
    with pytest.raises(click.UsageError, match=r"published (are whole suites|takes no)"):
        call(verb, "published", *others)
