"""The environments that methods have of their own: made when first needed, kept in the user's cache folder."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from spcabench.process import user_cache
from spcabench.run.messages import Failure
from spcabench.specs import Environment, MethodSpec

DONE = "versions.json"
"""The file that an environment has once it is whole: the versions in it."""
_VERSIONS = (
    "import json, platform; from importlib.metadata import distributions as d; "
    "print(json.dumps({'python': platform.python_version(), **{one.metadata['Name']: one.version for one in d()}}))"
)
_OFFLINE = "without a network, let PIP_FIND_LINKS name a folder of wheels and set PIP_NO_INDEX=1"


class NotMade(Exception):
    """An environment cannot be made; the message has the reason and the remedy."""


@dataclass(frozen=True)
class Made:
    """An environment: its interpreter, and the versions of what is in it."""

    python: Path
    versions: Mapping[str, str]


@dataclass
class OwnEnvironments:
    """The environments of a run, each made once, or once found to be impossible.

    Parameters
    ----------
    say : callable
        Gets a line before one is made, which may take minutes.
    """

    say: Callable[[str], object]
    _found: dict[Environment, Made | NotMade] = field(default_factory=dict)

    def failure(self, spec: MethodSpec) -> Failure | None:
        """Return why the environment of a method cannot be had; None if it can, or if the method has none."""
        found = self._of(spec)
        return Failure(status="unavailable", reason=str(found)) if isinstance(found, NotMade) else None

    def python(self, spec: MethodSpec) -> str:
        """Return the interpreter of a method's own environment; empty if it has none."""
        found = self._of(spec)
        return str(found.python) if isinstance(found, Made) else ""

    def versions(self, spec: MethodSpec) -> Mapping[str, str]:
        """Return the versions of what is in it; empty if the method has none, or nothing was fitted in it."""
        found = self._found.get(spec.environment) if spec.environment else None
        return found.versions if isinstance(found, Made) else {}

    def _of(self, spec: MethodSpec) -> Made | NotMade | None:
        environment = spec.environment
        if environment is None:
            return None
        if environment not in self._found:
            try:
                self._found[environment] = made(environment, lambda: self.say(f"making the environment of {spec.name}"))
            except NotMade as reason:
                self._found[environment] = reason
        return self._found[environment]


def made(environment: Environment, begin: Callable[[], object]) -> Made:
    """Return an environment from the cache, made if it is not there; `begin` is called before it is made.

    Raises
    ------
    NotMade
        With the reason and the remedy.
    """
    python = _interpreter(environment.python)
    identity = json.dumps([python, platform.python_version(), environment.requirements])
    name = hashlib.sha256(identity.encode()).hexdigest()[:16]
    folder = user_cache(os.environ) / "spcabench" / "environments" / name
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder.with_suffix(".lock").open("w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / DONE).is_file():
                begin()
                _build(environment, python, folder)
            return Made(folder / "bin" / "python", json.loads((folder / DONE).read_text(encoding="utf-8")))
    except OSError as error:
        raise NotMade(f"its environment cannot be kept in {folder.parent}: {error.strerror}") from error


def _interpreter(wanted: str) -> str:
    if not wanted:
        return sys.executable
    found = shutil.which(wanted if os.sep in wanted else f"python{wanted}")
    if found is None:
        raise NotMade(f"its environment needs python {wanted}, which is not here; install it, or name its path")
    return found


def _build(environment: Environment, python: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    inside = str(folder / "bin" / "python")
    _done([python, "-m", "venv", "--without-pip", str(folder)], "python -m venv fails")
    if environment.requirements:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", inside]
        wanted = ", ".join(environment.requirements)
        _done([*pip, "install", "--quiet", *environment.requirements], f"pip cannot install {wanted}")
    versions = _done([inside, "-I", "-c", _VERSIONS], "its interpreter fails")
    (folder / DONE).write_text(versions, encoding="utf-8")


def _done(command: list[str], what: str) -> str:
    """Run a command and return what it prints."""
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=without, stdin=subprocess.DEVNULL)
    if done.returncode == 0:
        return done.stdout
    lines = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()
    reason = next((line for line in reversed(lines) if line.startswith("ERROR:")), lines[-1])
    remedy = "install it with: python -m ensurepip" if "No module named pip" in reason else _OFFLINE
    raise NotMade(f"its environment cannot be made: {what}: {reason.removeprefix('ERROR:').strip()}; {remedy}")
