"""Completion in shells."""

import shutil
import sys
from pathlib import Path

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


def test_the_program_completes(process):
    program = shutil.which("spcabench", path=Path(sys.executable).parent)
    words = {"COMP_WORDS": "spcabench ru", "COMP_CWORD": "1", "_SPCABENCH_COMPLETE": "bash_complete"}
    ended = process(program, python=True, **words)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "plain,run\n", "")
    source = process(program, python=True, _SPCABENCH_COMPLETE="zsh_source")
    assert (source.returncode, "zsh_complete" in source.stdout) == (0, True)
