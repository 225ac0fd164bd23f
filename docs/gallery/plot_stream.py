"""
Samples that arrive in blocks
=============================

Methods on second moments learn from blocks; the result is that of all samples at once.
"""

# %%
# Forty blocks of 50 samples with 60 features.  After each, the component so far is compared with the true one.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_methods import PCA, TPower

rng = np.random.default_rng(0)
d, k = 60, 6
truth = np.r_[np.full(k, 1 / np.sqrt(k)), np.zeros(d - k)]
models = {"TPower, 6 features": TPower(1, k), "PCA, all features": PCA(1)}
rows = []
for block in range(1, 41):
    X = 0.8 * rng.standard_normal((50, 1)) * truth + rng.standard_normal((50, d))
    for name, model in models.items():
        w = model.partial_fit(X).components_[0]
        rows.append({"samples": 50 * block, "method": name, "angle": np.degrees(np.arccos(min(1.0, abs(w @ truth))))})

# %%
# Who knows that few features take part needs fewer samples.
chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_line(strokeWidth=2.5)
    .encode(
        alt.X("samples"),
        alt.Y("angle", title="angle to the true component, degrees"),
        alt.Color("method", sort=list(models)),
    )
    .properties(width=560, height=300)
)
