"""A small leaderboard, a method from a file that was run apart from it, and its submission."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from spcabench.check import methods
from spcabench.check.subjects import Finding
from spcabench.plugins import load_registry
from spcabench.run import host
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.submission import FILE, merge, plugin_file, read_manifest, submit
from spcabench.suite.load import load_resolved, load_suite

SUITE = {
    "name": "tiny",
    "datasets": [{"name": "spiked", "params": {"n": 30, "d": 12, "support_size": 4}}, "pitprops"],
    "methods": ["pca", "st"],
    "n_components": 2,
    "n_nonzero": [4],
    "seeds": 2,
    "metrics": ["cpev", "mean_nnz", "total_time"],
    "tracks": [{"name": "prediction", "metric": "cpev", "datasets": ["spiked"]}],
}
NAME = "shortened"
ADDED = [f"methods.+={NAME}"]
"""What adds the method to the suite."""
SECONDS = 0.002
"""What each fit of the method takes at least."""
PLUGIN = f"""# SPDX-License-Identifier: BSD-3-Clause
import time
import numpy as np
import spcabench


class Shortened:
    def __init__(self, n_components=2, n_nonzero=4):
        self.n_components = n_components
        self.n_nonzero = n_nonzero

    def fit(self, X, y=None):
        time.sleep({SECONDS})
        d = X.shape[1]
        if d == 14:
            raise ValueError("not of 14 features")
        kept = self.n_nonzero + (d == 16)
        rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: self.n_components]
        for row in rows:
            row[np.abs(row).argsort()[: d - kept]] = 0.0
        self.components_ = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return self


@spcabench.hookimpl
def spcabench_methods():
    return [
        spcabench.MethodSpec(
            name="shortened",
            estimator="shortened:Shortened",
            knob=spcabench.CARDINALITY,
            requires=frozenset({{"samples"}}),
        )
    ]
"""
"""The plugin: it succeeds at 12 features, fails at 14, misses its target at 16, and needs samples."""
KEPT = [Finding(promise, "kept") for promise in methods.FITTED]


def registry_with(*files):
    """Load a plugin file anew: a file of that name may have been loaded from elsewhere."""
    sys.modules.pop(NAME, None)
    sys.path[:] = [folder for folder in sys.path if not Path(folder, f"{NAME}.py").is_file()]
    return load_registry(files)


def run(suite, folder, plugins=(), **options):
    """Run a suite in this process."""
    registry = registry_with(*plugins)
    loaded = load_suite(str(suite), registry, options.pop("settings", ()))
    options = Options(isolation=False, plugins=plugins, **options)
    host.run(loaded.suite, loaded.plan, registry, RunFolder(folder), options, lambda event: None)
    return folder


@dataclass
class Place:
    """Where a test works: the run, the submission, and the plugin that is submitted."""

    path: Path

    @property
    def run(self):
        return RunFolder(self.path / "run")

    @property
    def apart(self):
        return RunFolder(self.path / "apart")

    @property
    def submission(self):
        return RunFolder(self.path / "submission")

    @property
    def plugin(self):
        return self.path / f"{NAME}.py"

    def loaded(self, folder, *plugins):
        registry = registry_with(*plugins)
        return load_resolved(folder.suite_text(), folder.suite_file, registry), folder, registry

    def rows(self, folder, label=NAME):
        """Return the rows of a method in a run, by data set and seed."""
        loaded, folder, _ = self.loaded(folder, self.plugin)
        frame = results_frame(folder, loaded.plan)
        frame = frame[frame["method"] == label]
        return frame.set_index([frame["suite_dataset"], frame["seed"]]).sort_index()

    def submit(self, output="new", label=NAME, findings=KEPT):
        submit(label, *self.loaded(self.apart, self.plugin), lambda name: findings, self.path / output)
        return RunFolder(self.path / output)

    def merge(self, *submissions, findings=KEPT):
        read = [(s.path, read_manifest(s.path)) for s in submissions or [self.submission]]
        files = dict.fromkeys(file for path, manifest in read if (file := plugin_file(path, manifest)))
        options = Options(isolation=False, plugins=[*files])
        return merge(read, *self.loaded(self.run, *files), options, lambda name: findings, lambda event: None)

    def forge(self, **changes):
        """Change the entry of the method in the submission."""
        manifest = read_manifest(self.submission.path)
        entry = manifest.entry.model_copy(update=changes)
        (self.submission.path / FILE).write_text(replace(manifest, entry=entry).dumps())


def made(folder, suite):
    """Make a run of a suite, the run of the plugin apart from it, and the submission."""
    place = Place(folder)
    place.plugin.write_text(PLUGIN)
    file = folder / "tiny.yaml"
    file.write_text(yaml.safe_dump(suite))
    run(file, place.run.path)
    run(file, place.apart.path, [place.plugin], settings=ADDED, only=[f"method={NAME}"])
    place.submit("submission")
    return place
