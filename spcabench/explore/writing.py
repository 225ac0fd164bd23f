"""What a try leaves in its folder."""

from __future__ import annotations

import pandas as pd

from spcabench.explore.answer import Answer
from spcabench.explore.document import document
from spcabench.explore.refit import notebook, script
from spcabench.report.build import write
from spcabench.store.files import write_bytes
from spcabench.store.folder import RunFolder


def write_answer(found: Answer, folder: RunFolder) -> None:
    """Write the loadings, the Python that fits them again, and the report with its figures."""
    names = [f"PC{j + 1}" for j in range(len(found.whole))]
    loadings = pd.DataFrame(found.whole.T, index=pd.Index(found.table.names, name="variable"), columns=names)
    write_bytes(folder.path / "loadings.csv", loadings.to_csv().encode())
    write_bytes(folder.path / "refit.py", script(found.steps).encode())
    write_bytes(folder.path / "refit.ipynb", notebook(found.source.file.name, found.steps).encode())
    write(document(found), folder)
