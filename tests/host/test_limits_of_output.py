"""What is printed is printable and bounded, whoever wrote it."""

import errno
import os
import re
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import click
import pytest

import spcabench
from spcabench.cli import MOST_FAULTS, run_command
from spcabench.report.export import harmless
from spcabench.wording import encoded, printable

CLI = Path(spcabench.__file__).parent / "cli"


def test_a_range_of_faults_is_counted_in_little_time(command, suite_file):
    suite = suite_file(n_nonzero={"from": -9998, "to": 0}, scales={"quick": {"seeds": 1}})
    before = time.process_time()
    code, _, err = command("plan", suite, "--check")
    assert code == 2
    assert time.process_time() - before < 2.0
    assert len(err.splitlines()) == MOST_FAULTS + 1
    assert re.fullmatch(r"error: and \d+ more; .*", err.splitlines()[-1])


def test_text_is_made_printable():
    assert printable("a\tb\nc ± é 😀 \xa0") == "a\tb\nc ± é 😀 \xa0"
    assert printable("\x1b[31m\x9b1m\r\x00\udce9\u202e") == r"\x1b[31m\x9b1m\x0d\x00\udce9\u202e"
    assert encoded("é\udce9") == b"\xc3\xa9\\udce9"


def test_text_that_is_a_formula_is_made_harmless():
    assert [harmless(text) for text in ("=1", "+1", "-1", "@a", "a=1")] == ["'=1", "'+1", "'-1", "'@a", "a=1"]


def test_verbs_print_through_one_function():
    """`show`, `warn` and `say` make text printable; click's own echo does not."""
    verbs = [file for file in CLI.glob("*.py") if file.name != "terminal.py"]
    assert verbs
    assert not [
        file.name for file in verbs if re.search(r"click\.echo\(|(?<!\.)\bprint\(", file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "there is too little memory"),
        (OSError(errno.EMFILE, "Too many open files", "some.file"), "some.file: too many files are open"),
        (OSError(errno.ENOSPC, "No space left on device"), "no space is left"),
    ],
)
def test_what_the_machine_refuses_is_one_sentence(capsys, error, said):
    @click.command
    def verb():
        try:
            raise error
        except (OSError, MemoryError) as reason:
            raise ValueError("a figure could not be drawn") from reason

    sys.argv[1:], before = [], sys.argv[1:]
    try:
        with pytest.raises(SystemExit) as ended:
            run_command(verb, "")
    finally:
        sys.argv[1:] = before
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")


@pytest.mark.nightly
def test_a_verb_whose_output_has_no_place_or_that_may_open_few_files_says_so():
    """A disk that is full is that of `tests/run/test_disk.py`."""
    verbs = {("check", "pca"): ((7, 7), None), ("list",): (None, "/dev/full")}
    for verb, (descriptors, output) in verbs.items():
        with open(output or os.devnull, "wb") as out:
            done = subprocess.run(
                [sys.executable, "-m", "spcabench", *verb],
                preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, descriptors) if descriptors else None,
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
            )
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith("error: ")
        assert "Traceback" not in done.stderr
