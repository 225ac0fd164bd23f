"""Compiled functions on disk: processes that compile at once do not disturb one another."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

KERNEL = """
from spcabench_methods.core.jit import njit

@njit(cache=True)
def doubled(x):
    return x + x
"""

AT_ONCE = """
import os, sys, time
from pathlib import Path
import doubling

here, other = map(Path, sys.argv[1:3])
replace = os.replace

def together(source, target):  # each has found the cache empty before the other writes to it
    here.touch()
    until = time.monotonic() + 60.0
    while not other.exists() and time.monotonic() < until:
        time.sleep(0.001)
    replace(source, target)

os.replace = together
print(doubling.doubled(eval(sys.argv[3])))
"""

AFTER = "import doubling; d = doubling.doubled; print(d(3), d(1.25), sum(d._cache_misses.values()))"


@pytest.mark.nightly
def test_forms_that_two_processes_compile_at_once(tmp_path):
    source = tmp_path / "doubling.py"
    source.write_text(KERNEL)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def start(*arguments):
        command = [sys.executable, "-c", *arguments]
        return subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)

    both = start(AT_ONCE, "a", "b", "3"), start(AT_ONCE, "b", "a", "1.25")
    assert [process.communicate()[0].split() for process in both] == [["6"], ["2.5"]]
    assert start(AFTER).communicate()[0].split() == ["6", "2.5", "0"]

    source.write_text(KERNEL.replace("x + x", "2 * x + 1"))
    assert start(AFTER).communicate()[0].split() == ["7", "3.5", "2"]
