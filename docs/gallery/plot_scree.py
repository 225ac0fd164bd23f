"""
How many components?
====================

Shuffle each column on its own: what is left of the eigenvalues is chance.  Components above it are there.
"""

# %%
# Wine, with 19 permutations; a component counts if it is larger than the largest of them.
import altair as alt
import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from spcabench_methods import SparsePCASelector

X = StandardScaler().fit_transform(load_wine().data)
rng = np.random.default_rng(0)


def eigenvalues(samples):
    """Return the variances of all principal components."""
    return np.linalg.svd(samples - samples.mean(axis=0), compute_uv=False) ** 2 / len(samples)


chance = [eigenvalues(rng.permuted(X, axis=0)) for _ in range(19)]
rows = [{"component": j + 1, "variance": value, "of": "wine"} for j, value in enumerate(eigenvalues(X))]
for number, one in enumerate(chance):
    rows += [{"component": j + 1, "variance": value, "of": f"permutation {number}"} for j, value in enumerate(one)]

# %%
# The selector counts in the same way, with 99 permutations, each component in what those before it leave.
chosen = SparsePCASelector(n_nonzero=4).fit(X)
print(chosen.n_beyond_chance_)

kinds = alt.Scale(domain=["wine", "columns permuted"], range=["#b00020", "#9aa5ad"])
frame = pd.DataFrame(rows)
frame["kind"] = np.where(frame["of"] == "wine", "wine", "columns permuted")
chart = (
    alt.Chart(frame)
    .mark_line(point=True)
    .encode(
        alt.X("component", axis=alt.Axis(tickMinStep=1)),
        alt.Y("variance"),
        alt.Detail("of"),
        alt.Color("kind", title=None, scale=kinds),
        opacity=alt.condition(alt.datum.kind == "wine", alt.value(1.0), alt.value(0.4)),
    )
    .properties(width=560, height=320)
)
