"""For an author's own tests: ``--spcabench NAME`` tests each promise, ``--spcabench-bench NAME`` times a method's fits.

What pytest-benchmark compares fails, too, if a fit that `spcabench.perf.bench` measured is worse than it was.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from spcabench.check.subjects import Finding, Subject

BENCHMARKS = Path(__file__).parents[1] / "perf" / "bench.py"
METHOD = "spcabench_method"
"""The argument of the benchmarks that makes a method."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    add = partial(parser.addoption, action="append", default=[], metavar="NAME")
    whole = "a method, data set or metric, a plugin file, or all that a distribution registers with spcabench."
    add("--spcabench", help=f"Check {whole}")
    add("--spcabench-bench", help="Time fits of a method, or of all that a plugin file or a distribution registers.")


def pytest_configure(config: pytest.Config) -> None:
    """Collect the benchmarks if they are asked for: alone, unless files are named."""
    if config.getoption("--spcabench-bench"):
        named = config.args_source is pytest.Config.ArgsSource.ARGS
        config.args = [*(config.args if named else ()), str(BENCHMARKS)]


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Run benchmarks in one process: beside others pytest-benchmark measures nothing."""
    if config.getoption("--spcabench-bench"):
        config.option.numprocesses = 0
    return (yield)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pass what makes each method to the benchmarks."""
    if METHOD in metafunc.fixturenames:
        from spcabench.check.script import trial_of

        asked = metafunc.config.getoption("--spcabench-bench")
        methods = [subject.spec for what in asked for subject in _subjects(what) if subject.kind == "method"]
        if not methods:
            raise pytest.UsageError(f"--spcabench-bench {' '.join(asked)}: no method is named")
        made = [lambda n, d, r, k, spec=spec: trial_of(spec, n, d, r, k).new() for spec in methods]
        metafunc.parametrize(METHOD, made, ids=[spec.name for spec in methods])


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_benchmark_group_stats(config: Any) -> None:
    """Add what is worse than in the runs that are compared with to what pytest-benchmark found slower."""
    from spcabench.perf.bench import worse

    session = config._benchmarksession
    for before in session.compared_mapping.values():
        for now in session.benchmarks:
            kept = before.get(now.fullname, {}).get("extra_info", {})
            session.performance_regressions += [(now.name, fault) for fault in worse(kept, now.extra_info)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each promise of what the option names."""
    for what in config.getoption("--spcabench"):
        items.extend(_items(session, what))


def _subjects(what: str) -> list[Subject]:
    from spcabench.check.subjects import files_for, subjects
    from spcabench.plugins import load_registry
    from spcabench.wording import InputError

    try:
        return subjects(what, load_registry(files_for([what])))
    except InputError as error:
        raise pytest.UsageError(f"{what}: {error}") from error


def _items(session: pytest.Session, what: str) -> Iterator[pytest.Item]:
    for subject in _subjects(what):
        findings = cache(partial(_findings, subject, what))  # once, whichever promise is tested first
        for name in subject.promises:
            yield Promise.from_parent(session, name=f"{subject.spec.name}[{name}]", subject=subject, findings=findings)


def _findings(subject: Subject, what: str) -> dict[str, Finding]:
    """Return all that is found of a subject, by promise."""
    from spcabench.check.subjects import files_for, workers

    with workers(files_for([what]), [subject]) as find:
        return {finding.promise: finding for finding in subject.findings(find)}


class Promise(pytest.Item):
    """A test of one promise."""

    def __init__(self, *, subject: Subject, findings: Callable[[], dict[str, Finding]], **others: Any) -> None:
        super().__init__(**others)
        self.subject, self.findings = subject, findings

    def runtest(self) -> None:
        """Try the promise."""
        finding = self.findings()[self.name.partition("[")[2].removesuffix("]")]
        if finding.verdict == "broken":
            pytest.fail(f"{finding.reason}\n{finding.example or finding.output or ''}", pytrace=False)
        if finding.verdict != "kept":
            pytest.skip(f"{finding.verdict}: {finding.reason}")

    def reportinfo(self) -> tuple[str, None, str]:
        """Return what is tested."""
        return self.subject.origin, None, f"{self.subject.kind} {self.name}"
