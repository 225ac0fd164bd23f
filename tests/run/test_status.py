"""What `spcabench status` tells of a run in another terminal, of one that was killed, and of one that is done."""

import json
import re
import signal
from pathlib import Path

import pytest
from after_runs import records, rows, until

from spcabench.store.folder import RunFolder
from spcabench.wording import roughly


@pytest.mark.nightly
def test_a_running_and_a_killed_run(cli, verb, suite_file, place):
    quick = {"name": "axes", "params": {"pause": [0.01, 0.02]}}
    slow = {"name": "warns", "params": {"pause": 30.0}, "label": "slow"}
    suite = suite_file(methods=[quick, slow], seeds=2)
    host = cli("run", suite, "-o", "out", "--only", "*")
    until(lambda: "slow" in str(rows(place / "out", "SELECT value FROM run WHERE name = 'state'")), host)
    running = verb("status", "out")[1]
    assert re.search(rf"out: running \(process {host.pid} on .*, since ", running)
    assert re.search(r"2 of 6 fits done, .* left$", running, re.MULTILINE)
    assert re.search(r"under way for \d+ s: slow on spiked, 1 nonzeros, seed 0$", running, re.MULTILINE)
    host.send_signal(signal.SIGKILL)
    host.communicate()
    dead = verb("status", "out")[1]
    assert "out: nobody runs it" in dead
    assert "it was killed; last heard of at" in dead
    assert "slow on spiked, 1 nonzeros, seed 0" in dead
    assert "2 of 6 cells done" in dead
    assert re.search(r"to go on: spcabench run out/suite.yaml -o out$", dead, re.MULTILINE)
    assert cli("run", suite, "-o", "out", "--only", "axes*").wait(60) == 0
    rested = verb("status", "out")[1]
    assert "it was killed" not in rested
    assert "4 of 6 cells done" in rested


def test_what_is_done_and_what_failed_is_told_in_a_line_with_its_record(verb, suite_file, place):
    run = ["run", suite_file(methods=["axes", "raises"]), "-o", "out", "--no-isolation"]
    assert verb(*run)[0] == 1
    shown = verb("status", "out")[1]
    assert "2 of 2 cells done" in shown
    assert "to go on" not in shown
    (told,) = [line for line in shown.splitlines() if line.startswith("error: ")]
    reason, _, where = told.removesuffix(")").rpartition(" (")
    assert reason == "error: raises on spiked, 1 nonzeros, seed 0: ArithmeticError: the sum | was odd"
    file, _, key = where.partition(", record ")
    assert file == "out/run.sqlite"
    record = json.loads(records(place / "out")[key])
    assert (record["cell"]["method"], record["status"]) == ("raises", "error")
    for page in ("tables/unfinished.csv", "report.html"):
        assert key in (place / "out" / page).read_text()


def test_what_is_to_be_timed_again_is_done_all_the_same(verb, suite_file):
    run = ["run", suite_file(methods=["axes", "raises"]), "-o", "out", "--no-isolation"]
    verb(*run)
    folder = RunFolder(Path("out"))
    folder.keep_suite(folder.suite_text().replace("repeats: 1", "repeats: 3"))
    folder.close()
    told = verb("status", "out")[1]
    assert "2 of 2 cells done, 1 of them to be timed again\nto go on: " in told


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "under a minute"),
        (70, "under 2 min"),
        (181, "about 3 min"),
        (7000, "about 1.9 h"),
        (150 * 86400, "about 150 days"),
    ],
)
def test_a_time_in_words(seconds, words):
    assert roughly(seconds) == words
