"""The command that tries a table as a user would, and remakes what the site shows of it: reports/try.

::

    python tests/published/trying.py

The table is wine as CSV, with an id, a column of classes, missing values and a column that does not vary.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

KEPT = Path(__file__).parents[2] / "reports" / "try"
WORDS = ("try", "wine.csv")


def wine() -> pd.DataFrame:
    """Return the table."""
    bunch = load_wine(as_frame=True)
    random = np.random.default_rng(0)
    frame = bunch.data.copy()
    frame.insert(0, "sample id", [f"w{number:03}" for number in random.permutation(len(frame))])
    for column in ("ash", "proline", "hue"):
        frame.loc[random.choice(len(frame), 4, replace=False), column] = np.nan
    return frame.assign(cultivar=[f"cultivar {target + 1}" for target in bunch.target], vineyard=1)


def main() -> None:
    """Try it, and keep what is printed and a figure."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        wine().to_csv(Path(folder) / "wine.csv", index=False)
        done = subprocess.run(
            [sys.executable, "-m", "spcabench", *WORDS], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
        )
        (KEPT / "wine.txt").write_text(f"$ spcabench {' '.join(WORDS)}\n{done.stdout}", encoding="utf-8")
        shutil.copy(Path(folder) / "reports" / "try-wine" / "figures" / "heat_map.png", KEPT / "heat_map.png")


if __name__ == "__main__":
    main()
