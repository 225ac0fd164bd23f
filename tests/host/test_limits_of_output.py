"""What is printed is printable and bounded, whoever wrote it."""

import re
import time
from pathlib import Path

import spcabench
from spcabench.cli import MOST_FAULTS
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
