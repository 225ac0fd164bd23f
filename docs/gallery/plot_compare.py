"""
Compare estimators in hand
==========================

``spcabench.compare`` has the metrics and the rules of a run, without a suite.
"""

# %%
# Five methods on the breast cancer measurements, three components, at four cardinalities.
from sklearn.datasets import load_breast_cancer

import spcabench

X = load_breast_cancer().data
names = ["pca", "tpower", "rsvd_l1", "cop", "st"]
results = spcabench.compare(
    {name: spcabench.make(name, n_components=3) for name in names},
    X,
    n_nonzero=[2, 4, 8, 16],
    metrics=["cpev", "nor"],
    preprocess="standardise",
)
print(results.best("cpev")[["sparsity", "method", "mean", "not_ruled_out"]].round(4).to_string(index=False))

# %%
# Figures are those of a report; in a notebook they show themselves.
chart = results.figure("cpev_curve")
