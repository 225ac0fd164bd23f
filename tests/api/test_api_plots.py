"""Figures of an estimator, also within a pipeline, and the names that variables and components have everywhere."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import SparsePCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from spcabench_methods import TPower

import spcabench

WINE = load_wine(as_frame=True)
WINE.data.columns = [name[:15] for name in WINE.data]


def pipeline(*more):
    return make_pipeline(StandardScaler(), TPower(n_components=3, n_nonzero=4), *more)


def texts(view, column):
    return {row[column] for rows in view.datasets.values() for row in rows if column in row}


@pytest.mark.parametrize("model", [pipeline(), pipeline(LogisticRegression())], ids=["last", "within"])
def test_a_pipeline_has_the_names_of_its_variables(model, tmp_path):
    model.fit(WINE.data, WINE.target)
    frame = spcabench.plots.loadings(model)
    assert frame.index.tolist() == WINE.data.columns.tolist()
    assert frame.columns.tolist() == model[1].get_feature_names_out().tolist() == ["tpower0", "tpower1", "tpower2"]
    np.testing.assert_array_equal(frame.to_numpy().T, model[1].components_)
    chart = spcabench.plots.biplot(model, WINE.data, components=(1, 3), labels=WINE.target).chart
    assert texts(chart, "label") == {"0", "1", "2"}
    assert texts(chart, "name") == set(frame.index[frame.iloc[:, [0, 2]].any(axis=1)])
    scores = model[1].transform(StandardScaler().fit_transform(WINE.data))
    (points,) = [rows for rows in chart.datasets.values() if "label" in rows[0]]
    np.testing.assert_allclose([(row["first"], row["second"]) for row in points], scores[:, [0, 2]])
    figure = spcabench.plots.circle(model, WINE.data)
    ends = {row["name"]: row["first"] for rows in figure.chart.datasets.values() for row in rows if "name" in row}
    for name, found in ends.items():
        assert np.isclose(found, np.corrcoef(WINE.data[name], scores[:, 0])[0, 1])
    assert spcabench.plots.heat_map(model).save(tmp_path / "loadings.png").stat().st_size > 500


def test_samples_return_from_a_pipeline_in_their_own_units_and_names_are_kept():
    model = make_pipeline(StandardScaler(), TPower(n_components=13, n_nonzero=13)).fit(WINE.data)
    back = model.inverse_transform(model.transform(WINE.data))
    np.testing.assert_allclose(back, WINE.data.to_numpy(), rtol=1e-8)
    scores = pipeline().set_output(transform="pandas").fit_transform(WINE.data)
    assert isinstance(scores, pd.DataFrame)
    assert scores.columns.tolist() == ["tpower0", "tpower1", "tpower2"]


def test_an_estimator_of_others_has_figures_too():
    theirs = SparsePCA(2, random_state=0).fit(WINE.data.to_numpy())
    assert spcabench.plots.loadings(theirs).index[0] == "x0"
    assert spcabench.plots.biplot(theirs, WINE.data.to_numpy()).svg.startswith("<svg")


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda m: spcabench.plots.heat_map(TPower()), "TPower has no components_; a fitted estimator"),
        (lambda m: spcabench.plots.biplot(m, WINE.data, components=(0, 1)), "components is .0, 1.; valid are two of 1"),
        (lambda m: spcabench.plots.biplot(m, WINE.data, labels=[1]), "there are 1 labels and 178 samples"),
    ],
)
def test_what_cannot_be_drawn_is_said(draw, words):
    with pytest.raises(spcabench.InputError, match=words):
        draw(pipeline().fit(WINE.data))
