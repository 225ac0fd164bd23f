"""Gene expression: thousands of genes, a few dozen samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from spcabench import Dataset, DatasetSpec, OneOf, Parameter, hookimpl
from spcabench_datasets._local import PATH, local_file

COLON_ADVICE = "colon.csv.gz is Alon et al. 1999, 62 tissues by a column label and 2000 genes, raw intensities"
GOLUB_ADVICE = "Golub et al. 1999 is OpenML's data set 'leukemia' and the object golub of the R package multtest"
GOLUB_FILES = {"raw": "golub.csv.gz", "preprocessed": "golub38_3051.csv.gz"}


def load_colon(rng: np.random.Generator, path: str | None) -> Dataset:
    """Load the colon tissues: class 1 is tumour, 0 normal."""
    return _read(local_file(path, "colon", "colon.csv.gz", COLON_ADVICE), positive="tumour")


def load_golub(rng: np.random.Generator, form: str, path: str | None) -> Dataset:
    """Load the leukemia samples: class 1 is AML, 0 ALL."""
    return _read(local_file(path, "golub", GOLUB_FILES[form], GOLUB_ADVICE), positive="AML")


def _read(file: Path, positive: str) -> Dataset:
    import pandas as pd

    frame = pd.read_csv(file)
    genes = frame.drop(columns=["sample", "split", "label"], errors="ignore")
    return Dataset(
        X=genes.to_numpy(dtype=np.float64),
        y=np.asarray(frame["label"] == positive, dtype=np.int64),
        feature_names=tuple(genes.columns),
        files=(file,),
    )


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the gene expression data."""
    return [
        DatasetSpec(
            name="colon",
            load="spcabench_datasets.genes:load_colon",
            title="colon tissues, 62 x 2000 genes, raw intensities",
            parameters={"path": PATH},
            provides=frozenset({"samples", "labels"}),
            n_features=2000,
            random=False,
            source="Alon, Barkai, Notterman, Gish, Ybarra, Mack and Levine 1999, PNAS 96, 6745-6750",
            licence="none stated by its authors",
        ),
        DatasetSpec(
            name="golub",
            load="spcabench_datasets.genes:load_golub",
            title="leukemia samples: raw 72 x 7129 genes, or preprocessed 38 x 3051",
            parameters={
                "form": Parameter(
                    "preprocessed", OneOf(*GOLUB_FILES), "as published, or as Dudoit et al. 2002 have it"
                ),
                "path": PATH,
            },
            provides=frozenset({"samples", "labels"}),
            random=False,
            source="Golub et al. 1999, Science 286, 531-537",
            licence="none stated by its authors",
        ),
    ]
