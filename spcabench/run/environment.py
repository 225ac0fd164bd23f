"""The machine and the versions that a run was made with."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@cache
def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def versions(*names: str) -> dict[str, str]:
    """Give the installed versions of distributions."""
    return {name: _version(name) for name in names}


def describe() -> dict[str, str]:
    """Describe the machine and the versions that matter to results and times."""
    import numpy  # noqa: F401  (threadpoolctl sees the pools of what is loaded)
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    blas = {f"{pool['internal_api']} {pool['version']} ({pool.get('architecture', '?')})" for pool in threadpool_info()}
    return {
        "python": platform.python_version(),
        **versions("spcabench", "numpy", "scipy", "scikit-learn", "numba", "pandas"),
        "BLAS": ", ".join(sorted(blas)),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "CPU": _cpu(),
        "cores": str(os.cpu_count()),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB",
    }


def _cpu() -> str:
    try:
        lines: Sequence[str] = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
