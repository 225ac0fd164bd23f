"""The peak memory of a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys

MEASURE = """
import json, resource, sys
from pathlib import Path

def peak():
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss would begin with the peak of the process that started this one
        return next(1024 * int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

def forget_the_peak():
    forget = Path("/proc/self/clear_refs")
    if forget.exists():
        forget.write_text("5")

forget_the_peak()
before = peak()
"""
REPORT = "print(json.dumps([before, peak()]))"


def peaks(prepare, run):
    """Run two pieces of code in one process; give the memory in bytes after the first, and the peak of the second.

    Where the system cannot forget a peak, the first number is the peak of the first piece.
    """
    code = "\n".join([prepare, MEASURE, run, REPORT])
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])
