"""
Components together
===================

The best component, then the best after it, and so on, are not the components that are best together; and what is best
depends on the criterion.
"""

# %%
# Five components of four features each on wine.  ``exact`` proves that each of its components is the best one after
# those before it.  ``joint`` finds loadings that span the most, with cosines of at most 0.1 unless a start has larger
# ones; with the limit 1 they may be alike.  The last row takes the adjusted variance as the criterion instead.
import altair as alt
import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

import spcabench

S = np.corrcoef(load_wine().data.T)
settings = {
    "one after the other": ("exact", {}),
    "rotation": ("spcart_sp", {}),
    "joint": ("joint", {}),
    "joint, no limit": ("joint", {"limit": 1.0}),
    "joint, adjusted": ("joint", {"criterion": "adjusted"}),
}
rows = {}
for title, (name, params) in settings.items():
    fitted = spcabench.make(name, n_components=5, n_nonzero=4, covariance="precomputed", **params).fit(S)
    W = fitted.components_.T
    rows[title] = {
        "span": fitted.cpev_[-1],
        "adjusted": fitted.explained_variance_ratio_.sum(),
        "largest cosine": np.abs(np.triu(W.T @ W, 1)).max(),
    }
table = pd.DataFrame(rows).T
print(table.round(4).to_string())

# %%
# Components that are each proved to be best span less than others, found together.  But the span can be bought:
# loadings that are nearly alike span their difference at no cost, while their scores say nearly the same, and the
# adjusted variance falls.  So the three numbers belong side by side.
chart = (
    alt.Chart(table.rename_axis("components").reset_index())
    .mark_circle(size=180)
    .encode(
        alt.X("span", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
        alt.Y("adjusted", title="adjusted variance", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
        alt.Color("components", sort=list(rows)),
        alt.Size("largest cosine"),
    )
    .properties(width=520, height=340)
)
