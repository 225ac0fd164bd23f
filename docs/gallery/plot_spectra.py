"""
Spectra: bands of wavelengths
=============================

Near infrared spectra of gasoline: 401 wavelengths of 60 samples, of which neighbours say nearly the same.  If
``SPCABENCH_DATA`` lacks them, spectra of four overlapping bands are drawn here.
"""

# %%
# More variables than samples; they have one unit, so that they are centred and not scaled.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_datasets.collection import load
from spcabench_methods import PCA, TPower

from spcabench import DataUnavailable

rng = np.random.default_rng(0)
try:
    spectra = load("gasoline_nir", rng, train=None)
    X, nm = spectra.X, np.array([int(name.split()[0]) for name in spectra.feature_names])
except DataUnavailable:
    nm = np.arange(900, 1702, 2)
    bands = np.exp(-(((nm - np.array([[1195], [1390], [1440], [1650]])) / 25.0) ** 2))
    X = rng.standard_normal((60, 4)) * [0.05, 0.02, 0.02, 0.1] @ bands + 0.002 * rng.standard_normal((60, 401))

# %%
# Dense loadings have a number for each wavelength.  Forty wavelengths of each component are a few bands, at the
# price of some variance.
frames = []
for name, model in {"PCA, 401 wavelengths": PCA(2), "TPower, 40 wavelengths": TPower(2, 40)}.items():
    model.fit(X)
    print(f"{name}: {model.cpev_[-1]:.1%} of the variance")
    for j, w in enumerate(model.components_, 1):
        frames.append(pd.DataFrame({"nm": nm, "loading": w, "component": f"PC{j}", "method": name}))

# %%
chart = (
    alt.Chart(pd.concat(frames))
    .mark_bar(size=1.5)
    .encode(
        alt.X("nm", title="wavelength, nm", scale=alt.Scale(zero=False)),
        alt.Y("loading"),
        alt.Row("component", title=None),
        alt.Column("method", title=None),
        alt.Color("component", legend=None),
    )
    .properties(width=300, height=130)
)
