"""``pytest --spcabench NAME``: each promise of a plugin is a test, for the author's own continuous integration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from spcabench.check.subjects import Subject


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--spcabench",
        action="append",
        default=[],
        metavar="NAME",
        help="Check a method, data set or metric, a plugin file, or all that a distribution registers with spcabench.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each promise of what the option names."""
    for what in config.getoption("--spcabench"):
        items.extend(_items(session, what))


def _items(session: pytest.Session, what: str) -> Iterator[pytest.Item]:
    from spcabench.check.subjects import load_for, subjects
    from spcabench.wording import InputError

    try:
        found = subjects(what, load_for([what]))
    except InputError as error:
        raise pytest.UsageError(f"--spcabench {what}: {error}") from error
    for subject in found:
        for promise in subject.attempts:
            yield Promise.from_parent(session, name=f"{subject.spec.name}[{promise}]", subject=subject, promise=promise)


class Promise(pytest.Item):
    """A test of one promise."""

    def __init__(self, *, subject: Subject, promise: str, **others: Any) -> None:
        super().__init__(**others)
        self.subject, self.promise = subject, promise

    def runtest(self) -> None:
        """Try the promise."""
        from spcabench.check.findings import apart, found
        from spcabench.check.script import Broken

        if self.promise in self.subject.spec.exempt:
            pytest.skip(f"exempt: {self.subject.spec.exempt[self.promise]}")
        with apart():
            finding = found(self.promise, self.subject.attempts[self.promise])
        if finding.verdict == "no matter":
            pytest.skip(finding.reason)
        if finding.verdict == "broken":
            raise Broken(finding.reason, finding.example)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """Show the fault and its example, without a traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[str, None, str]:
        """Say what is tested."""
        return self.subject.origin, None, f"{self.subject.kind} {self.name}"
