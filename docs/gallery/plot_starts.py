"""
Random starts, and the best of them
===================================

The truncated power method ends at a local optimum.  The more correlated the features, the more of these there are.
"""

# %%
# Two hundred random starts for each cardinality, beside what is proved to be the best.
import altair as alt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from spcabench_methods import ExactSPCA, TPower

S = np.corrcoef(load_breast_cancer().data.T)
rng = np.random.default_rng(0)
rows = []
for k in (3, 5, 7):
    best = ExactSPCA(1, k, covariance="precomputed").fit(S).objective_[0]
    for seed in range(200):
        power = TPower(1, k, init="random", random_state=seed, polish=False, covariance="precomputed")
        rows.append({"k": f"{k} of 30 features", "share": power.fit(S).objective_[0] / best, "start": "random"})
    default = TPower(1, k, covariance="precomputed").fit(S).objective_[0]
    rows.append({"k": f"{k} of 30 features", "share": default / best, "start": "default"})
frame = pd.DataFrame(rows)
hits = frame[frame["start"] == "random"].groupby("k", sort=False)["share"].agg(lambda share: (share > 1 - 1e-6).mean())
print(hits.map("{:.0%} of the random starts find the optimum".format).to_string())

# %%
# Each dot is the end of one start; the diamonds are the default.
dots = (
    alt.Chart(frame)
    .transform_calculate(jitter="random()")
    .mark_point(filled=True)
    .encode(
        alt.X("share", title="share of the optimum", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0.4, 1.01])),
        alt.Y("jitter:Q", axis=None),
        alt.Color("start", scale=alt.Scale(domain=["random", "default"], range=["#7fb3d5", "#b00020"]), title=None),
        alt.Shape("start", scale=alt.Scale(domain=["random", "default"], range=["circle", "diamond"]), title=None),
        alt.Size("start", scale=alt.Scale(domain=["random", "default"], range=[40, 220]), legend=None),
        alt.Row("k", title=None, sort=None),
    )
    .properties(width=560, height=80)
)
chart = dots.resolve_scale(x="shared")
