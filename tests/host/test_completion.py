"""Completion in shells."""

import pytest
from click.shell_completion import BashComplete

from spcabench.cli import spcabench


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("spcabench ru", {"run"}),
        ("spcabench run mnist_o", {"mnist_outlier"}),
        ("spcabench plan smoke pit", {"pitprops"}),
        ("spcabench info tpo", {"tpower"}),
        ("spcabench list me", {"methods", "metrics"}),
        ("spcabench run --ret", {"--retry"}),
    ],
)
def test_completion(line, completed, monkeypatch, place):
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    shell = BashComplete(spcabench, {}, "spcabench", "_SPCABENCH_COMPLETE")
    assert {entry.partition(",")[2] for entry in shell.complete().split()} == completed
