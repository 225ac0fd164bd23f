"""Scaffolds: plugins and suites that already run, for a user to change.

The templates are a plugin called ``example`` that is checked and tested as it is; another name takes the place of that
word.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
from collections.abc import Mapping
from pathlib import Path

from spcabench.store.files import write_bytes
from spcabench.wording import Fault, InputError, encoded

TEMPLATES = Path(__file__).parent / "templates"
MODULE = "spcabench_example"


def files(kind: str, name: str, *, single: bool) -> Mapping[Path, str]:
    """Return the files of a scaffold, relative to its folder, and their text.

    Parameters
    ----------
    kind : {"method", "dataset", "metric", "suite"}
        What is wanted.
    name : str
        What a suite is to call it.
    single : bool
        Whether the plugin is one file, to be named by ``--plugin``, and no package.

    Raises
    ------
    InputError
        If the name is not valid, or that of an installed module.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise InputError(f"the name is '{name}'; valid are lower case letters, digits and underscores, a letter first")
    whole = kind != "suite" and not single
    module = f"spcabench_{name}" if whole else name
    if kind != "suite" and importlib.util.find_spec(module) and not Path(f"{module}.py").exists():
        raise InputError(f"the name '{module}' is that of an installed module; choose another")
    sources = [*_files(TEMPLATES / kind), *(_files(TEMPLATES / "package") if whole else [])]
    if not whole:
        sources = [(file, text) for file, text in sources if file.parent == Path()]
    return {Path(_renamed(str(file), name, module)): _renamed(text, name, module) for file, text in sources}


def write(folder: Path, texts: Mapping[Path, str]) -> None:
    """Write files into a folder, none of which may be there.

    Raises
    ------
    InputError
        If one is there already; nothing is written then.
    """
    there = [
        Fault("is there already; nothing was written", str(folder / file)) for file in texts if (folder / file).exists()
    ]
    if there:
        raise InputError(there)
    for file, text in texts.items():
        write_bytes(folder / file, encoded(text))


def _files(folder: Path) -> list[tuple[Path, str]]:
    return [
        (file.relative_to(folder), file.read_text(encoding="utf-8"))
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    ]


def _renamed(text: str, name: str, module: str) -> str:
    """Put a name in place of ``example``, in the forms in which it occurs."""
    title = "".join(part.capitalize() for part in name.split("_"))
    text = text.replace(MODULE, module).replace("spcabench-example", f"spcabench-{name.replace('_', '-')}")
    return text.replace("Example", title).replace("example", name)
