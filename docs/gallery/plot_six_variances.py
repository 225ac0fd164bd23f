"""
Six definitions of explained variance
=====================================

As soon as components overlap, "the variance that they explain" has several meanings, up to more than there is.
"""

# %%
# Two components of ten features each.  The covariance has these two directions, and noise in which neighbours are
# correlated; from left to right the components share more features.
import altair as alt
import numpy as np
import pandas as pd


def shares(W, S):
    """Return six shares of the variance of S that the columns of W explain."""
    inverse = np.linalg.pinv(W.T @ S @ W)
    values, vectors = np.linalg.eigh(S)
    scores = np.sqrt(values)[:, None] * (vectors.T @ W)
    Q = np.linalg.qr(W)[0]
    P = np.eye(len(S)) - np.outer(W[:, 0], W[:, 0])
    U = np.linalg.svd(scores, full_matrices=False)
    explained = {
        "sum of variances": np.trace(W.T @ S @ W),
        "subspace (CPEV)": np.trace(Q.T @ S @ Q),
        "regression on scores": np.trace(S @ W @ inverse @ W.T @ S),
        "deflated": W[:, 0] @ S @ W[:, 0] + W[:, 1] @ P @ S @ P @ W[:, 1],
        "adjusted": np.sum(np.diag(np.linalg.qr(scores)[1]) ** 2),
        "polar": np.sum(np.diag(U[2].T @ np.diag(U[1]) @ U[2]) ** 2),
    }
    return {name: value / np.trace(S) for name, value in explained.items()}


noise = 0.6 ** np.abs(np.subtract.outer(np.arange(30), np.arange(30)))
rows = []
for shared in range(10):
    W = np.zeros((30, 2))
    W[:10, 0] = W[10 - shared : 20 - shared, 1] = 1 / np.sqrt(10)
    S = 8 * np.outer(W[:, 0], W[:, 0]) + 6 * np.outer(W[:, 1], W[:, 1]) + noise
    rows += [{"shared": shared, "definition": name, "share": value} for name, value in shares(W, S).items()]
frame = pd.DataFrame(rows)

# %%
# At no overlap all agree.  The sum counts shared variance once for each component, and passes 100 %.
chart = (
    alt.Chart(frame)
    .mark_line(point=True, strokeWidth=2.5)
    .encode(
        alt.X("shared", title="features that the two components share, of ten", axis=alt.Axis(tickMinStep=1)),
        alt.Y("share", title="share of the variance", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
        alt.Color("definition", sort=list(dict.fromkeys(frame["definition"]))),
    )
    .properties(width=520, height=340)
)
