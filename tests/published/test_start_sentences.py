"""What the suites say of starts: in how many of 40 draws a method finds the true supports from a start."""

from pathlib import Path

import pytest

from spcabench.plugins import load_registry
from spcabench.run import host
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import load_suite

ORDINARY = ("tpower", "rsvd_l0", "rsvd_l1", "empca")
ROBUST = ("rspca(p=0)", "rspca(p=0.5)", "rspca(p=1)")
ALL, NONE = {"ones": 40, "pca": 0}, {"ones": 0, "pca": 0, "max_variance": 0}
NOISE, TOY = {"ones": 38, "pca": 1}, {"ones": 40, "pca": 40, "max_variance": 0}

SAID = {
    ("hastie_outlier", "hastie(outlier_variance=1000)"): dict.fromkeys([*ORDINARY, *ROBUST], ALL),
    ("hastie_outlier", "hastie(outlier_variance=6000)"): dict.fromkeys([*ORDINARY, *ROBUST], ALL),
    ("hastie_noise", "hastie(noise_variance=4000)"): {
        **dict.fromkeys(["tpower", "rsvd_l0", "gpower_l0"], NOISE),
        "rspca(p=0)": {"ones": 35, "pca": 1},
    },
    ("toy_outlier", "toy(outlier=7.5)"): {
        **dict.fromkeys(ROBUST, TOY),
        **dict.fromkeys([*ORDINARY, "gpower_l0", "gpower_l1"], NONE),
    },
}
"""The draws with the true supports: by suite and data set, method and start."""


@pytest.mark.nightly
@pytest.mark.parametrize(("suite", "dataset"), SAID)
def test_the_start_has_as_many_exact_supports_as_the_suite_says(suite, dataset, tmp_path: Path):
    registry, folder = load_registry(()), RunFolder(tmp_path / "run")
    loaded = load_suite(suite, registry)
    hits = SAID[suite, dataset]
    only = [f"method={method} from {start},dataset={dataset}" for method, starts in hits.items() for start in starts]
    options = host.Options(isolation=False, only=only)
    host.run(loaded.suite, loaded.plan, registry, folder, options, lambda event: None)
    frame = results_frame(folder, options.chosen(loaded.plan))
    found = frame.groupby(["method", "start"])["exact_support"].sum()
    for method, starts in hits.items():
        assert found[method].to_dict() == starts
