import numpy as np
import pytest

from spcabench import Dataset, Evaluation, Fitted, Moments
from spcabench.metrics import classification


def evaluation(components, X, y, X_test, y_test):
    dataset = Dataset(X=X, y=y, X_test=X_test, y_test=y_test)
    fitted = Fitted(components=components, mean=X.mean(axis=0))
    return Evaluation(dataset=dataset, fitted=fitted, moments=Moments(X=X))


def obvious(training, test, y, y_test):
    right = 0
    for x, label in zip(test, y_test, strict=True):
        distances = [((x - other) ** 2).sum() for other in training]
        right += y[int(np.argmin(distances))] == label
    return right / len(test)


def test_accuracy_is_that_of_an_obvious_loop():
    rng = np.random.default_rng(0)
    X, X_test = rng.standard_normal((80, 12)), rng.standard_normal((600, 12))
    y, y_test = rng.integers(3, size=80), rng.integers(3, size=600)
    components = np.linalg.qr(rng.standard_normal((12, 6)))[0].T * (rng.random((6, 12)) < 0.7)
    given = evaluation(components, X, y, X_test, y_test)
    found = classification.accuracy(given, m=[5, 1, 3, 9])
    assert list(found) == ["1", "3", "5"]
    for m, value in found.items():
        W = components[: int(m)].T
        assert value == pytest.approx(obvious(X @ W, X_test @ W, y, y_test))
    assert classification.accuracy_raw(given) == pytest.approx(obvious(X, X_test, y, y_test))


def test_ties_go_to_the_first_training_sample():
    X = np.array([[0.0, 1.0], [0.0, -1.0]])
    given = evaluation(np.array([[1.0, 0.0]]), X, np.array([7, 8]), np.zeros((1, 2)), np.array([7]))
    assert classification.accuracy(given) == {"1": 1.0}
