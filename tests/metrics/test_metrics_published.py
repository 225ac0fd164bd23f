"""Metrics against published numbers and numbers worked out by hand."""

import numpy as np
import pytest
from evaluations import evaluation
from spcabench_datasets import covariances, hastie

from spcabench import Dataset, Evaluation, Fitted, Moments
from spcabench.metrics import classification, loadings, orthogonality, reconstruction, sparsity, support, time, variance


def leading(covariance, r):
    return np.linalg.eigh(covariance)[1][:, ::-1][:, :r].T


@pytest.fixture(scope="module")
def correlations():
    return covariances.load_pitprops(np.random.default_rng(0)).covariance


class TestPitprops:
    def test_explained_variance_counts_a_repeated_component_twice_and_cpev_once(self, correlations):
        first = leading(correlations, 1)
        twice = evaluation(np.vstack([first, first]), covariance=correlations)
        assert variance.explained_variance(twice) == pytest.approx(2 * 4.2186 / 13, abs=1e-5)
        for metric in (variance.cpev, variance.adjusted_variance, variance.deflated_variance):
            assert metric(twice) == pytest.approx(4.2186 / 13, abs=1e-5)


class TestVariance:
    S = np.diag([4.0, 3.0, 2.0, 1.0])

    def test_of_two_overlapping_components_by_hand(self):
        # e1 and (e1 + e2)/sqrt(2) have the variances 4 and 3.5; 1.5 of the latter is not shared.
        W = [[1, 0, 0, 0], [np.sqrt(0.5), np.sqrt(0.5), 0, 0]]
        given = evaluation(W, covariance=self.S)
        assert variance.explained_variance(given) == pytest.approx(7.5 / 10)
        assert variance.cpev(given) == pytest.approx(7 / 10)
        assert variance.adjusted_variance(given) == pytest.approx(5.5 / 10)
        assert variance.deflated_variance(given) == pytest.approx(5.5 / 10)

    def test_deflation_takes_the_components_in_their_order(self):
        # Three at 60 degrees and the like: against the definition, matrix by matrix.
        W = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]) / np.sqrt([[1], [2], [3]])
        S = self.S + 0.5
        deflated, total = S.copy(), 0.0
        for w in W:
            total += w @ deflated @ w
            P = np.eye(4) - np.outer(w, w)
            deflated = P @ deflated @ P
        assert variance.deflated_variance(evaluation(W, covariance=S)) == pytest.approx(total / np.trace(S))

    def test_adjusted_variance_of_a_repeated_component_leaves_those_after_it_alone(self):
        rng = np.random.default_rng(1)
        X = rng.standard_normal((50, 4)) * [4, 3, 2, 1]
        W = np.eye(4)
        plain = variance.adjusted_variance(evaluation(W[[0, 1, 2]], X=X))
        assert variance.adjusted_variance(evaluation(W[[0, 0, 1, 1, 2]], X=X)) == pytest.approx(plain)

    def test_adjusted_variance_may_take_the_components_by_norm(self):
        W = [[np.sqrt(0.5), np.sqrt(0.5), 0, 0], [1, 0, 0, 0]]
        given = evaluation(W, covariance=self.S)
        assert variance.adjusted_variance(given) == pytest.approx((3.5 + 4 - 8 / 3.5) / 10)
        assert variance.adjusted_variance(given, order="norm") == pytest.approx(5.5 / 10)

    @pytest.mark.parametrize("constant", [0.0, 0.1, 1e6])
    def test_samples_that_do_not_vary_give_zero_and_a_warning(self, constant):
        given = evaluation(np.eye(3)[:2], X=np.full((7, 3), constant))
        for metric in (variance.cpev, variance.explained_variance, variance.adjusted_variance):
            with pytest.warns(RuntimeWarning, match="do not vary"):
                assert metric(given) == 0.0

    def test_zero_components_explain_nothing(self):
        given = evaluation(np.zeros((2, 4)), covariance=self.S)
        assert variance.cpev(given) == variance.adjusted_variance(given) == 0.0
        assert variance.explained_variance(given) == variance.deflated_variance(given) == 0.0


