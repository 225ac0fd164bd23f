"""
Weights against loadings
========================

Three measurements make the score of a sample; what depends on that score are many more.
"""

# %%
# One component of wine: its sparse weights, and the loadings, which are regressions on the score.
import altair as alt
import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from spcabench_methods import TPower

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
model = TPower(1, 3).fit(X)
score = model.transform(X)[:, 0]
loadings = X.T @ score / (score @ score)
order = list(np.array(wine.feature_names)[np.argsort(-loadings)])

# %%
frame = pd.DataFrame({"weights": model.components_[0], "loadings": loadings, "measurement": wine.feature_names})
chart = (
    alt.Chart(frame.melt("measurement", var_name="what"))
    .mark_bar()
    .encode(
        alt.X("value", title=None),
        alt.Y("measurement", sort=order, title=None),
        alt.Color("what", legend=None, sort=["weights", "loadings"]),
        alt.Column("what", title=None, sort=["weights", "loadings"]),
    )
    .properties(width=280, height=280)
)
