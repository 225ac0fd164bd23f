"""Which source a site is made with."""

from __future__ import annotations

import subprocess
from importlib.metadata import version
from pathlib import Path

import spcabench


def source() -> str:
    """Return the version of the package, and the commit if it is used from a checkout of its repository."""
    name = f"spcabench {version('spcabench')}"
    root = Path(spcabench.__file__).parent.parent
    if not (root / ".git").exists():
        return name
    try:
        asked = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return name
    return f"{name}, commit {asked.stdout.strip()}"
