"""What every registered method promises as an estimator, on ordinary and on awkward data.

What no option decides is held of one name of each class, and weekly of all.
"""

import inspect

import numpy as np
import pytest
from contract import PACKAGE, VARIANTS, every, fast, own, registered, trial
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import validate_parameter_constraints

from spcabench.check.methods import bad_input, pickle
from spcabench.importing import resolve
from spcabench.plugins import load_registry

# Who is held to the contract


def test_every_registered_method_is_held_to_it():
    specs = load_registry().methods.specs
    assert set(registered()) == {name for name, spec in specs.items() if spec.estimator.startswith(PACKAGE)}
    classes = {resolve(spec.estimator) for spec in own(specs)}
    assert {type(registered()[name].estimator) for name in fast()} == classes
    assert {type(variant) for variant in VARIANTS} <= classes


# The estimator


@every()
def test_declarations_match_the_constructor(method):
    declared = type(method.estimator)._parameter_constraints
    for name, parameter in inspect.signature(type(method.estimator)).parameters.items():
        validate_parameter_constraints(declared, {name: parameter.default}, name)


@every()
def test_pickle_and_round_trip(method, samples):
    fits = pickle(trial(method)).names
    fitted, again = fits["fitted"], fits["again"]
    scores = again.transform(samples)
    assert_array_equal(scores, fitted.transform(samples))
    assert_allclose(scores, (samples - fitted.mean_) @ fitted.components_.T)
    assert_allclose(again.inverse_transform(scores), scores @ fitted.components_ + fitted.mean_)
    assert len(again.get_feature_names_out()) == 2


@every()
def test_faults_name_what_is_valid(method, samples):
    with pytest.raises(ValueError, match=r"n_components is 9; valid is a whole number from 1 to n_features=8"):
        method.new(n_components=9).fit(samples)
    with pytest.raises(ValueError, match=r"'n_components' parameter of .* Got 0"):
        method.new(n_components=0).fit(samples)
    with pytest.raises(ValueError, match="minimum of 2"):
        method.new().fit(samples[:1])


@every(lambda c: c.counts)
def test_what_is_no_cardinality_is_refused(method, samples):
    for bad in (0, -1, 2.5, "4", [], [3, 0], [3, 3, 3], np.array(3), iter([2, 3]), {2, 3}, [2.0, 3]):
        with pytest.raises(ValueError, match=r"('n_nonzero' parameter of .* must be|n_nonzero has 3 values)"):
            method.new(n_nonzero=bad).fit(samples)


@every(lambda c: "max_iter" in c.estimator.get_params() and c.promises("more iterations than one"))
def test_running_out_of_iterations_is_said(method, samples):
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        fitted = method.new(max_iter=1).fit(samples)
    assert not fitted.converged_.all()
    assert fitted.n_iter_ == 1


@every(lambda c: c.draws)
def test_every_source_of_random_numbers_is_taken(method, samples):
    seeded = method.new(random_state=7).fit(samples).components_
    assert_array_equal(method.new(random_state=np.random.RandomState(7)).fit(samples).components_, seeded)
    draws = [method.new(random_state=np.random.default_rng(7)).fit(samples).components_ for _ in range(2)]
    assert_array_equal(draws[0], draws[1])


@every(lambda c: c.draws)
def test_what_cannot_draw_is_refused(method, samples):
    for bad in (-1, 2**32, 0.5, "x", [1]):
        with pytest.raises(
            ValueError, match=r"'random_state' parameter of .* must be an int in the range \[0, 4294967295"
        ):
            method.new(random_state=bad).fit(samples)


# The data


@every()
def test_layout_and_type_of_the_data(method, samples, tmp_path):
    samples = np.rint(10 * samples)
    W = method.new().fit(samples).components_
    frozen = np.asfortranarray(samples)
    frozen.flags.writeable = False
    np.save(tmp_path / "X.npy", samples)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    for other in (frozen, mapped, np.repeat(samples, 2, axis=0)[::2], samples.astype(int)):
        before = other.copy()
        assert_array_equal(method.new().fit(other).components_, W)
        assert_array_equal(other, before)
    single = method.new().fit(samples.astype(np.float32))
    assert single.components_.dtype == single.transform(samples.astype(np.float32)).dtype == np.float32
    assert_allclose(single.components_, W, atol=1e-4)


@every()
def test_constant_and_duplicate_columns(method, samples):
    samples[:, 2] = 0.1
    samples[:, 5] = 1e6 + 0.3
    samples[:, 7] = samples[:, 6]
    W = method.new().fit(samples).components_
    assert not W[:, [2, 5]].any()
    assert_allclose(np.linalg.norm(W, axis=1), 1.0)


@every()
def test_nothing_is_found_in_a_zero_matrix(method):
    fits = [method.new(), *([method.on_covariance()] if method.takes_covariance else [])]
    for unfitted in fits:
        with pytest.warns(ConvergenceWarning, match="components 1, 2 are zero") as caught:
            fitted = unfitted.fit(np.zeros((5, 5)))
        assert len(caught) == 1
        assert_array_equal(fitted.components_, np.zeros((2, 5)))
        assert_array_equal(fitted.n_iter_per_component_, [0, 0])
        assert_array_equal(fitted.explained_variance_ratio_, [0.0, 0.0])
        assert_array_equal(fitted.cpev_, [0.0, 0.0])


@every(lambda c: c.spec is not None and c.promises("rank"))
def test_nothing_is_found_past_the_rank(method):
    x = np.random.default_rng(0).standard_normal((20, 1))
    with pytest.warns(ConvergenceWarning, match="components 2, 3 are zero"):
        fitted = method.dense(5, n_components=3).fit(x @ np.array([[3.0, 2.5, 2.0, 1.5, 1.2]]))
    assert fitted.components_[0].any()
    assert not fitted.components_[1:].any()
    assert_allclose(fitted.explained_variance_[1:], 0.0)
    if method.promises("iterations"):
        assert_array_equal(fitted.n_iter_per_component_[1:], [0, 0])


@every()
def test_data_that_is_not_finite_is_refused(method):
    bad_input(trial(method))


@every()
def test_variances_that_double_precision_cannot_square_are_refused(method, samples):
    for scale, words in ((1e200, "overflow"), (1e90, "overflow"), (1e-90, "underflow")):
        with pytest.raises(ValueError, match=f"and products of them {words}; .*scale X"):
            method.new().fit(scale * samples)


@every(lambda c: c.takes_covariance)
def test_what_is_no_covariance_is_refused(method, samples):
    unfitted = method.on_covariance()
    with pytest.raises(ValueError, match=r"shape \(30, 8\)"):
        unfitted.fit(samples)
    S = np.cov(samples.T)
    S[0, 1] += 1.0
    with pytest.raises(ValueError, match="not symmetric"):
        unfitted.fit(S)
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        unfitted.fit(np.diag([4.0, 3.0, 2.0, -1.0]))
    assert not unfitted.components_[:, 3].any()


@every(lambda c: "covariance" in c.estimator.get_params())
def test_the_covariance_is_given_or_not(method, samples):
    with pytest.raises(ValueError, match=r"'covariance' parameter of .*precomputed.* Got 'S'"):
        method.new(covariance="S").fit(samples)
    if not method.takes_covariance:
        with pytest.raises(ValueError, match="needs samples"):
            method.new(covariance="precomputed").fit(np.eye(4))
