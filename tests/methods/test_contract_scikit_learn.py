"""Every class of methods as scikit-learn's own checks of estimators see it, nightly; weekly, every name and option.

What these checks see beyond the contract of every name and option is of the class: its constructor, tags and state.
On a covariance all classes share the code that reads it: one is tried in the fast set, all weekly.
"""

from contextlib import suppress
from unittest import SkipTest

import pytest
from contract import every, registered
from sklearn.utils.estimator_checks import estimator_checks_generator
from spcabench_methods import COPPCA, GroupTPower, MomentSPCA, SparsePCASelector

UNREGISTERED = [
    GroupTPower(),
    MomentSPCA(COPPCA(n_components=1, n_nonzero=1)),
    SparsePCASelector(n_nonzero=[1, 2], cv=3, n_resamples=4, n_permutations=19, max_components=3),
]


def check_all(estimator):
    for instance, check in estimator_checks_generator(estimator, legacy=True):
        with suppress(SkipTest):
            check(instance)


@every(first=[pytest.mark.nightly])
def test_on_samples(method):
    check_all(method.new())


def test_on_a_covariance():
    check_all(next(c for c in registered().values() if c.takes_covariance).on_covariance())


@every(lambda c: c.takes_covariance, first=[pytest.mark.weekly])
def test_all_on_a_covariance(method):
    check_all(method.on_covariance())


@pytest.mark.nightly
@pytest.mark.parametrize("estimator", UNREGISTERED, ids=repr)
def test_what_is_not_registered(estimator):
    check_all(estimator)
