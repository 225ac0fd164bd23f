"""What a submission must satisfy to be merged: each rule yields what is wrong, with the remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spcabench import promises
from spcabench.run.cells import metric_tasks, score_stamps
from spcabench.run.code_hash import code_hash
from spcabench.submission.candidate import Candidate, Pair, expected_key, same_machine
from spcabench.submission.manifest import FILE
from spcabench.submission.recomputed import unaltered
from spcabench.wording import Fault

AGREEING = ("spcabench", "numpy", "scipy", "scikit-learn")
"""Distributions whose versions must agree in their first two numbers."""
FIT_LIMITS = ("time", "memory")
HELD = ("kept", "exempt", "no matter")
"""Verdicts on a promise with which a method may be merged."""


def same_cells(found: Candidate) -> Iterator[Fault]:
    """Yield that cells of the method have no whole record, or records are of cells that the run does not plan."""
    if lacking := [cell.title for cell in found.lacking]:
        what = _some(lacking, len(lacking) + len(found.pairs), "without a whole record")
        yield Fault(f"{what}; run the suite of {found.ours.path} as it is, at its scale, and submit again", found.place)
    if found.unknown:
        records = "a record is" if found.unknown == 1 else f"{found.unknown} records are"
        message = f"{records} of no cell of the suite of {found.ours.path}; valid are the data sets"
        yield Fault(f"{message}, targets and seeds of that suite: run it as it is, at its scale", found.place)


def same_limits(found: Candidate) -> Iterator[Fault]:
    """Yield each limit of the fits that is not that of the run."""
    ours = dict(found.loaded.suite.limits)
    for name in FIT_LIMITS:
        if found.manifest.limits.get(name) != ours[name]:
            message = f"limits.{name} was {found.manifest.limits.get(name)}; valid is {ours[name]:g}, as in"
            yield Fault(f"{message} {found.ours.path}", f"{found.place}/{FILE}")


def same_versions(found: Candidate) -> Iterator[Fault]:
    """Yield each distribution whose version is not that of the run."""
    for name in AGREEING:
        theirs = {str(pair.record.about.get(name)) for pair in found.pairs}
        ours = found.ours.about().environment.get(name, "")
        for version in sorted(theirs):
            if _release(version) != _release(ours):
                message = f"{name} was {version}; valid is {_release(ours)}, as in {found.ours.path}"
                yield Fault(f"{message}: install that and run the suite again", str(found.theirs.file))


def same_class(found: Candidate) -> Iterator[Fault]:
    """Yield that the system or the architecture is not that of the run, or who lacks what makes times comparable."""
    theirs, ours = found.abouts
    class_of, valid = (_class(about.environment.get("system", "")) for about in (theirs, ours))
    if class_of != valid:
        message = f"the machine was {class_of or 'not named'}; valid is {valid}, as in {found.ours.path}: run the suite"
        yield Fault(f"{message} on such a machine", str(found.theirs.file))
    for about, place in ((theirs, found.theirs.file), (ours, found.ours.file)):
        if about.reference is None and not same_machine(theirs, ours):
            message = "no reference fit was timed, and times of two machines are compared by it; resume the run with"
            yield Fault(f"{message} this version, which times one", str(place))


def same_data(found: Candidate) -> Iterator[Fault]:
    """Yield each draw whose arrays are not those of the run."""
    drawn = {pair.draw.id: (pair, pair.draw) for pair in reversed(found.pairs) if pair.draw and not pair.without_data}
    for pair, draw in reversed(drawn.values()):
        if pair.fingerprint != draw.fingerprint:
            data = f"the data {draw.label}, seed {pair.cell.seed}, have the hash {pair.fingerprint}"
            remedy = "run the suite again with the same data files and versions of numpy and scikit-learn"
            message = f"{data}; valid is {draw.fingerprint}, as in {found.ours.path}: {remedy}"
            yield Fault(message, found.theirs.place_of(pair.record.key))


def same_code(found: Candidate) -> Iterator[Fault]:
    """Yield that the records or the checks were made with other code than what is at hand."""
    hashed = code_hash(found.registry.methods[str(found.manifest.entry["name"])].estimator)
    wrong = list(filter(_of_other_code, found.pairs))
    if hashed != found.manifest.code or wrong:
        what = f"{len(wrong)} of {len(found.pairs)} records" if wrong else "checks"
        message = f"{what} of other code than that of {found.manifest.origin} here"
        yield Fault(f"{message}: run the suite, and submit, with the file or version that is submitted", found.place)


def passed(found: Candidate) -> Iterator[Fault]:
    """Yield each promise that the method did not keep."""
    verdicts = {check.promise: check.verdict for check in found.manifest.checks}
    exempt = found.registry.methods[str(found.manifest.entry["name"])].exempt
    for promise in promises.METHOD:
        verdict = verdicts.get(promise, "missing")
        if verdict not in HELD or (verdict == "exempt" and promise not in exempt):
            message = f"the promise '{promise}' is {verdict}; valid is one of {', '.join(HELD)}: mend the method until"
            yield Fault(f"{message} spcabench check finds nothing", f"{found.place}/{FILE}")


def scored_alike(found: Candidate) -> Iterator[Fault]:
    """Yield that the metrics are not those of the run: by other code, parameters or versions."""
    stamps = score_stamps(metric_tasks(found.loaded.suite, found.registry))
    wrong = [pair.cell.title for pair in found.finished if pair.record.scored != stamps]
    if wrong:
        message = _some(wrong, len(found.finished), "with metrics by other code or parameters")
        yield Fault(f"{message}: spcabench report RUN --rescore computes them again; then submit again", found.place)


RULES: Sequence[Callable[[Candidate], Iterator[Fault]]] = (
    same_cells,
    same_limits,
    same_versions,
    same_class,
    same_data,
    same_code,
    passed,
    scored_alike,
)


def faults(found: Candidate) -> list[Fault]:
    """Return what keeps a submission from being merged; metrics are computed again where nothing else does."""
    wrong = [fault for rule in RULES for fault in rule(found)]
    return wrong or list(unaltered(found))


def _of_other_code(pair: Pair) -> bool:
    same_data = pair.draw is None or pair.fingerprint == pair.draw.fingerprint
    return same_data and not pair.without_data and expected_key(pair.cell, pair.draw) != pair.record.key


def _release(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _class(system: str) -> str:
    """Return the system and the architecture, without the release."""
    words = system.split()
    return f"{words[0]} {words[-1]}" if words else ""


def _some(titles: Sequence[str], of: int, what: str) -> str:
    return f"{len(titles)} of {of} cells {what}, such as {titles[0]}"
