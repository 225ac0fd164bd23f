"""The verb check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name
from spcabench.cli.terminal import show

if TYPE_CHECKING:
    from spcabench.check.findings import Finding
    from spcabench.check.subjects import Subject


@click.command(
    "check", epilog="Examples: spcabench check my_method.py; spcabench check rspca; spcabench check my-package"
)
@click.argument("what", nargs=-1, required=True, shell_complete=complete_name)
@click.pass_context
def command(ctx: click.Context, what: tuple[str, ...]) -> None:
    """Hold WHAT to its promises: a method, data set or metric, a plugin file, or all that a distribution registers.

    Each broken promise is shown with the smallest example that was found, in Python.  The exit code is 1 if any is
    broken.
    """
    from spcabench.check.subjects import load_for, subjects

    registry = load_for(what, ctx.find_root().obj or ())
    chosen = [subject for word in what for subject in subjects(word, registry)]
    n_broken = sum(_report(subject) for subject in chosen)
    if n_broken:
        show(f"{n_broken} promise{'s are' if n_broken > 1 else ' is'} broken")
        ctx.exit(1)


def _report(subject: Subject) -> int:
    """Check a subject and show what was found; return how many promises are broken."""
    show(f"{subject.kind} {subject.spec.name}, from {subject.origin}")
    findings = []
    for finding in subject.findings():
        findings.append(finding)
        if finding.verdict == "broken":
            _show_fault(subject, finding)
    for verdict in ("kept", "exempt", "no matter", "not tried"):
        names = [
            f.promise if verdict == "kept" else f"{f.promise} ({f.reason})" for f in findings if f.verdict == verdict
        ]
        if names:
            show(f"  {verdict}: {', '.join(names)}")
    return sum(finding.verdict == "broken" for finding in findings)


def _show_fault(subject: Subject, finding: Finding) -> None:
    show(f"  BROKEN {finding.promise}: {subject.promises[finding.promise]}")
    show(f"    {finding.reason}")
    for line in finding.example.splitlines():
        show(f"      {line}")
