"""
Genes: fifty of two thousand
============================

More features than samples, and few of them carry the difference.  If ``SPCABENCH_DATA`` has Golub's leukemia samples
they are used; otherwise expression is drawn here, with two modules of genes that differ between three classes.
"""

# %%
# The data: 38 samples of 3051 genes, or 60 samples of 2000.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_datasets.collection import load
from spcabench_methods import PCA, TPower

from spcabench import DataUnavailable

rng = np.random.default_rng(0)
try:
    golub = load("golub", rng, train=None)
    X, classes = golub.X, np.where(golub.y, "AML", "ALL")
except DataUnavailable:
    classes = np.repeat(["type A", "type B", "type C"], 20)
    X = rng.standard_normal((60, 2000))
    X[:20, :25] += 1.6
    X[40:, 25:50] -= 1.6

# %%
# Two components of 25 genes each show the classes; the dense ones take all genes for that.
models = {f"PCA, {X.shape[1]} genes": PCA(2), "TPower, 25 + 25 genes": TPower(2, 25)}
frames = []
for name, model in models.items():
    scores = model.fit_transform(X)
    scores = scores / scores.std(axis=0)
    frames.append(pd.DataFrame({"PC1": scores[:, 0], "PC2": scores[:, 1], "class": classes, "method": name}))
    print(f"{name}: {model.cpev_[-1]:.1%} of the variance")

chart = (
    alt.Chart(pd.concat(frames))
    .mark_point(filled=True, size=90, opacity=0.8)
    .encode(
        alt.X("PC1", title="first score"),
        alt.Y("PC2", title="second score"),
        alt.Color("class", title=None),
        alt.Shape("class", title=None),
        alt.Column("method", title=None, sort=list(models)),
    )
    .properties(width=300, height=300)
)
