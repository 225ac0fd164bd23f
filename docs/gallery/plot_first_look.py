"""
A first look: how much does sparsity cost?
==========================================

Thirteen measurements of 178 wines.  How much of the variance do two components keep, if each has only k of them?
"""

# %%
# Fit at each number of nonzeros, with three methods.
import altair as alt
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import spcabench

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
names = ["tpower", "rsvd_l1", "st"]
rows = [
    {"method": name, "nonzeros": k, "variance": spcabench.make(name, n_components=2, n_nonzero=k).fit(X).cpev_[-1]}
    for name in names
    for k in range(1, 14)
]

# %%
# Four of thirteen measurements already have most of what the dense components have.  Soft thresholds (``rsvd_l1``)
# shrink the entries that they keep, which costs variance; :ref:`sphx_glr_made_examples_plot_certificate.py` shows what
# is possible.
curves = (
    alt.Chart(pd.DataFrame(rows))
    .mark_line(point=True, strokeWidth=2.5)
    .encode(
        alt.X("nonzeros", title="nonzeros of each component", axis=alt.Axis(tickMinStep=1)),
        alt.Y("variance", title="share of the variance", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 0.6])),
        alt.Color("method", sort=names),
    )
)
dense = spcabench.make("pca", n_components=2).fit(X).cpev_[-1]
line = alt.Chart(pd.DataFrame({"y": [dense]})).mark_rule(strokeDash=[5, 4], color="#555").encode(y="y")
chart = (curves + line).properties(width=560, height=320, title="Wine: variance of two components; dashed: PCA")
