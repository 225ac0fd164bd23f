"""Find the folder and the suite of a run, and gather what it left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from spcabench.parameters import unknown_name
from spcabench.wording import Fault, InputError

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded


def gathered(loaded: Loaded, folder: RunFolder, registry: Registry) -> Results:
    """Gather what a report is made from."""
    from spcabench.report.model import Results
    from spcabench.store.frame import results_frame

    return Results(
        suite=loaded.suite,
        folder=folder,
        frame=results_frame(folder, loaded.plan),
        metrics={entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics},
        about=folder.about(),
        by_name=registry.methods.specs,
    )


def existing_run(target: str, registry: Registry) -> tuple[Loaded, RunFolder]:
    """Find a run by its folder or by its suite's name.

    Raises
    ------
    InputError
        If there is none.
    """
    from spcabench.store.folder import RunFolder

    places = [Path(target)]
    if places[0].name == target and not places[0].is_dir():
        places.append(Path("reports") / target.removesuffix(".yaml"))
    for path in places:
        folder = RunFolder(path)
        if folder.there:
            return _as_run(folder, registry), folder
    known = [file.parent.name for file in Path("reports").glob("*/run.sqlite")]
    raise InputError(Fault(f"no run there; runs in reports{unknown_name(target, known)}", target))


def _as_run(folder: RunFolder, registry: Registry) -> Loaded:
    """Read the suite of a run; if that fails, name the plugins of the run that are not loaded."""
    from spcabench.suite.load import load_resolved

    text = folder.suite_text()
    if text is None:
        raise InputError(f"{folder.file}: it has no suite; run it: spcabench run SUITE -o {folder.path}")
    try:
        return load_resolved(text, folder.suite_file, registry)
    except InputError as error:
        kept = folder.about().environment
        files = [name.removeprefix("plugin ") for name in kept if name.startswith("plugin ")]
        loaded = {plugin.origin for plugin in registry.plugins}
        options = " ".join(f"--plugin {file}" for file in files if file not in loaded)
        hint = [Fault(f"this run was made with {options}", str(folder.path))] if options else []
        raise InputError([*error.faults, *hint]) from error
