"""Write the submission of a method: what its run left, and what others need to judge it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spcabench.check.subjects import Finding
from spcabench.parameters import unknown_name
from spcabench.plugins import Registry
from spcabench.specs import MethodSpec
from spcabench.store.about import About
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.submission.manifest import FILE, SCHEMA, Manifest
from spcabench.submission.trial import cells_of, label_of
from spcabench.suite.load import Loaded
from spcabench.suite.models import MethodEntry
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError

PAGE = """\
# {method}

Results of the method {method} on the suite {suite}: {counts}.
They were fitted with {origin}.  No promise is broken; exempt are: {exempt}.

To add it to a run of the same suite:

```console
spcabench submission merge FOLDER --into RUN
```
"""

Results = Sequence[tuple[Cell, Record]]
"""The results of a method in a run: each cell with its record."""


def results_of(label: str, loaded: Loaded, folder: RunFolder) -> tuple[MethodEntry, Results]:
    """Return a method as the suite of a run has it, and its results.

    Raises
    ------
    InputError
        If the suite has no such method, or a cell of it has no record.
    """
    entries = {label_of(entry): entry for entry in loaded.suite.methods}
    if label not in entries:
        message = f"its suite has no method '{label}'{unknown_name(label, entries)}; to add it to a suite, run it with"
        raise InputError(Fault(f"{message} --set methods.+={label}", str(folder.path)))
    kept = list(folder.records_of(Plan(cells_of(loaded.plan, label))))
    found = [(cell, record) for cell, record in kept if record is not None and record.status != "interrupted"]
    again = "run the suite again, which resumes"
    if len(found) < len(kept):
        first = next(cell for cell, record in kept if record is None or record.status == "interrupted")
        lacking = f"{len(kept) - len(found)} of {len(kept)} cells of {label} have no result, such as {first.title}"
        raise InputError(Fault(f"{lacking}; {again}", str(folder.path)))
    return entries[label], found


def source_of(spec: MethodSpec, registry: Registry) -> tuple[Path | None, str]:
    """Return the file of a method's single-file plugin, if it is one, and where the plugin is from."""
    named = registry.methods.origins[spec.name]
    origin = next(p.origin for p in registry.plugins if f"{p.name} ({p.origin})" == named)
    file = Path(origin)
    return (file if file.suffix == ".py" and file.is_file() else None), origin


def submit(
    entry: MethodEntry, results: Results, findings: Sequence[Finding], loaded: Loaded, run: RunFolder,
    registry: Registry, output: Path,
) -> None:  # fmt: skip
    """Write a submission.

    Parameters
    ----------
    entry : MethodEntry
        The method as the suite has it.
    results : Results
        What its run left.
    findings : sequence of Finding
        What was found of its promises.
    loaded, run : Loaded, RunFolder
        The run.
    registry : Registry
        What provides the method.
    output : Path
        The folder to write; it must not be there, or be empty.

    Raises
    ------
    InputError
        If a promise is broken, or there is something in the folder.
    """
    spec = registry.methods[entry.name]
    source, origin = source_of(spec, registry)
    broken = [finding.promise for finding in findings if finding.verdict == "broken"]
    if broken:
        raise InputError(Fault(f"it breaks {', '.join(broken)}; spcabench check {spec.name} shows how", origin))
    manifest = Manifest(
        schema=SCHEMA,
        method=label_of(entry),
        entry=entry.model_dump(),
        source=source.name if source else "",
    )
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise InputError(Fault("is there already and not empty; remove it, or choose another folder", str(output)))
    about = _shareable(run.about())
    folder = RunFolder(output)
    folder.make()
    _keep_results(results, source.name if source else origin, run, folder)
    folder.keep_suite(run.suite_text() or "")
    folder.keep_about(about)
    if source is not None:
        folder.write_bytes(source.name, source.read_bytes())
    told = PAGE.format(
        method=manifest.method,
        suite=", ".join(filter(None, (loaded.suite.name, about.form))),
        counts=", ".join(f"{n} {status}" for status, n in Counter(record.status for _, record in results).items()),
        origin=source.name if source else origin,
        exempt="; ".join(f"{name}: {reason}" for name, reason in spec.exempt.items()) or "none",
    )
    folder.write_text("README.md", told)
    folder.write_text(FILE, manifest.dumps())
    folder.close()


def _keep_results(results: Results, origin: str, run: RunFolder, folder: RunFolder) -> None:
    for _, record in results:
        folder.save(replace(record, about={**record.about, "plugin": origin}), run.loadings(record.key))
    folder.keep_index({cell.id: record.key for cell, record in results})
    for draw_id in dict.fromkeys(cell.draw.id for cell, _ in results):
        if draw := run.draw_record(draw_id):
            folder.save_draw(replace(draw, files=()))


def _shareable(about: About) -> About:
    """Return what a run says of itself without the folders of its machine, and without what it took from others."""
    environment = {_shortened(name): text for name, text in about.environment.items()}
    return replace(about, suite=Path(about.suite).name, environment=environment, merged={})


def _shortened(name: str) -> str:
    return f"plugin {Path(name.removeprefix('plugin ')).name}" if name.startswith("plugin ") else name
