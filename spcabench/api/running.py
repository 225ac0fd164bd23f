"""Run a suite from Python, and load a run."""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from spcabench.plugins import Registry, load_registry, plugin_files
from spcabench.report import model
from spcabench.report.find_run import existing_run, gathered
from spcabench.report.results import Results
from spcabench.run import host
from spcabench.run.options import Options
from spcabench.run.progress import Event, listener
from spcabench.store.about import About
from spcabench.store.folder import RunFolder
from spcabench.store.status import retried
from spcabench.suite.load import Loaded, load_suite
from spcabench.suite.models import DEFAULT
from spcabench.suite.yaml_source import as_read

Place = str | os.PathLike[str]


def run(
    suite: Mapping[str, Any] | Place,
    output: Place | None = None,
    jobs: int = 1,
    *,
    scale: str = DEFAULT,
    settings: Mapping[str, Any] | None = None,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    retry: Collection[str] = (),
    plugins: Sequence[Place] = (),
    isolation: bool = True,
    cluster: str = "",
    progress: bool = True,
) -> Results:
    """Run a suite, or resume it.

    Parameters
    ----------
    suite : mapping, str or path
        The suite as data, the name of one that comes with spcabench, or a YAML file.
    output : str or path, optional
        The run's folder; ``reports/NAME`` in the current folder if not given, as for ``spcabench run``.
    jobs : int
        Cells fitted at once.
    scale : str
        ``default``, ``quick``, or a scale that the suite declares.
    settings : mapping, optional
        Values that are set in the suite after its scale, by dotted path: ``{"n_components": 10}``.
    only, skip : sequences of str
        Cells to run, or to leave out, by labels: ``["method=cop,dataset=hastie*"]``.
    retry : collection of str
        Statuses whose cells are fitted again, such as ``["timeout"]``; ``failed`` stands for all failures.
    plugins : sequence of str or path
        Single-file plugins; also those of ``SPCABENCH_PLUGINS``.
    isolation : bool
        Whether each fit has a process of its own; without, nothing ends a fit, and one that took too
        long is a timeout all the same.
    cluster : str
        A Dask scheduler, or ``FILE.py``, which defines a cluster as ``cluster``.
    progress : bool
        Whether progress is shown on standard error.  If not, a warning still says what nobody may overlook.

    Returns
    -------
    Results
        What came of it.  `Results.report` writes the pages that the command line writes.

    Raises
    ------
    InputError
        With every fault of the suite, or if data cannot be had.
    KeyboardInterrupt
        After an interrupt; what was finished is kept, and running again resumes.

    Examples
    --------
    >>> import spcabench
    >>> suite = {
    ...     "name": "mine",
    ...     "datasets": ["pitprops"],
    ...     "methods": ["tpower", "rsvd_l0"],
    ...     "n_components": 2,
    ...     "n_nonzero": [4],
    ...     "metrics": ["cpev"],
    ... }
    >>> spcabench.run(suite).best()  # doctest: +SKIP
    """
    files = plugin_files([os.fspath(file) for file in plugins])
    registry = load_registry(files)
    given = [f"{name}={json.dumps(as_read(value))}" for name, value in (settings or {}).items()]
    loaded = load_suite(suite, registry, given, scale)
    folder = RunFolder(Path("reports") / loaded.run_name if output is None else Path(output))
    about = About(
        command=_call(
            suite, folder, jobs=jobs, plugins=[*map(str, files)], only=only, skip=skip, scale=scale, settings=settings
        ),
        settings=tuple(given),
    )
    options = Options(
        jobs=jobs,
        isolation=isolation,
        retry=retried(retry),
        plugins=files,
        only=only,
        skip=skip,
        cluster=cluster,
        about=about,
    )
    return Results(fitted(loaded, folder, registry, options, progress))


def load(run: Place, *, plugins: Sequence[Place] = ()) -> Results:
    """Load a run.

    Parameters
    ----------
    run : str or path
        The run's folder, or the name of its suite, whose run is then looked for in ``reports``.
    plugins : sequence of str or path
        The single-file plugins that the run was made with.

    Returns
    -------
    Results
        What came of it so far; nothing is fitted.

    Raises
    ------
    InputError
        If there is no run, or it cannot be read.
    """
    registry = load_registry(plugin_files([os.fspath(file) for file in plugins]))
    return Results(gathered(*existing_run(os.fspath(run), registry), registry))


def _call(suite: Mapping[str, Any] | Place, folder: RunFolder, **options: Any) -> str:
    """Return the call that reproduces a run; a suite that was data is read from the run's folder."""
    if isinstance(suite, Mapping):  # that file has the scale and the settings
        suite, options = folder.suite_file, options | {"scale": DEFAULT, "settings": {}}
    defaults = {"jobs": 1, "scale": DEFAULT}
    given = [f"{name}={value!r}" for name, value in options.items() if value and value != defaults.get(name)]
    return f"spcabench.run({', '.join([repr(os.fspath(suite)), repr(str(folder.path)), *given])})"


def fitted(
    loaded: Loaded,
    folder: RunFolder,
    registry: Registry,
    options: Options,
    progress: bool = True,
    failures: bool = False,
) -> model.Results:
    """Run or resume a suite, and gather what came of it.

    Parameters
    ----------
    loaded : Loaded
        The suite and its plan.
    folder : RunFolder
        Where the records go.
    registry : Registry
        The methods, data sets and metrics.
    options : Options
        How it runs.
    progress : bool
        Whether its events are shown; if not, a warning says what nobody may overlook.
    failures : bool
        Whether a warning says each failure too.
    """

    def warn(event: Event) -> None:
        if event.loud or (failures and event.record is not None and not event.record.finished):
            warnings.warn(event.text, stacklevel=2)

    options = replace(options, about=replace(options.about, scale=loaded.scale))
    with listener() if progress else contextlib.nullcontext(warn) as tell:
        host.run(loaded.suite, loaded.plan, registry, folder, options, tell)
    return gathered(loaded, folder, registry)
