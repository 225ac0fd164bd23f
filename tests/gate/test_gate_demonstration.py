"""The speed gate raises no alarm of identical code, and names solvers that were slowed: a little of what it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "perf" / "demonstrate.py"


@pytest.mark.weekly
def test_the_demonstration_holds():
    few = ["--comparisons", "10", "--starts", "1", "--slowed", "3"]
    ended = subprocess.run([sys.executable, str(PROGRAM), *few], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
