"""Put a figure of a finished run into the gallery, and note in reports/gallery/suites.csv what its suite is.

::

    python tools/gallery.py SUITE=FIGURE.png ...

A suite whose content has another hash than the list says is newer than its picture, and a test fails.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from shipped import shipped
from snapshots import REPORTS, read, write

LIST = REPORTS / "gallery" / "suites.csv"
SHOWN = ("datasets", "methods", "n_components", "n_nonzero", "starts", "metrics", "report")
"""What of a suite its picture shows."""

WIDEST = 1600

OLDER = "older"
"""In place of a hash: the picture is known to be older than its suite."""


def content(suite: str) -> str:
    """Return the hash of what a picture of a suite shows."""
    shown = shipped(suite).suite.model_dump(mode="json", include=set(SHOWN))
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:12]


def copied(file: Path, to: Path) -> None:
    """Keep a figure in 256 colours, no wider than the gallery allows."""
    from PIL import Image  # which the tests have not

    with Image.open(file) as figure:
        shown = figure.convert("RGB")
    shown.thumbnail((WIDEST, 100 * WIDEST))
    shown.quantize(256).save(to, optimize=True)


def main(pictures: Sequence[str]) -> None:
    """Copy the figures, and write the hashes of their suites anew."""
    rows = {row["suite"]: row["content"] for row in read(LIST).rows}
    for suite, _, file in (picture.partition("=") for picture in pictures):
        copied(Path(file), LIST.parent / f"{suite}.png")
        rows[suite] = content(suite)
    write(LIST, ({"suite": suite, "content": rows[suite]} for suite in sorted(rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
