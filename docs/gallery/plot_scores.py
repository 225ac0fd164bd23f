"""
Scores of components that overlap
=================================

Projections on overlapping components count what these share twice.  Scores by least squares do not.
"""

# %%
# Two components of ten features, of which they share more and more.  How much of the samples is not reconstructed?
import altair as alt
import numpy as np
import pandas as pd

rng = np.random.default_rng(0)
t = rng.standard_normal((400, 2)) * [3.0, 2.5]
noise = 0.5 * rng.standard_normal((400, 30))
rows = []
for shared in range(10):
    W = np.zeros((30, 2))
    W[:10, 0] = W[10 - shared : 20 - shared, 1] = 1 / np.sqrt(10)
    X = t @ W.T + noise
    for name, scores in {"projection": X @ W, "least squares": X @ np.linalg.pinv(W).T}.items():
        lost = np.sum((X - scores @ W.T) ** 2) / np.sum(X**2)
        rows.append({"shared": shared, "scores": name, "lost": lost})

# %%
# With nine of ten features shared, the projections miss more than they find.
chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_line(point=True, strokeWidth=2.5)
    .encode(
        alt.X("shared", title="features that the two components share, of ten", axis=alt.Axis(tickMinStep=1)),
        alt.Y("lost", title="share of the samples that is not reconstructed", axis=alt.Axis(format="%")),
        alt.Color("scores", sort=["projection", "least squares"]),
    )
    .properties(width=520, height=300)
)
