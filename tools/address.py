"""Put the address of the repository into what an index of packages shows, before a release is built.

``python tools/address.py https://HOST/OWNER/NAME TAG`` makes the links of README.md absolute, and adds the addresses to
pyproject.toml, to that of the library, and to CITATION.cff.  The files of the checkout name no address, so that a copy
elsewhere names its own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def readme(text: str, address: str, tag: str) -> str:
    """Return a page with links that lead to files of the repository at a tag."""

    def led(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        kind = "raw" if mark else "blob"
        return f"{mark}[{words}]({address}/{kind}/{tag}/{target})"

    return re.sub(r"(!?)\[([^\]]+)\]\((?![a-z]+:|#)([^)\s]+)\)", led, text)


def project(text: str, address: str, tag: str) -> str:
    """Return a pyproject.toml with the addresses of the project."""
    places = {"Source": "", "Issues": "/issues", "Changelog": f"/blob/{tag}/CHANGELOG.md"}
    urls = "\n".join(f'{name} = "{address}{place}"' for name, place in places.items())
    return text.replace("[tool.hatch.version]", f"[project.urls]\n{urls}\n\n[tool.hatch.version]", 1)


def addressed(root: Path, address: str, tag: str) -> None:
    """Change the four files of a checkout."""
    library = "plugins/spcabench_methods/pyproject.toml"
    for name, change in {"README.md": readme, "pyproject.toml": project, library: project}.items():
        file = root / name
        file.write_text(change(file.read_text(encoding="utf-8"), address, tag), encoding="utf-8")
    with (root / "CITATION.cff").open("a", encoding="utf-8") as citation:
        citation.write(f"repository-code: {address}\n")


if __name__ == "__main__":
    addressed(ROOT, sys.argv[1].rstrip("/"), sys.argv[2])
