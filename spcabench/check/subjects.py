"""What is to be checked: a name, a file, or all of a distribution; and what is found of each promise.

Promises are tried in workers like those of a run: what hangs, crashes or prints costs its promise alone.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from spcabench.check import datasets, methods, metrics
from spcabench.check.declared import constructor, parameters, resolves
from spcabench.check.script import Broken, NotApplicable
from spcabench.parameters import unknown_name
from spcabench.plugins import Registry, plugin_files
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import CallTask
from spcabench.specs import MethodUnavailable, Spec
from spcabench.suite.models import Limits
from spcabench.wording import Fault, InputError

Checks = Mapping[str, Callable[[Any], object]]
"""By their promises; one raises `Broken` or `NotApplicable`, and has the promise as the second paragraph of its
docstring."""
KINDS: Mapping[str, tuple[Checks, Checks, Callable[[Any], Iterable[Any]]]] = {
    "method": ({"resolves": resolves, "constructor": constructor}, methods.FITTED, methods.trials),
    "data set": ({"resolves": resolves, "parameters": parameters}, datasets.DRAWN, lambda spec: [datasets.Draws(spec)]),
    "metric": ({"resolves": resolves, "parameters": parameters}, metrics.COMPUTED, lambda spec: [spec]),
}
"""The checks of a specification of each kind, those of what it leads to, and what that is."""

Verdict = Literal["kept", "broken", "exempt", "no matter", "not tried"]

FIRST = ("resolves", "constructor", "parameters", "shape", "finite", "draw", "number")
"""The promises without which those after them cannot be tried."""
COMPARING = ("sign", "column_sign", "shift", "row_order", "column_order", "scale", "covariance", "seed", "refitted")
"""The promises that compare two results, and cannot be tried if the same input has different ones."""

LIMITS = Limits(time=12.0, memory=2.0)
"""What the trial of one promise may use."""
FITTING, PATIENCE = "shape", 20.0
"""The promise that fits first; those after it may take so many times as long, beyond the limit."""


@dataclass(frozen=True)
class Finding:
    """What was found of a promise.

    Parameters
    ----------
    promise : str
        The name of its check.
    verdict : {"kept", "broken", "exempt", "no matter", "not tried"}
        ``exempt``: the specification says that it cannot be kept.  ``no matter``: it does not apply.  ``not tried``:
        one that it needs is broken.
    reason : str
        Why, unless it is kept.
    example : str
        Python code that shows the fault.
    output : str, optional
        The end of what was printed meanwhile, if the process that tried it hung or crashed.
    """

    promise: str
    verdict: Verdict
    reason: str = ""
    example: str = ""
    output: str | None = None


@dataclass(frozen=True)
class Subject:
    """A method, data set or metric that is to be checked.

    Parameters
    ----------
    kind : str
        ``method``, ``data set`` or ``metric``.
    spec : MethodSpec, DatasetSpec or MetricSpec
        Its specification.
    origin : str
        The plugin that it is from.
    """

    kind: str
    spec: Spec
    origin: str

    @property
    def promises(self) -> Mapping[str, str]:
        """What it promises, in a sentence each."""
        declared, others, _ = KINDS[self.kind]
        return {name: _promise(check) for name, check in {**declared, **others}.items()}

    def tried(self, promise: str) -> Finding:
        """Return what is found of a promise, in this process."""
        declared, others, trials = KINDS[self.kind]
        try:
            if promise in declared:
                declared[promise](self.spec)
            else:
                for trial in trials(self.spec):
                    others[promise](trial)
        except Broken as broken:
            if isinstance(broken.__cause__, MethodUnavailable):
                return Finding(promise, "no matter", f"the method is unavailable here: {broken.__cause__}")
            return Finding(promise, "broken", broken.message, broken.example)
        except NotApplicable as reason:
            return Finding(promise, "no matter", str(reason))
        return Finding(promise, "kept")

    def findings(self, find: Callable[[Subject, str], Finding] = tried) -> Iterator[Finding]:
        """Yield what is found of each promise by what tries one: in this process, or in a worker.

        Those that are exempt, and those that need a broken one, are not tried; nor is any after one that hung or
        crashed: the others would for the same cause.
        """
        stopped = unlike = ""
        for name in self.promises:
            needed = stopped or (unlike if name in COMPARING else "")
            if name in self.spec.exempt:
                finding = Finding(name, "exempt", self.spec.exempt[name])
            elif needed:
                finding = Finding(name, "not tried", f"it needs '{needed}'")
            else:
                finding = find(self, name)
            if finding.verdict in ("broken", "exempt", "no matter"):
                stopped = stopped or (name if name in FIRST or finding.output is not None else "")
                unlike = unlike or (name if name == "deterministic" else "")
            yield finding


def _promise(check: Callable[[Any], object]) -> str:
    _, _, more = (inspect.getdoc(check) or "").partition("\n\n")
    return " ".join(more.partition("\n\n")[0].split())


def tried(subject: Subject, promise: str) -> dict[str, Any]:
    """Try a promise in this process, and return the finding as plain data."""
    return asdict(subject.tried(promise))


@contextmanager
def workers(files: Sequence[Path], subjects: Sequence[Subject]) -> Iterator[Callable[[Subject, str], Finding]]:
    """Start what tries the promises of subjects, each in a process of its own, and return it; it ends with the block.

    Parameters
    ----------
    files : sequence of Path
        Single-file plugins.
    subjects : sequence of Subject
        Their modules are imported once.
    """
    modules = dict.fromkeys([__name__, *(subject.spec.target.partition(":")[0] for subject in subjects)])
    with tempfile.TemporaryDirectory(prefix="spcabench-check-") as scratch:
        executor = LocalWorkers(Path(scratch), threads=1, preload=[*modules], plugins=files)

        slow: dict[str, float] = {}

        def find(subject: Subject, promise: str) -> Finding:
            task = CallTask(function=f"{__name__}:tried", params={"subject": subject, "promise": promise})
            seconds = ceil(LIMITS.time + PATIENCE * slow.get(subject.spec.name, 0.0))
            begin = monotonic()
            executor.submit(promise, task, LIMITS.model_copy(update={"time": seconds}))
            while not (outcomes := executor.wait()):
                pass
            (outcome,) = outcomes
            if promise == FITTING:
                slow[subject.spec.name] = monotonic() - begin
            output = outcome.output
            outcome.discard()
            if not outcome.result.finished:
                return Finding(promise, "broken", outcome.result.reason, output=output)
            return Finding(**outcome.result.value)

        try:
            yield find
        finally:
            executor.close()


def files_for(what: Sequence[str], files: Sequence[str] = ()) -> list[Path]:
    """Return the plugin files that a user names, and those that are to be checked."""
    return plugin_files([*files, *(word for word in what if word.endswith(".py"))])


def subjects(what: str, registry: Registry) -> list[Subject]:
    """Return what a word of the user names.

    Parameters
    ----------
    what : str
        The name of a method, data set or metric, a file that was loaded as a plugin, or the name of an installed
        distribution.
    registry : Registry
        What is known.

    Raises
    ------
    InputError
        If it names nothing, or a distribution that is broken, or if what is exempt is no promise.
    """
    every = [Subject(c.kind, spec, c.origins[name]) for c in registry.catalogues for name, spec in c.specs.items()]
    by_name = [subject for subject in every if subject.spec.name == what]
    if by_name:
        return _sound(by_name)
    plugins = [plugin for plugin in registry.plugins if _is_from(what, plugin.origin)]
    faults = [Fault(f"plugin {plugin.name}: {plugin.broken}", plugin.origin) for plugin in plugins if plugin.broken]
    if faults:
        raise InputError(faults)
    origins = {f"{plugin.name} ({plugin.origin})" for plugin in plugins}
    found = [subject for subject in every if subject.origin in origins]
    if not found:
        known = {subject.spec.name for subject in every}
        known |= {plugin.origin.rpartition(" ")[0] or plugin.origin for plugin in registry.plugins}
        hint = unknown_name(what, known)
        raise InputError(f"no method, data set, metric, file or distribution '{what}'{hint}")
    return _sound(found)


def _sound(found: list[Subject]) -> list[Subject]:
    """Return subjects all of whose exemptions are promises."""
    faults = [
        Fault(f"{one.spec.name}: unknown promise '{name}' in exempt{unknown_name(name, one.promises)}", one.origin)
        for one in found
        for name in one.spec.exempt
        if name not in one.promises
    ]
    if faults:
        raise InputError(faults)
    return found


def _is_from(what: str, origin: str) -> bool:
    distribution = origin.rpartition(" ")[0].replace("_", "-").casefold()
    is_file = what.endswith(".py") and Path(origin) == Path(what).expanduser()
    return is_file or origin == what or distribution == what.replace("_", "-").casefold()
