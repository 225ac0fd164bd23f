"""Small synthetic runs."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from kept import keep_loadings

from spcabench.report.build import build
from spcabench.report.model import Results
from spcabench.specs import MetricSpec
from spcabench.store.about import About, DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.frame import Level
from spcabench.suite.models import Suite

ABOUT = About(
    command="spcabench run demo",
    scale="quick",
    settings=("seeds=2",),
    environment={"python": "3.x", "CPU": "some | chip"},
)

METRICS = {
    spec.name: spec
    for spec in (
        MetricSpec(
            name="cpev",
            compute="m:f",
            title="Explained variance",
            formula="tr(Q'CQ)/tr(C)",
            range=(0, 1),
            better="higher",
            unit="share",
            source="Shen & Huang 2008",
        ),
        MetricSpec(name="err", compute="m:f", title="Reconstruction error", better="lower"),
        MetricSpec(name="nor", compute="m:f", title="Nonorthogonality", range=(0, 1), better="lower"),
        MetricSpec(name="mean_nnz", compute="m:f", title="Mean nonzeros", better="lower", unit="count", sparsity=True),
        MetricSpec(name="fit_time", compute="m:f", title="Seconds of the fit", unit="s", better="lower"),
    )
}


def cell(method="pca", seed=0, dataset="toy", n_nonzero=None, **changes):
    """Return a row of the frame that finished."""
    row = {
        "dataset": dataset,
        "suite_dataset": dataset,
        "draw_id": f"draw{seed}",
        "stand_in": False,
        "method": method,
        "method_name": "pca",
        "start": "own",
        "own_start": "",
        "family": method.partition("_")[0],
        "n_components": 3,
        "n_nonzero": Level(n_nonzero),
        "seed": seed,
        "status": "ok",
        "reason": "",
        "metric_errors": "",
        "key": f"{method}-{seed}",
        "fit_time": 0.5,
        "cpu_time": 0.5,
        "search_time": 0.0,
        "n_fits": 0.0,
        "peak_memory": 12.5,
        "cold_time": 0.75,
        "contended": False,
        "fitted_nonzeros": math.nan,
        "missed_components": math.nan if n_nonzero is None else 0.0,
        "knob": "none" if n_nonzero is None else "cardinality",
        "nnz": (),
        "threads": 1,
        "stop": "",
        "trace": None,
        "cpu_times": (0.5,),
        "random_data": True,
        "fitted_at": f"2020-01-0{1 + seed % 9}T00:00:00+00:00",
        "worker": "",
        "own_clock": "",
        "note": "",
    }
    return row | changes


class Maker:
    """Make results in a folder; calls with the same folder describe the same run anew."""

    cell = staticmethod(cell)

    def __init__(self, path):
        self.folder = RunFolder(path)
        self.folder.make()

    def __call__(self, cells, **suite):
        whole = {
            "name": "demo",
            "title": "A demo",
            "datasets": ["toy"],
            "methods": ["pca"],
            "n_components": 3,
            "n_nonzero": [4],
            "metrics": ["cpev"],
        } | suite
        return Results(
            suite=Suite.model_validate(whole),
            folder=self.folder,
            frame=pd.DataFrame(cells),
            metrics=METRICS,
            about=ABOUT,
        )

    def draw(self, draw_id="draw0", n_features=6, **changes):
        """Keep what is known of a draw, and three of its samples."""
        known = {
            "id": draw_id,
            "label": "toy",
            "facts": ["samples"],
            "n_samples": 20,
            "n_features": n_features,
            "image_shape": None,
            "feature_names": [],
            "notes": "made up",
            "fingerprint": "f00d",
            "files": [],
            "stand_in": "",
            "stamp": {},
        }
        X = np.arange(3.0 * n_features).reshape(3, n_features)
        record = DrawRecord.loads(json.dumps(known | changes))
        self.folder.save_draw(record, {"X": X, "X_clean": X / 2})

    def loadings(self, key, n_features=6):
        """Keep loadings with one nonzero each."""
        components = np.eye(3, n_features) * np.array([[1], [-1], [1]])
        keep_loadings(self.folder, key, components=components, mean=np.zeros(n_features))


@pytest.fixture
def make(tmp_path):
    return Maker(tmp_path / "run")


@pytest.fixture(scope="session")
def another(tmp_path_factory):
    """Return what begins a run that several tests look at."""
    return lambda: Maker(tmp_path_factory.mktemp("another") / "run")


@pytest.fixture
def full(make):
    return full_run(make)


@pytest.fixture(scope="session")
def full_built(tmp_path_factory):
    """Return a full run with its report, not to be changed."""
    results = full_run(Maker(tmp_path_factory.mktemp("full") / "run"))
    build(results)
    return results


def full_run(make):
    """Return a run with everything a report can show: images and few variables, seeds, levels, failures."""
    cells = []
    for dataset, stand_in in (("toy", False), ("faces [stand-in: digits]", True)):
        for method in ("pca", "gpower_l0", "gpower_l1"):
            for seed in range(2):
                key = f"{dataset[:3]}-{method}-{seed}"
                error = {f"err@{m}": 10.0 / m + seed + len(method) / 10 for m in (1, 2, 3)}
                values = {"cpev": 0.5 + len(method) / 100 + seed / 50, "mean_nnz": 4.0} | error
                about = {"dataset": dataset, "stand_in": stand_in, "draw_id": f"{dataset[:3]}{seed}", "key": key}
                target = None if method == "pca" else 4
                cells.append(cell(method, seed, fitted_nonzeros=4.0, n_nonzero=target, **about, **values))
                make.loadings(key)
    cells[3] |= {"status": "timeout", "reason": "600 s | over", "cpev": float("nan"), "err@1": float("nan")}
    for seed in range(2):
        make.draw(f"toy{seed}", feature_names=list("abcdef"))
        make.draw(f"fac{seed}", image_shape=[2, 3], facts=["samples", "image"])
    rows = [{"method": name, "metrics": {"cpev": value}} for name, value in (("pca", 0.6), ("gpower_l1", 0.5))]
    published = [{"source": "Somebody 2020, Table 1", "dataset": "toy", "rows": rows}]
    return make(cells, published=published, seeds=2)
