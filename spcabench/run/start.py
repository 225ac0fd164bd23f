"""Before the first cell: the run's folder, the suite and the environment that it keeps."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from spcabench.run.environment import CHANGED, describe, resumed
from spcabench.run.events import Event, Listener
from spcabench.run.options import Options
from spcabench.store.files import writing
from spcabench.store.folder import RunFolder
from spcabench.suite.load import resolved_yaml
from spcabench.suite.models import Suite
from spcabench.suite.plan import Plan


def forget(plan: Plan, chosen: Plan, folder: RunFolder) -> None:
    """Forget the records of the chosen cells; all that is in the folder if these are all."""
    if len(chosen.cells) == len(plan.cells):
        folder.forget()
        folder.make()
    else:
        index = folder.index
        folder.forget_some({index.get(cell.id, "") for cell in chosen.cells}, {cell.draw.id for cell in chosen.cells})


def keep_suite(suite: Suite, folder: RunFolder, listener: Listener) -> None:
    """Keep the suite as run, and say so if it is not the one that the folder has."""
    text = resolved_yaml(suite)
    if folder.index and folder.suite_file.is_file() and folder.suite_file.read_text() != text:
        changed = f"this is not the suite that {folder.path} was last run with; its records are used where they fit"
        listener(Event(changed, 0, 0))
    folder.write_text("suite.yaml", text)


def keep_environment(suite: Suite, folder: RunFolder, options: Options, listener: Listener) -> None:
    """Keep the command and the environment of a run, and say so if it began in another."""
    environment = describe(options.plugins) | {"threads of a fit": str(suite.threads)}
    kept = None if options.fresh and not (options.only or options.skip) else folder.read_json("run.json")
    if kept and kept.get("environment"):
        environment = resumed(kept["environment"], environment)
    form = {"scale": options.scale, "settings": list(options.settings), "suite": options.suite}
    folder.write_json("run.json", {"command": options.command, **form, "environment": environment})
    if CHANGED in environment:
        listener(Event(f"the environment {CHANGED}: {environment[CHANGED]}", 0, 0, loud=True))


@contextlib.contextmanager
def scratch(folder: RunFolder) -> Iterator[Path]:
    """Return a folder for the workers' files; what a killed run left of it is removed first."""
    place = folder.work
    shutil.rmtree(place, ignore_errors=True)
    with writing(place):
        place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