class TestSparsity:
    W = np.array([[1, 0, 0, 0, 0], [0.6, 0.8, 0, 0, 0], [0, 0, 0, 0, 0]])

    def test_by_hand(self):
        given = evaluation(self.W, covariance=np.eye(5))
        assert sparsity.sp(given) == pytest.approx((0.8 + 0.6 + 1.0) / 3)
        assert sparsity.sp_std(given) == pytest.approx(0.2)
        assert sparsity.worst_sparsity(given) == pytest.approx(0.6)
        assert sparsity.mean_nnz(given) == 1.0
        assert sparsity.nnz(given) == {"1": 1, "2": 2, "3": 0}

    def test_a_single_component_has_no_spread(self):
        assert sparsity.sp_std(evaluation(self.W[:1], covariance=np.eye(5))) == 0.0

    def test_tiny_nonzeros_are_not_rounded_away(self):
        assert sparsity.mean_nnz(evaluation([[1.0, 1e-300]], covariance=np.eye(2))) == 2


class TestOrthogonality:
    HALF = np.sqrt(0.5)

    @pytest.mark.parametrize(
        ("W", "nor", "worst"),
        [
            ([[1, 0, 0], [HALF, HALF, 0], [0, 0, -1]], HALF / 3, HALF),
            ([[1, 0], [-1, 0], [0, 0]], 1 / 3, 1.0),
            ([[0.6, 0.8]], 0.0, 0.0),
        ],
        ids=["by hand", "a pair with a zero component is orthogonal", "one component"],
    )
    def test_cosines(self, W, nor, worst):
        given = evaluation(W, covariance=np.eye(len(W[0])))
        assert orthogonality.nor(given) == pytest.approx(nor)
        assert orthogonality.max_nor(given) == pytest.approx(worst)


class TestReconstruction:
    def test_average_error_along_the_second_axis_is_the_mean_distance_from_it(self):
        X = hastie.load_toy_outlier(np.random.default_rng(3), noise_variance=0.25, outlier=7.0).X
        assert reconstruction.are(evaluation([[0, 1], [1, 0]], X=X)) == pytest.approx(1.25, abs=1e-12)
        centred = reconstruction.are_centred(evaluation([[0, 1]], X=X))
        assert centred == pytest.approx(np.abs(X[:, 0] - 0.05).mean())

    @pytest.mark.parametrize("n", [5, 256, 300])
    def test_err_is_an_obvious_loop(self, n):
        rng = np.random.default_rng(n)
        clean, W = rng.standard_normal((n, 6)) + 2.0, rng.standard_normal((4, 6))
        W /= np.linalg.norm(W, axis=1, keepdims=True)
        X = np.vstack([rng.standard_normal((3, 6)), clean + rng.standard_normal((n, 6))])
        rows = 3 + np.arange(n)
        mean = X.mean(axis=0)
        given = evaluation(W, X=X, X_clean=clean, clean_rows=rows)

        def loop(m, mean):
            total = 0.0
            for original, row in zip(clean, rows, strict=True):
                total += np.linalg.norm(original - mean - sum(w * (w @ (X[row] - mean)) for w in W[:m]))
            return total / n

        found = reconstruction.err(given, m=[1, 2, 4, 5, 100])
        assert found == pytest.approx({"1": loop(1, mean), "2": loop(2, mean), "4": loop(4, mean)})
        assert reconstruction.err_raw(given, m=[3]) == pytest.approx({"3": loop(3, 0 * mean)})
        assert reconstruction.err(given) == pytest.approx({"4": loop(4, mean)})

    def test_without_clean_rows_the_first_samples_are_the_originals(self):
        X = np.array([[1.0, 0], [3, 4], [5, 5]])
        given = evaluation([[1, 0]], X=X, X_clean=X[:2] * 2, mean=np.zeros(2))
        assert reconstruction.err(given)["1"] == pytest.approx((1.0 + np.hypot(3, 8)) / 2)

    def test_uncorrupted_samples_are_their_own_originals(self):
        X = np.array([[1.0, 0], [3, 4], [5, 5]])
        assert reconstruction.err_raw(evaluation([[1, 0]], X=X))["1"] == pytest.approx(3.0)


