"""
A whole path
============

COP-PCA follows the loading from all features down to one.  The entries that last longest carry the component.
"""

# %%
# The path of the first component of wine.
import altair as alt
import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from spcabench_methods import COPPCA

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
path = COPPCA(1, 3).fit(X).path_[0].table(n_points=400, n_features=13)
names = np.array(wine.feature_names)[path["features"]]
length = np.sqrt(path["l2_squared"]) * np.sign(path["loadings"][-1].sum())
rows = [
    {"feature": name, "entries": entries, "loading": value}
    for name, column in zip(names, path["loadings"].T, strict=True)
    for entries, value in zip(path["l1"] ** 2 / path["l2_squared"], column / length, strict=True)
]

# %%
# To the left the loading is dense; to the right a single feature is left.  The horizontal axis is the number of entries
# that a vector of the same l1 and l2 norms would have if these were equal, from many to one.
chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_line()
    .encode(
        alt.X("entries", scale=alt.Scale(reverse=True), title="effective number of entries, (l1 / l2)²"),
        alt.Y("loading"),
        alt.Color("feature", sort=list(names), scale=alt.Scale(scheme="tableau20")),
    )
    .properties(width=560, height=340)
)
