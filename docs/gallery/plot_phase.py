"""
Where the support can be found
==============================

A spike with k entries in d features is found if its signal is strong enough for the number of samples.  In between
is a border, and no method crosses it.
"""

# %%
# For each signal and number of samples: the share of 10 draws in which the support is found exactly.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_methods import DiagonalThresholding, TPower

d, k, draws = 100, 5, 10
signals = np.linspace(0.25, 3.25, 7)
samples = [20, 30, 50, 80, 130, 210]
rng = np.random.default_rng(0)
spike = np.r_[np.full(k, 1 / np.sqrt(k)), np.zeros(d - k)]


def found(method, n, signal):
    """Return the share of draws in which a method finds the support."""
    hits = 0
    for _ in range(draws):
        X = np.sqrt(signal) * rng.standard_normal((n, 1)) * spike + rng.standard_normal((n, d))
        hits += set(np.flatnonzero(method.fit(X).components_[0])) == set(range(k))
    return hits / draws


methods = {"TPower": TPower(1, k, init="top_variance", polish=False), "largest variances": DiagonalThresholding(1, k)}
rows = [
    {"method": name, "samples": n, "signal": round(signal, 2), "found": found(method, n, signal)}
    for name, method in methods.items()
    for n in samples
    for signal in signals
]

# %%
# The features of the largest variances are a start; the power method moves the border.
chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_rect()
    .encode(
        alt.X("signal:O", title="variance of the signal, noise 1"),
        alt.Y("samples:O", sort="descending"),
        alt.Color("found", scale=alt.Scale(scheme="viridis", domain=[0, 1]), title="found"),
        alt.Column("method", title=None, sort=list(methods)),
    )
    .properties(width=300, height=230)
)
