"""A suite of a few small cells, as data."""

SUITE = {
    "name": "small",
    "datasets": ["pitprops"],
    "methods": ["tpower", "rsvd_l0", "pca"],
    "n_components": 2,
    "n_nonzero": (3, 5),
    "metrics": ["cpev"],
}