class TestSupport:
    FIRST, SECOND = np.eye(10, dtype=bool)[4:8].any(axis=0), np.eye(10, dtype=bool)[:4].any(axis=0)
    TRUE = np.array([FIRST, SECOND])

    def given(self, found):
        return evaluation(np.asarray(found, float), covariance=np.eye(10), supports=self.TRUE)

    def test_dense_components_misidentify_six_of_ten(self):
        assert support.mr(self.given(np.ones((2, 10)))) == pytest.approx(0.6)
        assert support.f1(self.given(np.ones((2, 10)))) == pytest.approx(8 / 14)

    def test_one_wrong_feature_counts_twice(self):
        found = self.TRUE.copy()
        found[0, [4, 9]] = False, True
        assert support.exact_support(self.given(found)) == 0.0
        assert support.mr(self.given(found)) == pytest.approx(2 / 10 / 2)
        assert support.f1(self.given(found)) == pytest.approx((6 / 8 + 1) / 2)

    def test_swapped_components_are_wrong_in_order_and_right_when_matched(self):
        swapped = self.given(self.TRUE[::-1])
        assert support.mr(swapped) == pytest.approx(0.8)
        assert support.mr_matched(swapped) == support.mr(swapped, match="overlap") == 0.0
        assert support.f1(swapped) == 1.0
        assert support.f1(swapped, match="order") == 0.0
        assert support.exact_support(swapped) == 1.0
        assert support.exact_support(swapped, match="order") == 0.0

    @pytest.mark.parametrize("r", [1, 3])
    def test_as_many_are_compared_as_there_are_of_both(self, r):
        found = np.vstack([self.TRUE, np.ones((1, 10))])[:r]
        assert support.mr(self.given(found)) == 0.0

    def test_empty_components(self):
        assert support.mr_matched(self.given(np.zeros((2, 10)))) == pytest.approx(0.4)
        assert support.f1(self.given(np.zeros((2, 10)))) == 0.0


def obvious(training, test, y, y_test):
    nearest = [np.argmin(((x - training) ** 2).sum(axis=1)) for x in test]
    return np.mean(y[nearest] == y_test)


def test_accuracy_is_that_of_an_obvious_loop_and_ties_go_to_the_first_training_sample():
    rng = np.random.default_rng(0)
    X, X_test = rng.standard_normal((80, 12)), rng.standard_normal((600, 12))
    y, y_test = rng.integers(3, size=80), rng.integers(3, size=600)
    W = np.linalg.qr(rng.standard_normal((12, 6)))[0] * (rng.random((12, 6)) < 0.7)
    given = evaluation(W.T, X=X, y=y, X_test=X_test, y_test=y_test)
    expected = {str(m): obvious(X @ W[:, :m], X_test @ W[:, :m], y, y_test) for m in (1, 3, 5)}
    assert classification.accuracy(given, m=[5, 1, 3, 9]) == pytest.approx(expected)
    assert classification.accuracy_raw(given) == pytest.approx(obvious(X, X_test, y, y_test))
    alike = {"X": np.array([[0.0, 1.0], [0.0, -1.0]]), "y": np.array([7, 8])}
    given = evaluation([[1.0, 0.0]], **alike, X_test=np.zeros((1, 2)), y_test=np.array([7]))
    assert classification.accuracy(given) == {"1": 1.0}


def test_entries_are_named_by_component_and_feature_from_one():
    given = evaluation([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0]], covariance=np.eye(3))
    every = {"1.1": 0.6, "1.2": 0.0, "1.3": 0.8, "2.1": 0.0, "2.2": 1.0, "2.3": 0.0}
    assert loadings.loading(given) == every
    chosen = {name: value for name, value in every.items() if not name.endswith("2")}
    assert loadings.loading(given, features=[3, 1, 4]) == chosen


def test_costs_are_handed_through_and_summed_over_components():
    fitted = Fitted(
        components=np.eye(2),
        mean=np.zeros(2),
        n_iter=np.array([3, 4]),
        objective=np.array([0.5, 0.25]),
        fit_time=1.5,
        search_time=2.0,
        cold_time=1.75,
        n_fits=7,
    )
    given = Evaluation(dataset=Dataset(covariance=np.eye(2)), fitted=fitted, moments=Moments(covariance=np.eye(2)))
    names = ("fit_time", "search_time", "cold_time", "total_time", "n_fits", "n_iter", "objective")
    assert [getattr(time, name)(given) for name in names] == [1.5, 2.0, 1.75, 3.5, 7.0, 7.0, 0.75]


def test_iterations_and_objective_that_are_not_reported_are_undefined():
    given = evaluation(np.eye(2), covariance=np.eye(2))
    assert np.isnan(time.n_iter(given))
    assert np.isnan(time.objective(given))
