"""A cgroup of the kernel (version 2) for a server and all that comes of it, where there may be one.

No process leaves it by itself, whatever it forks, and the kernel ends all that is in it at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PREFIX = "spcabench-"
"""What the name of a cgroup begins with; the number of its first process follows."""
WAIT = 2.0
"""Seconds that the kernel may take to end what is in it."""


@dataclass(frozen=True)
class Group:
    """A cgroup.

    Parameters
    ----------
    folder : Path
        In the file system of cgroups.
    """

    folder: Path

    @classmethod
    def of(cls, pid: int) -> Group | None:
        """Put a process into a cgroup of its own; None if the kernel offers none here."""
        place = _own()
        if place is None:
            return None
        for left in place.glob(f"{PREFIX}*"):  # by hosts that were killed; what is in use cannot be removed
            if left.name == f"{PREFIX}{pid}" or not Path("/proc", left.name.removeprefix(PREFIX)).exists():
                cls(left)._remove()
        group = cls(place / f"{PREFIX}{pid}")
        try:
            group.folder.mkdir()
            (group.folder / "cgroup.procs").write_text(str(pid), encoding="ascii")
        except OSError:
            group._remove()
            return None
        return group

    def end(self) -> None:
        """End all that is in it, and remove it."""
        with contextlib.suppress(OSError):
            (self.folder / "cgroup.kill").write_text("1", encoding="ascii")
        deadline = time.monotonic() + WAIT
        while not self._remove() and time.monotonic() < deadline:
            time.sleep(0.002)

    def _remove(self) -> bool:
        try:
            self.folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True


@cache
def _own() -> Path | None:
    """Return the cgroup of this process, if others can be made in it and ended; else None."""
    if sys.platform != "linux":
        return None
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
        groups = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    roots = [Path(mount[1]) for mount in mounts if mount[2] == "cgroup2"]
    names = [line[4:] for line in groups if line.startswith("0::/")]
    if not roots or not names:
        return None
    place = roots[0] / names[0]
    return place if os.access(place, os.W_OK) and os.access(place / "cgroup.procs", os.W_OK) else None


def in_force() -> str:
    """Describe what ends the processes of a run."""
    if sys.platform != "linux":
        return "each worker's session is ended"
    orphans = "workers adopt their orphans"
    return f"{orphans}; a cgroup ends the rest" if _own() is not None else f"{orphans}; no cgroup can be made"
