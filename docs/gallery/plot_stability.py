"""
Which features can be trusted?
==============================

Fit again to half of the samples, many times.  A feature that carries the component comes back; one that was lucky
does not.
"""

# %%
# One component of five among forty features; the selector chooses how many it takes.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_methods import SparsePCASelector

rng = np.random.default_rng(1)
n, d, k = 100, 40, 5
X = rng.standard_normal((n, d))
X[:, :k] += 0.7 * rng.standard_normal((n, 1)) * np.linspace(1.2, 0.8, k)

chosen = SparsePCASelector(n_components=1).fit(X)
print(f"chosen: {chosen.n_nonzero_} nonzeros")
print(f"found again in {chosen.found_again_[0]:.0%} of the half-samples")

# %%
# Stable from 0.7 on, not supported below 0.5.
frequency = np.asarray(chosen.selection_frequencies_)[0]
kind = np.where(np.arange(d) < k, "true", "noise")
frame = pd.DataFrame({"feature": np.arange(d), "frequency": frequency, "feature is": kind})
bars = (
    alt.Chart(frame)
    .mark_bar()
    .encode(
        alt.X("feature:O", axis=alt.Axis(labelAngle=0)),
        alt.Y("frequency", title="share of half-samples that select it", axis=alt.Axis(format="%")),
        alt.Color("feature is", scale=alt.Scale(domain=["true", "noise"], range=["#0072b2", "#c2c2c2"])),
    )
)
lines = alt.Chart(pd.DataFrame({"y": [0.5, 0.7]})).mark_rule(strokeDash=[5, 4]).encode(y="y")
chart = (bars + lines).properties(width=640, height=260)
