"""The same method from several starts."""

from pathlib import Path

import numpy as np

STARTED = Path(__file__).parent / "started_methods.py"


def test_a_method_runs_from_each_start_and_once_from_those_that_are_the_same(ran, place, monkeypatch):
    monkeypatch.setenv("STARTED_LOG", str(place / "log"))
    frame, folder, _ = ran(
        {"isolation": False},
        plugins=[STARTED],
        methods=["pca", "started"],
        n_components=1,
        starts=["own", "ones", "pca", "random"],
    )
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
    assert (place / "log").read_text().split() == ["ones", "pca"]
    found = {start: folder.loadings(cells["key"]["started", start])["components"] for start in ("own", "ones", "pca")}
    assert np.flatnonzero(found["own"]) == np.flatnonzero(found["ones"]) == 0
    assert np.flatnonzero(found["pca"]) == 1
