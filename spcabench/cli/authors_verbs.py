"""The verbs of those who write a plugin: new and check."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name
from spcabench.cli.terminal import show

if TYPE_CHECKING:
    from spcabench.check.subjects import Finding, Subject

LONG = 1.0
"""Seconds of a promise from which on they are shown."""
MOST_OUTPUT = 5
"""Lines that are shown of what a process printed before it was ended."""


@click.command("new", epilog="Examples: spcabench new method my_spca; spcabench new method my_spca --single-file")
@click.argument("kind", type=click.Choice(["method", "dataset", "metric", "suite"]))
@click.argument("name")
@click.option("--single-file", is_flag=True, help="Write one file and its suite, and no package to install.")
@click.option("--output", "-o", metavar="FOLDER", help="Where to write.  [default: NAME; of a single file, here]")
def new_verb(kind: str, name: str, single_file: bool, output: str | None) -> None:
    """Write a plugin with one KIND called NAME, or a suite: it runs as it is, for you to change."""
    from spcabench.scaffold.write import files, write

    single = single_file or kind == "suite"
    folder = Path(output or ("." if single else name))
    texts = files(kind, name, single=single)
    write(folder, texts)
    for file in texts:
        show(str(folder / file))
    show("next:")
    for line in _next(kind, name, folder, single):
        show(f"  {line}")


def _next(kind: str, name: str, folder: Path, single: bool) -> list[str]:
    """Return the commands that a user runs next."""
    suite = f"spcabench run {folder / name}.yaml"
    if kind == "suite":
        return [f"spcabench plan {folder / name}.yaml --check", suite]
    if single:
        return [f"spcabench check {folder / name}.py", f"{suite} --plugin {folder / name}.py"]
    return [f"pip install -e {folder}", f"spcabench check {name}", suite]


@click.command(
    "check", epilog="Examples: spcabench check my_method.py; spcabench check rspca; spcabench check my-package"
)
@click.argument("what", nargs=-1, required=True, shell_complete=complete_name)
@click.pass_context
def check_verb(ctx: click.Context, what: tuple[str, ...]) -> None:
    """Hold WHAT to its promises: a method, data set or metric, a plugin file, or all that a distribution registers.

    Each promise is tried in a process of its own, within limits of time and memory.  A broken one is shown with the
    smallest example that was found, in Python.  The exit code is 1 if any is broken.
    """
    from spcabench.check.isolated import workers
    from spcabench.check.subjects import files_for, subjects
    from spcabench.plugins import load_registry

    files = files_for(what, ctx.find_root().obj or ())
    registry = load_registry(files)
    chosen = [subject for word in what for subject in subjects(word, registry)]
    with workers(files, chosen) as find:
        n_broken = sum(_report(subject, find) for subject in chosen)
    if n_broken:
        show(f"{n_broken} promise{'s are' if n_broken > 1 else ' is'} broken")
        ctx.exit(1)


def _report(subject: Subject, find: Callable[[Subject, str], Finding]) -> int:
    """Check a subject, show what is found as it is found, and return how many promises are broken."""

    def timed(subject: Subject, promise: str) -> Finding:
        show(f"  {promise}: ", nl=False)
        begin = time.monotonic()
        finding = find(subject, promise)
        seconds = time.monotonic() - begin
        show(_said(finding) + (f", {seconds:.0f} s" if seconds > LONG else ""))
        return finding

    show(f"{subject.kind} {subject.spec.name}, from {subject.origin}")
    n_broken = 0
    left: dict[str, list[str]] = {}
    for finding in subject.findings(timed):
        if finding.verdict == "exempt":
            show(f"  {finding.promise}: {_said(finding)}")
        elif finding.verdict == "not tried":
            left.setdefault(finding.reason, []).append(finding.promise)
        elif finding.verdict == "broken":
            n_broken += 1
            _show_fault(subject.promises[finding.promise], finding)
    for reason, names in left.items():
        show(f"  not tried, since {reason}: {', '.join(names)}")
    return n_broken


def _said(finding: Finding) -> str:
    if finding.verdict == "broken":
        return "BROKEN"
    return f"{finding.verdict} ({finding.reason})" if finding.reason else finding.verdict


def _show_fault(promise: str, finding: Finding) -> None:
    show(f"    {promise}")
    show(f"    {finding.reason}")
    for line in finding.example.splitlines():
        show(f"      {line}")
    if printed := (finding.output or "").splitlines()[-MOST_OUTPUT:]:
        show("    it printed:")
        for line in printed:
            show(f"      {line}")
