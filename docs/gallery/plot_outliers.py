"""
Outliers: two components, one error
===================================

One sample in twenty is wrong.  An ordinary component is drawn to these; a robust one stays with the rest.
"""

# %%
# Two hundred samples; the true component has the first five of thirty features.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_methods import RSPCA, TPower

rng = np.random.default_rng(0)
n, d, k = 200, 30, 5
X = rng.standard_normal((n, d))
X[:, :k] += 1.2 * rng.standard_normal((n, 1))
wrong = np.zeros(n, dtype=bool)
wrong[rng.choice(n, 10, replace=False)] = True
X[wrong, 20:25] += 7.0 * rng.choice([-1, 1], (10, 1))

models = {"TPower": TPower(1, k), "RSPCA": RSPCA(1, k)}
rows = []
for name, model in models.items():
    score = model.fit_transform(X)[:, 0]
    left = X - model.mean_ - np.outer(score, model.components_[0])
    distance = np.linalg.norm(left, axis=1)
    kind = np.where(wrong, "wrong sample", "right sample")
    rows.append(pd.DataFrame({"score": score, "distance": distance, "kind": kind, "method": name}))
    print(f"{name}: features {np.flatnonzero(model.components_[0]).tolist()}")

# %%
# Seen from the robust component, the wrong samples are far from the line that the others are near to.  The ordinary
# component goes through them, and they look like large scores.
chart = (
    alt.Chart(pd.concat(rows))
    .mark_point(filled=True, size=60, opacity=0.8)
    .encode(
        alt.X("score", title="score"),
        alt.Y("distance", title="distance from the component", scale=alt.Scale(zero=False)),
        alt.Color("kind", title=None, scale=alt.Scale(range=["#9aa5ad", "#b00020"])),
        alt.Shape("kind", title=None),
        alt.Column("method", title=None, sort=list(models)),
    )
    .properties(width=300, height=280)
)
