"""Let each of several sites in folders beside each other have a menu of all: ``python tools/versions.py FOLDER``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from packaging.version import Version


def listed(folder: Path) -> list[str]:
    """Write the names of the sites in a folder, the newest first, into each, and return them."""
    files = sorted(folder.glob("*/_static/versions.js"), key=lambda file: Version(file.parts[-3]), reverse=True)
    names = [file.parts[-3] for file in files]
    for file in files:
        rest = file.read_text(encoding="utf-8").partition("\n")[2]
        file.write_text(f"const versions = {json.dumps(names)};\n{rest}", encoding="utf-8")
    return names


if __name__ == "__main__":
    print(*listed(Path(sys.argv[1])), sep="\n")
