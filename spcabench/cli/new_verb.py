"""The verb new."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.cli.terminal import show


@click.command("new", epilog="Examples: spcabench new method my_spca; spcabench new method my_spca --single-file")
@click.argument("kind", type=click.Choice(["method", "dataset", "metric", "suite"]))
@click.argument("name")
@click.option("--single-file", is_flag=True, help="Write one file and its suite, and no package to install.")
@click.option("--output", "-o", metavar="FOLDER", help="Where to write.  [default: NAME; of a single file, here]")
def command(kind: str, name: str, single_file: bool, output: str | None) -> None:
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
