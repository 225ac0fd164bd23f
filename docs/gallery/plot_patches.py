"""
Patches of natural images
=========================

PCA of image patches gives waves that fill the patch.  Sparse components are local: edges, bars and blobs.
"""

# %%
# The images are made here, as leaves that fall upon each other: discs of any size and grey, the later in front.  Their
# patches have edges and even surfaces, as those of photographs do.
import altair as alt
import numpy as np
import pandas as pd
from spcabench_methods import PCA, SPCArt

rng = np.random.default_rng(0)
size, side, count = 256, 10, 16
image = np.zeros((size, size))
ys, xs = np.mgrid[:size, :size]
for _ in range(600):
    radius = 3 / rng.uniform(0.05, 1) ** 0.8
    y, x = rng.uniform(0, size, 2)
    image[(ys - y) ** 2 + (xs - x) ** 2 < radius**2] = rng.standard_normal()

corners = rng.integers(0, size - side, (3000, 2))
X = np.array([image[y : y + side, x : x + side].ravel() for y, x in corners])
X -= X.mean(axis=1, keepdims=True)

# %%
# Sixteen components of each.
models = {"PCA": PCA(count), "SPCArt, 20 of 100 pixels": SPCArt(count, 20, truncation="sp")}
rows = [
    {"method": name, "component": j + 1, "x": pixel % side, "y": pixel // side, "loading": value / abs(row).max()}
    for name, model in models.items()
    for j, row in enumerate(model.fit(X).components_)
    for pixel, value in enumerate(row)
]
for name, model in models.items():
    print(f"{name}: {model.cpev_[-1]:.1%} of the variance")

tiles = (
    alt.Chart()
    .mark_rect()
    .encode(
        alt.X("x:O", axis=None),
        alt.Y("y:O", axis=None),
        alt.Color("loading:Q", scale=alt.Scale(scheme="redblue", domain=[-1, 1], reverse=True), legend=None),
    )
    .properties(width=64, height=64)
)
frame = pd.DataFrame(rows)
chart = alt.hconcat(
    *(
        tiles.facet(alt.Facet("component:O", title=None), columns=4, spacing=6, data=part).properties(title=name)
        for name, part in frame.groupby("method", sort=False)
    ),
    spacing=40,
)
