"""
Handwritten digits
==================

PCA mixes all pixels in each component.  Sparse components keep a few, and one sees strokes.
"""

# %%
# Eight components of the 1797 digits that come with scikit-learn, by three methods.
import altair as alt
import pandas as pd
from sklearn.datasets import load_digits
from spcabench_methods import PCA, SPCArt, TPower

X = load_digits().data
models = {
    "PCA, 64 pixels": PCA(8),
    "TPower, 12 pixels": TPower(8, 12),
    "SPCArt, 12 pixels": SPCArt(8, 12, truncation="sp"),
}
rows = [
    {"method": name, "component": f"{j + 1}", "x": pixel % 8, "y": pixel // 8, "loading": value / abs(row).max()}
    for name, model in models.items()
    for j, row in enumerate(model.fit(X).components_)
    for pixel, value in enumerate(row)
]
for name, model in models.items():
    print(f"{name}: {model.cpev_[-1]:.1%} of the variance")

# %%
# Red and blue are opposite signs, white is exactly zero.
chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_rect()
    .encode(
        alt.X("x:O", axis=None),
        alt.Y("y:O", axis=None),
        alt.Color("loading", scale=alt.Scale(scheme="redblue", domain=[-1, 1], reverse=True), legend=None),
        alt.Column("component:O", title=None),
        alt.Row("method:N", title=None, sort=list(models)),
    )
    .properties(width=80, height=80)
)
