"""The verbs of those who write a plugin: new, check and submission."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, files_of, jobs_option, output_option, registry_of
from spcabench.cli.terminal import say, show
from spcabench.report.find_run import existing_run

if TYPE_CHECKING:
    from spcabench.check.subjects import Finding, Subject
    from spcabench.plugins import Registry

MOST_OUTPUT = 5
"""Lines that are shown of what a process printed before it was ended."""


@click.command("new", epilog="Examples: spcabench new method my_spca; spcabench new method my_spca --single-file")
@click.argument("kind", type=click.Choice(["method", "dataset", "metric", "suite"]))
@click.argument("name")
@click.option("--single-file", is_flag=True, help="Write one file and its suite, and no package to install.")
@click.option("--output", "-o", metavar="FOLDER", help="Where to write.  [default: NAME; of a single file, here]")
def new_verb(kind: str, name: str, single_file: bool, output: str | None) -> None:
    """Write a plugin with one KIND called NAME, or a suite: it runs as it is, for you to change."""
    from spcabench.scaffold import files, write

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
    from spcabench.check.subjects import files_for, subjects, workers
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

    def begun(subject: Subject, promise: str) -> Finding:
        show(f"  {promise}: ", nl=False)
        return find(subject, promise)

    show(f"{subject.kind} {subject.spec.name}, from {subject.origin}")
    n_broken = 0
    for finding in subject.findings(begun):
        untried = finding.verdict in ("exempt", "not tried")
        show(f"  {finding.promise}: " if untried else "", nl=False)
        if finding.verdict == "broken":
            n_broken += 1
            show("BROKEN")
            _show_fault(subject.promises[finding.promise], finding)
        else:
            show(f"{finding.verdict} ({finding.reason})" if finding.reason else finding.verdict)
    return n_broken


def _show_fault(promise: str, finding: Finding) -> None:
    show(f"    {promise}")
    show(f"    {finding.reason}")
    for line in finding.example.splitlines():
        show(f"      {line}")
    if printed := (finding.output or "").splitlines()[-MOST_OUTPUT:]:
        show("    it printed:")
        for line in printed:
            show(f"      {line}")


@click.group("submission", epilog="Example: spcabench submission merge submissions/my_method --into leaderboard")
def submission_verb() -> None:
    """Write a method's results as a folder that a pull request adds, or merge such folders into a run."""


def _findings(files: Sequence[Path], registry: Registry, name: str) -> list[Finding]:
    """Try what a method promises, each promise in a process of its own."""
    from spcabench.check.subjects import subjects, workers

    say(f"checking {name}")
    (subject,) = (one for one in subjects(name, registry) if one.kind == "method")
    with workers(files, [subject]) as find:
        return list(subject.findings(find))


@submission_verb.command(
    epilog="Example: spcabench submission write my_method --plugin my_method.py --run reports/leaderboard "
    "--output submissions/my_method",
)
@click.argument("method", metavar="NAME", shell_complete=complete_name)
@click.option("--run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@output_option("FOLDER", "Where to write; the folder must not be there, or be empty.", required=True, file_okay=False)
@click.pass_context
def write(ctx: click.Context, method: str, run: str, output: Path) -> None:
    """Write what others need to judge the method with the label NAME, whose cells RUN has.

    The folder has its specification, machine and versions, records and loadings, and the file of a single-file plugin.
    A promise that spcabench check finds broken is an error.
    """
    from spcabench.submission import submit

    registry = registry_of(ctx)
    promised = partial(_findings, files_of(ctx), registry)
    n_records = submit(method, *existing_run(run, registry), registry, promised, output)
    show(f"submission: {output}, {n_records} records")


@submission_verb.command(
    epilog="Example: spcabench submission merge submissions/my_method --into reports/leaderboard.  "
    "Exit codes: 0 all were merged, 2 something is wrong: none was, or the same command resumes.",
)
@click.argument(
    "submissions", metavar="FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False)
)
@click.option("--into", "run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@jobs_option
@click.pass_context
def merge(ctx: click.Context, submissions: tuple[Path, ...], run: str, jobs: int) -> None:
    """Try each FOLDER that spcabench submission write wrote, and add its method to RUN.

    The single-file plugins of the submissions are imported, so read them first.  The promises of each method are tried,
    and all its cells are fitted again: what was fitted here counts, and nothing that was submitted.  The same command
    resumes a merge that was stopped.
    """
    from spcabench import submission
    from spcabench.plugins import load_registry, plugin_files
    from spcabench.run.options import Options
    from spcabench.run.progress import listener

    read = [(path, submission.read_manifest(path)) for path in submissions]
    files = [str(file) for path, manifest in read if (file := submission.plugin_file(path, manifest))]
    plugins = plugin_files([*(ctx.find_root().obj or ()), *files])
    registry = load_registry(plugins)
    options = Options(jobs=jobs, plugins=plugins)
    with listener() as tell:
        found = submission.merge(
            read, *existing_run(run, registry), registry, options, partial(_findings, plugins, registry), tell
        )
    for label, said in found.items():
        show(f"{label}, merged into {run}: {said}")
    named = "".join(f" --plugin {file}" for file in files)
    show(f"to make the site: spcabench site {run}{named} --output site")
