"""
Returns of shares
=================

Shares move with the market, and with their sector.  Sparse components find the sectors by name.
"""

# %%
# Two years of daily returns of forty shares, drawn from a model with a market and four sectors.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_methods import PCA, TPower

rng = np.random.default_rng(0)
sectors = np.repeat(["banks", "energy", "health", "software"], 10)
shares = [f"{sector} {i + 1}" for sector in dict.fromkeys(sectors) for i in range(10)]
days = 500
market = 0.6 * rng.standard_t(5, (days, 1)) * rng.uniform(0.8, 1.2, 40)
sector = {name: 0.8 * rng.standard_t(5, (days, 1)) for name in dict.fromkeys(sectors)}
own = 0.7 * rng.standard_normal((days, 40))
X = market + np.hstack([sector[name] for name in sectors]) * rng.uniform(0.7, 1.3, 40) + own

# %%
# The market is the mean of all shares; what is left has the sectors.
X = X - X.mean(axis=1, keepdims=True)
models = {"PCA": PCA(4), "TPower, 10 shares": TPower(4, 10)}
rows = [
    {"method": name, "share": share, "component": f"PC{j + 1}", "loading": row[i]}
    for name, model in models.items()
    for j, row in enumerate(model.fit(X).components_)
    for i, share in enumerate(shares)
    if row[i]
]

chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_rect()
    .encode(
        alt.X("share", sort=shares, title=None, axis=alt.Axis(labelFontSize=9)),
        alt.Y("component", title=None),
        alt.Color("loading", scale=alt.Scale(scheme="redblue", domain=[-0.5, 0.5], reverse=True)),
        alt.Row("method", title=None, sort=list(models)),
    )
    .properties(width=640, height=110)
)
