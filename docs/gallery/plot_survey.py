"""
A survey: items that belong together
====================================

Twenty-five questions of a personality survey, five for each of five traits.  If ``SPCABENCH_DATA`` has the answers of
2436 people they are used; otherwise answers are drawn here.
"""

# %%
# The answers, standardised.  No method sees the traits.
import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from spcabench_datasets.collection import load
from spcabench_methods import JointSPCA

from spcabench import DataUnavailable, plots

rng = np.random.default_rng(0)
try:
    survey = load("bfi", rng, train=None)
    answers, items = survey.X, survey.feature_names
except DataUnavailable:
    items = [f"{trait}{number}" for trait in "ACENO" for number in range(1, 6)]
    traits = np.repeat(rng.standard_normal((800, 5)), 5, axis=1)
    answers = np.clip(np.rint(3.5 + traits + rng.standard_normal((800, 25))), 1, 6)

# %%
# Five components of five questions, found together.  Each is named by its questions: most are of one trait, and signs
# say which are asked the other way round.
model = make_pipeline(StandardScaler(), JointSPCA(n_components=5, n_nonzero=5)).fit(
    pd.DataFrame(answers, columns=items)
)
loadings = plots.loadings(model)
for name, column in loadings.items():
    print(f"{name}: ", *(f"{'+' if value > 0 else '-'}{item}" for item, value in column[column != 0].items()))

# %%
chart = plots.heat_map(model)
