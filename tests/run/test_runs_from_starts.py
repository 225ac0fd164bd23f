"""The same method from several starts."""

import os
from pathlib import Path

import numpy as np

from spcabench import MethodSpec, OneOf, Parameter, hookimpl

PLACES = {"ones": 0, "pca": 1, "max_variance": 2}


class Started:
    """Its loading is the feature that the start names."""

    def __init__(self, n_components=1, begin="ones"):
        self.n_components = n_components
        self.begin = begin

    def fit(self, X, y=None):
        if len(X) != 24 and "STARTED_LOG" in os.environ:  # 24 rows: the warm-up
            with open(os.environ["STARTED_LOG"], "a", encoding="utf-8") as log:
                log.write(f"{self.begin}\n")
        self.components_ = np.roll(np.eye(X.shape[1]), -PLACES[self.begin], axis=0)[: self.n_components]
        return self


@hookimpl
def spcabench_methods():
    begin = {"begin": Parameter("ones", OneOf(*PLACES), "the start")}
    return [MethodSpec(name="started", estimator=f"{__name__}:Started", parameters=begin, starts="begin")]


def test_a_method_runs_from_each_start_and_once_from_those_that_are_the_same(here, place, monkeypatch):
    monkeypatch.setenv("STARTED_LOG", str(place / "log"))
    starts = ["own", "ones", "pca", "random"]
    methods = ["pca", "started"]
    frame, folder, _ = here(plugins=[Path(__file__)], methods=methods, n_components=1, starts=starts)
    cells = frame.set_index(["method", "start"])
    assert cells["status"].to_dict() == {
        ("pca", "own"): "ok",
        ("started", "own"): "ok",
        ("started", "ones"): "ok",
        ("started", "pca"): "ok",
        ("started", "random"): "skipped",
    }
    assert "started does not start from random; valid is one of ones, pca" in cells["reason"]["started", "random"]
    assert cells["own_start"].to_dict()["started", "own"] == "ones"
    assert (place / "log").read_text().split() == ["ones", "ones", "pca", "pca"], "short fits are made once more"
    found = {start: folder.loadings(cells["key"]["started", start])["components"] for start in ("own", "ones", "pca")}
    assert np.flatnonzero(found["own"]) == np.flatnonzero(found["ones"]) == 0
    assert np.flatnonzero(found["pca"]) == 1
