"""Put a figure of a finished run into the gallery, and note in reports/gallery/suites.csv what its suite is.

::

    python tools/gallery.py SUITE=FIGURE.png ...

A suite whose content has another hash than the list says is newer than its picture, and a test fails.  A picture of
several suites has a name of its own in place of SUITE.
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

OF_SEVERAL = {
    "cop_components": ("cop_pitprops", "cop_colon"),
    "cop_path": ("cop_pitprops",),
    "mnist_samples": ("mnist_noise", "mnist_outlier"),
}
"""Further pictures and their suites; `component_curves.py` draws the first, `image_samples.py` the last."""


def content(picture: str) -> str:
    """Return the hash of what the picture of a suite, or of several, shows."""
    suites = [shipped(suite).suite for suite in OF_SEVERAL.get(picture, (picture,))]
    shown = [suite.model_dump(mode="json", include=set(SHOWN)) for suite in suites]
    told = json.dumps(shown if picture in OF_SEVERAL else shown[0], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:12]


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
    for name, _, file in (picture.partition("=") for picture in pictures):
        copied(Path(file), LIST.parent / f"{name}.png")
        rows[name] = content(name)
    write(LIST, ({"suite": name, "content": rows[name]} for name in sorted(rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
