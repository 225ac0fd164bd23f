"""
Topics in counts of words
=========================

Documents by words: a sparse matrix that is never made dense.  Each component has five words, and so a name.
"""

# %%
# 2000 short documents about four topics, drawn here; most entries are zero.
import altair as alt
import numpy as np
import pandas as pd
from scipy import sparse
from spcabench_methods import TPower

topics = {
    "cooking": ["oven", "butter", "flour", "garlic", "simmer"],
    "sailing": ["mast", "harbour", "wind", "rope", "tide"],
    "music": ["chord", "tempo", "violin", "choir", "melody"],
    "chess": ["bishop", "opening", "gambit", "endgame", "pawn"],
}
rng = np.random.default_rng(0)
words = [word for topic in topics.values() for word in topic] + [f"word {i}" for i in range(380)]
about = rng.integers(0, len(topics), 2000)
rates = np.full((2000, len(words)), 0.01)
for document, topic in enumerate(about):
    rates[document, 5 * topic : 5 * topic + 5] = rng.gamma(2.0, 0.2 + 0.05 * topic)
X = sparse.csr_array(rng.poisson(rates).astype(float))
print(f"{X.shape[0]} documents, {X.shape[1]} words, {X.nnz / np.prod(X.shape):.1%} of the entries are not zero")

# %%
# Centring happens within products, so that the matrix stays sparse.
model = TPower(n_components=4, n_nonzero=5).fit(X)
rows = [
    {"component": f"component {j + 1}", "word": words[i], "loading": row[i]}
    for j, row in enumerate(model.components_)
    for i in np.flatnonzero(row)
]

chart = (
    alt.Chart(pd.DataFrame(rows))
    .mark_bar()
    .encode(
        alt.X("loading", title=None, scale=alt.Scale(domain=[0, 0.7])),
        alt.Y("word", sort="-x", title=None),
        alt.Color("component", legend=None),
        alt.Facet("component", columns=2, title=None),
    )
    .properties(width=260, height=110)
    .resolve_scale(y="independent")
)
