"""Try a table as a new user would, and print the transcript, which the site has.

::

    python tools/trying.py

The table is wine as CSV, with an id, a column of classes, missing values and a column that does not vary.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

COMMAND = "python tools/trying.py"
TRY = "spcabench try wine.csv"
USED = "python use.py"

HEAD = f"""# A table from the command to a pipeline

`wine.csv` has 13 measurements of 178 wines, a column that numbers the samples, one with their cultivar, one that does
not vary, and 12 missing values.  `{COMMAND}` writes the table, runs what follows, and prints this
transcript.
"""

USE = """from pathlib import Path

import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

exec(Path("reports/try-wine/refit.py").read_text())  # it makes X and model, a pipeline

cultivar = pd.read_csv("wine.csv")["cultivar"][X.index]
classifier = make_pipeline(model, LogisticRegression())
print(f"accuracy, five folds: {cross_val_score(classifier, X, cultivar, cv=5).mean():.2f}")
"""


def wine() -> pd.DataFrame:
    """Return the table."""
    bunch = load_wine(as_frame=True)
    random = np.random.default_rng(0)
    frame = bunch.data.copy()
    frame.insert(0, "sample id", [f"w{number:03}" for number in random.permutation(len(frame))])
    for column in ("ash", "proline", "hue"):
        frame.loc[random.choice(len(frame), 4, replace=False), column] = np.nan
    return frame.assign(cultivar=[f"cultivar {target + 1}" for target in bunch.target], vineyard=1)


def printed(command: str, folder: Path) -> str:
    """Return what a command prints in a folder; what goes on is on the other stream."""
    program, *words = shlex.split(command)
    python = [sys.executable, *(["-m", program] if program == "spcabench" else [])]
    done = subprocess.run(
        [*python, *words], cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return done.stdout.replace(f"{folder}/", "").strip("\n")


def page() -> str:
    """Run the commands and return the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        wine().to_csv(folder / "wine.csv", index=False)
        tried = printed(TRY, folder)
        (folder / "use.py").write_text(USE, encoding="utf-8")
        used = printed(USED, folder)
    parts = (
        HEAD,
        f"```text\n$ {TRY}\n{tried}\n```\n",
        "The printed Python goes on in a pipeline of one's own, here `use.py`:\n",
        f"```text\n{USE}```\n",
        "It prints:\n",
        f"```text\n$ {USED}\n{used}\n```\n",
    )
    return "\n".join(parts)


if __name__ == "__main__":
    print(page())
