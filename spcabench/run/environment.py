"""What a run keeps before its first cell: its suite, the machine and the versions."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points, version
from pathlib import Path

from spcabench.importing import GROUP
from spcabench.run.options import Options
from spcabench.run.progress import Event, Listener
from spcabench.store.folder import RunFolder
from spcabench.suite.load import resolved_yaml
from spcabench.suite.models import Suite

CHANGED = "changed since it began"
"""Under which an environment says how it differs from that in which the run began."""


_version = cache(version)


def versions(*names: str) -> dict[str, str]:
    """Return the installed versions of distributions."""
    return {name: _version(name) for name in names}


def describe(plugins: Sequence[Path] = ()) -> dict[str, str]:
    """Describe the machine and the versions that matter to results and times.

    Parameters
    ----------
    plugins : sequence of Path
        Single-file plugins named by the user; each is described by a hash of its content.
    """
    found = entry_points(group=GROUP)
    return {
        "python": platform.python_version(),
        **versions("spcabench", "numpy", "scipy", "scikit-learn", "numba", "pandas"),
        "plugins": ", ".join(sorted({f"{entry.dist.name} {entry.dist.version}" for entry in found if entry.dist})),
        **{f"plugin {file}": hashlib.sha256(file.read_bytes()).hexdigest()[:20] for file in plugins},
        "BLAS": ", ".join(pools()),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "CPU": _cpu(),
        "cores": str(os.cpu_count()),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB",
    }


def pools() -> list[str]:
    """Return the name, version and architecture of each BLAS or OpenMP pool of this process."""
    import numpy  # noqa: F401  (threadpoolctl sees the pools of what is loaded)
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    found = threadpool_info()
    return sorted({f"{pool['internal_api']} {pool['version']} ({pool.get('architecture', '?')})" for pool in found})


def keep_suite(suite: Suite, folder: RunFolder, tell: Listener) -> None:
    """Keep the suite as run, and say so if it is not the one that the folder has."""
    text = resolved_yaml(suite)
    if folder.suite_text() not in (None, text) and folder.index:
        changed = f"this is not the suite that {folder.path} was last run with; its records are used where they fit"
        tell(Event(changed, 0, 0))
    folder.keep_suite(text)


def keep_environment(suite: Suite, folder: RunFolder, options: Options, tell: Listener) -> None:
    """Keep the command and the environment of a run, and say so if it began in another."""
    environment = describe(options.plugins) | {"threads of a fit": str(suite.threads)}
    kept = folder.about()
    if kept.environment:
        environment = _resumed(kept.environment, environment)
    folder.keep_about(replace(options.about, environment=environment, merged=kept.merged))
    if CHANGED in environment:
        tell(Event(f"the environment {CHANGED}: {environment[CHANGED]}", 0, 0, loud=True))


def _resumed(began: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a run that goes on, with all that changed since it `began`, each change once."""
    changes = [
        f"{name}: {began.get(name, 'none')} -> {now.get(name, 'none')}"
        for name in dict.fromkeys([*began, *now])
        if name != CHANGED and began.get(name) != now.get(name)
    ]
    changed = dict.fromkeys(filter(None, [*began.get(CHANGED, "").split("; "), *changes]))
    return {**now, CHANGED: "; ".join(changed)} if changed else dict(now)


def _cpu() -> str:
    try:
        lines: Sequence[str] = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
