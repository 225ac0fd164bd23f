"""The two commits that are compared, each installed into an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from spcabench.wording import Fault, InputError


@dataclass(frozen=True)
class Side:
    """A commit in its environment.

    Parameters
    ----------
    name : str
        "base" or "head".
    commit : str
        What git calls it.
    folder : Path
        Where its environment is, and what numba compiles there.
    """

    name: str
    commit: str
    folder: Path


def repository(start: Path) -> Path:
    """Return the top folder of the git repository around a folder.

    Raises
    ------
    InputError
        If there is none.
    """
    try:
        return Path(_git(start, "rev-parse", "--show-toplevel"))
    except subprocess.CalledProcessError:
        raise InputError(Fault("no git repository; run spcabench-perf inside one", str(start))) from None


def commit_of(root: Path, name: str | None, scratch: Path) -> str:
    """Return the hash of a commit, or of a tree that holds the files as they are, if there is no name.

    Raises
    ------
    InputError
        If there is no such commit.
    """
    if name is None:
        return _as_it_is(root, scratch)
    try:
        return _git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except subprocess.CalledProcessError:
        raise InputError(Fault(f"git knows no such commit; `git log` in {root} lists them", name)) from None


def _as_it_is(root: Path, scratch: Path) -> str:
    """Return the tree of what is in the working folder and not ignored; the index of the user stays as it is."""
    index = {**os.environ, "GIT_INDEX_FILE": str(scratch / "index")}
    _git(root, "read-tree", "HEAD", env=index)
    _git(root, "add", "--all", env=index)
    return _git(root, "write-tree", env=index)


def unpacked(root: Path, commit: str, folder: Path) -> Path:
    """Write the files of a commit into a folder, and return it."""
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".tar")
    _git(root, "archive", "-o", str(archive), commit)
    shutil.unpack_archive(archive, folder, filter="data")
    archive.unlink()
    return folder


def installed(name: str, commit: str, tree: Path, folder: Path) -> Side:
    """Install files into a new environment, without a network.

    Its dependencies are those of this environment, in these versions, on both sides: what differs is the commit alone.

    Raises
    ------
    InputError
        If it cannot be built.
    """
    side = Side(name, commit, folder / name)
    venv.create(side.folder / "env", symlinks=True)
    (site,) = (side.folder / "env" / "lib").glob("python*/site-packages")
    shared = [path for path in sys.path if path.endswith("site-packages")]
    added = "".join(f"import site; site.addsitedir({path!r})\n" for path in shared)  # with what is editable in them
    (site / "shared.pth").write_text(added, encoding="utf-8")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(site)]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options, str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise InputError(Fault(f"cannot be built: {done.stderr.strip()}", commit))
    return side


def both_sides(root: Path, base: str, head: str, folder: Path) -> tuple[Side, Side]:
    """Install two commits, or trees, of a repository into environments in a folder."""
    one, other = (
        installed(name, commit, unpacked(root, commit, folder / "trees" / name), folder)
        for name, commit in (("base", base), ("head", head))
    )
    return one, other


def _git(root: Path, *words: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(["git", *words], cwd=root, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()
