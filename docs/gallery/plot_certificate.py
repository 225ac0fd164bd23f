"""
How far from the best?
======================

A heuristic cannot say how good its loading is.  A bound can: no loading with so many nonzeros explains more.
"""

# %%
# Three methods on pitprops, at each cardinality, beside the bound that is proved.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_datasets.covariances import load_pitprops as load
from spcabench_methods import certify

import spcabench

S = load(np.random.default_rng(0)).covariance
rows = []
for k in range(1, 14):
    for name in ("st", "rsvd_l1", "tpower"):
        w = spcabench.make(name, n_components=1, n_nonzero=k, covariance="precomputed").fit(S).components_[0]
        rows.append({"what": name, "k": k, "variance": w @ S @ w})
        rows[-1]["share"] = rows[-1]["variance"] / certify(S, w, time_limit=2.0).upper_bound

# %%
# At 100 % a loading is proved to be the best with so many nonzeros.
names = ["tpower", "st", "rsvd_l1"]
chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_line(point=True, strokeWidth=2.5)
    .encode(
        alt.X("k", title="nonzeros", axis=alt.Axis(tickMinStep=1)),
        alt.Y("share", title="share of the bound", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
        alt.Color("what", sort=names, title=None),
    )
    .properties(width=560, height=320, title="Pitprops: the first component")
)
