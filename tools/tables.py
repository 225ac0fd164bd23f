"""Try seventeen tables, each from a folder of its own: ``python tools/tables.py FOLDER [TIMES] [NAME ...]``.

It prints of each the seconds of CPU, how many different answers so many times have, whether refit.py has the loadings
of the answer when it runs where it is, and the verdict.  What is compiled is kept: the first time takes longer.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from choosing_table import TABLES, Planted
from scipy.linalg import subspace_angles

SPAN = 1e-3
"""The sine of the largest angle of spans that are the same."""
BUNDLED = ("iris", "breast_cancer", "digits", "diabetes", "wine")
"""Tables of scikit-learn, with their targets."""


def drawn(table: Planted, outlier: float = 0.0, name: str = "v{}") -> pd.DataFrame:
    """Draw a table, and name its variables."""
    return pd.DataFrame(table.raw(0, outlier)).rename(columns=name.format)


def files() -> dict[str, Callable[[Path], object]]:
    """Return what writes the other tables, by the names of their files."""
    items, blocks = drawn(TABLES["Likert"], name="item {}"), drawn(TABLES["two equal"])
    genes, counts = Planted(60, 5000, (30, 30), (1.5, 1.5)), Planted(200, 60, (8,), (1,), "counts")
    plain = {"items.csv": items, "blocks.csv": blocks, "outlier.csv": drawn(TABLES["two equal"], 10)}
    plain |= {"noise.csv": drawn(TABLES["nothing"]), "genes.csv": drawn(genes, name="GENE{:05}")}
    plain |= {"counts.csv": drawn(counts).astype(int), "two.csv": blocks[["v0", "v1"]], "three.csv": blocks.head(3)}
    comma = partial(items.to_csv, sep=";", decimal=",", index=False)
    of_r = partial(blocks.rename(index="s{}".format).to_csv, quoting=2, index_label="")
    latin = partial(blocks.rename(columns={"v0": "Größe"}).to_csv, index=False, encoding="latin-1")
    written = {name: partial(frame.to_csv, index=False) for name, frame in plain.items()}
    more = {"items_comma.csv": comma, "of_r.csv": of_r, "latin.csv": latin}
    return {**written, **more, "book.xlsx": partial(blocks.to_excel, index=False)}


def ran(command: list[str], folder: Path) -> tuple[float, str]:
    """Return the seconds of CPU of a Python command with its children, and what it prints, or the fault it names."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.stdout if done.returncode == 0 else done.stderr.splitlines()[-1]


def refitted(folder: Path) -> str:
    """Return whether the script has the loadings of the answer, when it is run where it is.

    Nearly dense loadings span the same whatever their rotation, and which one is found the last bits decide.
    """
    if not folder.is_dir():
        return ""
    (folder / "again.py").write_text((folder / "refit.py").read_text() + "loadings.to_csv('again.csv')\n")
    ran(["again.py"], folder)
    if not (folder / "again.csv").exists():
        return "fails"
    again, held = (pd.read_csv(folder / f"{name}.csv", index_col=0).to_numpy() for name in ("again", "loadings"))
    again = again[:, : held.shape[1]]
    if np.allclose(again, held, atol=1e-8):
        return "same"
    return "same span" if np.sin(subspace_angles(again, held)).max() < SPAN else "differs"


def main(place: str, times: str = "1", *names: str) -> None:
    """Print the table."""
    write = files()
    for name in names or (*BUNDLED, *write):
        folder = Path(place).absolute() / name.partition(".")[0]
        folder.mkdir(parents=True)
        if name in write:
            write[name](folder / name)
        command = ["-m", "spcabench", "try", name, "-o", "answer"]
        runs = [ran(command, folder) for _ in range(int(times))]
        spent = f"{min(seconds for seconds, _ in runs):.1f} | {len({text for _, text in runs})} of {times}"
        verdict = " ".join(runs[0][1].split("\n\n")[0].split())
        print(f"| {name} | {spent} | {refitted(folder / 'answer')} | {verdict} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
