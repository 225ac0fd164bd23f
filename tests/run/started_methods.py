"""A plugin of a method with starts: its loading is the feature that the start names."""

import os

import numpy as np

from spcabench import MethodSpec, OneOf, Parameter, hookimpl

PLACES = {"ones": 0, "pca": 1, "max_variance": 2}


class Started:
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
    begin = Parameter("ones", OneOf(*PLACES), "the start")
    return [
        MethodSpec(
            name="started",
            estimator=f"{__name__}:Started",
            parameters={"begin": begin},
            starts="begin",
        )
    ]
