"""
In a pipeline: classify by a few measurements
=============================================

Sparse components before a classifier: how many of the thirty measurements does it need?
"""

# %%
# Three components of k measurements each, then logistic regression, judged by cross-validation.
import altair as alt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from spcabench_methods import PCA, TPower

data = load_breast_cancer()
rows = []
for k in (1, 2, 4, 8):
    model = make_pipeline(StandardScaler(), TPower(3, k), LogisticRegression())
    scores = cross_val_score(model, data.data, data.target, cv=5)
    used = model.fit(data.data, data.target)[1].components_.any(axis=0).sum()
    found = {"accuracy": scores.mean(), "low": scores.min(), "high": scores.max()}
    rows.append({"k": k, "measurements": int(used), **found})
frame = pd.DataFrame(rows)
print(frame.round(3).to_string(index=False))

# %%
# The band is from the worst to the best of five folds; the dashed line is PCA, which takes all measurements.
dense = cross_val_score(make_pipeline(StandardScaler(), PCA(3), LogisticRegression()), data.data, data.target, cv=5)
x = alt.X("measurements", title="measurements that the three components use", scale=alt.Scale(zero=False))
y = alt.Y("low", title="accuracy", scale=alt.Scale(zero=False), axis=alt.Axis(format="%"))
band = alt.Chart(frame).mark_area(opacity=0.25, color="#0072b2").encode(x, y, y2="high")
line = alt.Chart(frame).mark_line(point=True, color="#0072b2").encode(x, y="accuracy")
rule = alt.Chart(pd.DataFrame({"y": [np.mean(dense)]})).mark_rule(strokeDash=[5, 4]).encode(y="y")
chart = (band + line + rule).properties(width=560, height=300)
