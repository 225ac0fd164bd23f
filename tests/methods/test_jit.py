"""Compiled functions on disk: processes that compile at once do not disturb one another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import spcabench_methods

KERNEL = """
from adding import added
from spcabench_methods.core.jit import njit

@njit(cache=True)
def doubled(x):
    return added(x, x)
"""

CALLED = """
from spcabench_methods.core.jit import njit

@njit(cache=True)
def added(x, y):
    return x + y
"""

AT_ONCE = """
import sys, time
from pathlib import Path
import doubling

here, other = map(Path, sys.argv[1:3])
here.touch()
until = time.monotonic() + 60.0
while not other.exists() and time.monotonic() < until:
    time.sleep(0.001)
print(doubling.doubled(eval(sys.argv[3])))
"""

AFTER = "import doubling; d = doubling.doubled; print(d(3), d(1.25), sum(d.stats.cache_misses.values()))"


@pytest.mark.nightly
def test_forms_that_two_processes_compile_at_once(tmp_path):
    source, called = tmp_path / "doubling.py", tmp_path / "adding.py"
    source.write_text(KERNEL)
    called.write_text(CALLED)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def start(*arguments):
        command = [sys.executable, "-c", *arguments]
        return subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)

    both = start(AT_ONCE, "a", "b", "3"), start(AT_ONCE, "b", "a", "1.25")
    assert [process.communicate()[0].split() for process in both] == [["6"], ["2.5"]]
    assert start(AFTER).communicate()[0].split() == ["6", "2.5", "0"]

    for file, text in ((source, KERNEL.replace("x, x)", "x, x) + 1")), (called, CALLED.replace("x + y", "x + y + 10"))):
        file.write_text(text)
        expected = ["7", "3.5", "2"] if file is source else ["17", "13.5", "2"]
        assert start(AFTER).communicate()[0].split() == expected


def test_all_compiled_functions_are_kept_like_this():
    root = Path(spcabench_methods.__file__).parent
    for file in set(root.rglob("*.py")) - {root / "core" / "jit.py"}:
        text = file.read_text()
        assert not [way for way in ("numba.njit", "from numba import njit") if way in text], file


HELD = """
import sys
from pathlib import Path
from spcabench_methods.core.jit import one_at_a_time

def compiled(form):
    print("held", flush=True)
    sys.stdin.readline()

one_at_a_time(compiled, Path(sys.argv[1]))(None)
"""


@pytest.mark.nightly
def test_a_lock_is_that_of_one_function(tmp_path):
    """A process that compiles for long holds up those that need the same function, and no others."""

    def start(name):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return subprocess.Popen([sys.executable, "-c", HELD, tmp_path / name], text=True, **pipes)

    holder = start("first")
    assert holder.stdout.readline() == "held\n"
    other = start("second")
    assert other.communicate("\n", timeout=60)[0] == "held\n"
    waiting = start("first")
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(5)
    holder.communicate("\n")
    assert waiting.communicate("\n", timeout=60)[0] == "held\n"
