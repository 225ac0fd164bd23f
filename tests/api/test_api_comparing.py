"""Estimators in hand are compared as those of a suite."""

import pickle
import random
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA, SparsePCA
from spcabench_methods import RSPCA, SPCA, PathSPCA, TPower
from threadpoolctl import threadpool_info

import spcabench
from spcabench import Dataset, InputError

X = np.random.default_rng(0).standard_normal((40, 6)) * [4, 4, 3, 2, 1, 1] + np.arange(6)


class Missing:
    """An estimator by no convention but ``fit``: it reaches one nonzero fewer than it is asked for."""

    def __init__(self, n_components=2, n_nonzero=3):
        self.n_components, self.n_nonzero = n_components, n_nonzero

    def fit(self, X, y=None):
        self.components_ = np.zeros((self.n_components, X.shape[1]))
        self.components_[:, : self.n_nonzero - 1] = 1 / np.sqrt(self.n_nonzero - 1)
        return self


def test_the_numbers_are_those_of_a_run(tmp_path):
    np.savetxt(tmp_path / "X.csv", X, delimiter=",", header=",".join("abcdef"), comments="")
    suite = {
        "name": "same",
        "datasets": [{"name": "file", "params": {"path": str(tmp_path / "X.csv")}}],
        "methods": ["tpower", "pathspca"],
        "n_components": 2,
        "n_nonzero": [2, 3],
        "metrics": ["cpev"],
    }
    of_run = spcabench.run(suite, tmp_path / "run", isolation=False, progress=False)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    in_hand = spcabench.compare([TPower(2), PathSPCA(2)], frame, n_nonzero=[2, 3], metrics=["cpev"])
    pd.testing.assert_frame_equal(in_hand.frame[["n_nonzero", "cpev"]], of_run.frame[["n_nonzero", "cpev"]])
    loadings = in_hand.loadings("TPower", n_nonzero=2)
    pd.testing.assert_frame_equal(loadings, of_run.loadings("tpower", n_nonzero=2), atol=1e-12)


def test_a_missed_target_is_shown_and_never_ranked():
    found = spcabench.compare([Missing(), TPower(2), RSPCA(2)], X, n_nonzero=3)
    assert found.frame["missed_components"].tolist() == [2, 0, 0]
    assert "Missing" not in {*found.best()["method"], *found.best()["not_ruled_out"]}
    assert "got 2" in found._repr_html_()


def test_as_they_are_only_equal_nonzeros_are_compared():
    found = spcabench.compare([TPower(2, 3), PathSPCA(2, 3), RSPCA(2, 2)], X)
    assert found.frame["n_nonzero"].tolist() == [None] * 3
    best = found.best("cpev")
    assert best["sparsity"].tolist() == ["no target, 3 nonzeros reached"]
    assert best["method"].iloc[0] in ("TPower", "PathSPCA")


def test_estimators_are_labelled_by_their_class_or_their_call():
    starts = [TPower(n_components=2, init=init) for init in ("ones", "pca")]
    found = spcabench.compare([*starts, PathSPCA(2)], X, n_nonzero=3)
    assert found.frame["method"].tolist() == [*map(repr, starts), "PathSPCA"]
    named = spcabench.compare({"a": TPower(2), "b": TPower(2)}, X, n_nonzero=3)
    assert named.frame["method"].tolist() == ["a", "b"]


def test_a_penalty_is_searched_where_the_class_is_registered():
    class Foreign(SparsePCA):
        pass

    found = spcabench.compare([SparsePCA(2, random_state=0), Foreign(2, random_state=0)], X, n_nonzero=3).frame
    assert found["n_nonzero"].tolist() == [3, None]
    assert found["n_fits"][0] > 1


def test_an_estimator_is_known_as_the_method_that_it_is():
    found = spcabench.compare([SPCA(2, tol=0.01), PCA(2)], X, n_nonzero=3)
    assert found._gathered.frame["stop"].str.contains("tol = 0.01").tolist() == [True, False]
    rivals = [SPCA(2, tol=0.01), TPower(2, init="ones", max_iter=1)]
    assert "SPCA(n_nonzero=3, tol=0.01)" in spcabench.compare(rivals, X, n_nonzero=3).best("cpev")["call"].tolist()


def test_a_data_set_may_know_the_truth():
    supports = np.eye(2, 6, dtype=bool)
    found = spcabench.compare([TPower(2)], Dataset(X=X, supports=supports, X_test=X[:9]), n_nonzero=1)
    assert {"exact_support", "f1", "cpev_test"} <= set(found.frame.columns)
    covariance = Dataset(covariance=np.cov(X, rowvar=False, bias=True))
    second = spcabench.compare([TPower(2), RSPCA(2)], covariance, n_nonzero=2)
    assert second.frame["status"].tolist() == ["ok", "skipped"]


def test_the_process_is_left_as_it_was():
    threads = [pool["num_threads"] for pool in threadpool_info()]
    modules = set(sys.modules)
    estimator = TPower(2, 4)
    states = pickle.dumps((np.random.get_state(), random.getstate()))  # noqa: NPY002
    spcabench.compare([estimator], X, n_nonzero=2)
    assert pickle.dumps((np.random.get_state(), random.getstate())) == states  # noqa: NPY002
    assert [pool["num_threads"] for pool in threadpool_info()] == threads
    assert estimator.get_params()["n_nonzero"] == 4
    assert not hasattr(estimator, "components_")
    assert not {name for name in set(sys.modules) - modules if name.startswith("spcabench_in_hand")}


def test_an_own_seed_is_kept():
    class Seeded(Missing):
        def __init__(self, n_components=1, random_state=None):
            self.n_components, self.random_state = n_components, random_state

        def fit(self, X, y=None):
            self.components_ = np.zeros((1, 6))
            self.components_[0, self.random_state % 6] = 1.0
            return self

    def supports(random_state):
        found = spcabench.compare({"it": Seeded(1, random_state)}, X, seeds=8)
        return {found.loadings(seed=seed)["PC1"].argmax() for seed in range(8)}

    assert supports(4) == {4}
    assert len(supports(None)) > 1


@pytest.mark.parametrize(
    ("estimators", "X", "options", "words"),
    [
        ([], X, {}, "there is no estimator to compare"),
        ([TPower], X, {}, "TPower.*an object with a method fit is wanted"),
        ([TPower(2), TPower(2)], X, {}, r"two estimators are TPower\(.*\); label them"),
        ([TPower(2), PathSPCA(3)], X, {}, r"differ in their components \(TPower 2, PathSPCA 3\); say n_components"),
        ([TPower(2)], [[1.0, np.nan], [2.0, 3.0]], {}, "X is nan in row 0, column x1; finite numbers are wanted"),
        ([TPower(2)], pd.DataFrame({"a": ["x", "y"]}), {}, "X is not a table of numbers: .*'x'"),
        ([TPower(2)], X[0], {}, r"X has shape \(6,\) and type float64; numbers, samples by"),
        ([TPower(2)], X, {"metrics": ["cpve"]}, "unknown metric 'cpve'"),
    ],
)
def test_what_cannot_be_compared_is_named(estimators, X, options, words):
    with pytest.raises(InputError, match=words):
        spcabench.compare(estimators, X, **options)


def test_a_failure_is_warned_of():
    class Broken(Missing):
        def fit(self, X, y=None):
            raise ValueError("no luck")

    with pytest.warns(UserWarning, match="Broken on data, 3 nonzeros, seed 0: error: ValueError: no luck"):
        found = spcabench.compare([Broken()], X, n_nonzero=3)
    assert found.frame["status"].tolist() == ["error"]
