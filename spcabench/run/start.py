"""Before the first cell: the run's folder, the suite and the environment that it keeps."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from spcabench.run.environment import CHANGED, describe, resumed
from spcabench.run.options import Options
from spcabench.run.progress import Event, Listener
from spcabench.store.about import About
from spcabench.store.files import clear, writing
from spcabench.store.folder import RunFolder
from spcabench.suite.load import resolved_yaml
from spcabench.suite.models import Suite
from spcabench.suite.plan import Plan, digest


def forget(chosen: Plan, folder: RunFolder) -> None:
    """Forget the records of the chosen cells."""
    index = folder.index
    folder.forget({index.get(cell.id, "") for cell in chosen.cells}, {cell.draw.id for cell in chosen.cells})


def keep_suite(suite: Suite, folder: RunFolder, listener: Listener) -> None:
    """Keep the suite as run, and say so if it is not the one that the folder has."""
    text = resolved_yaml(suite)
    if folder.suite_text() not in (None, text) and folder.index:
        changed = f"this is not the suite that {folder.path} was last run with; its records are used where they fit"
        listener(Event(changed, 0, 0))
    folder.keep_suite(text)


def keep_environment(suite: Suite, folder: RunFolder, options: Options, listener: Listener) -> None:
    """Keep the command and the environment of a run, and say so if it began in another."""
    environment = describe(options.plugins) | {"threads of a fit": str(suite.threads)}
    kept = About() if options.fresh and not (options.only or options.skip) else folder.about()
    if kept.environment:
        environment = resumed(kept.environment, environment)
    folder.keep_about(replace(options.about, environment=environment, merged=kept.merged))
    if CHANGED in environment:
        listener(Event(f"the environment {CHANGED}: {environment[CHANGED]}", 0, 0, loud=True))


def scratch_of(folder: RunFolder) -> Path:
    """Return where the workers' files are while a run goes on: below ``TMPDIR``, and nothing there names the run."""
    return Path(tempfile.gettempdir()) / f"spcabench-{os.getuid()}-{digest(str(folder.path.resolve()))}"


@contextlib.contextmanager
def scratch(folder: RunFolder) -> Iterator[Path]:
    """Return a folder for the workers' files; what a killed run left of it is removed first."""
    place = scratch_of(folder)
    clear(place)
    with writing(place):
        place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        clear(place)
