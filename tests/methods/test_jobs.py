"""Threads: the same result for any number of them, and no more of them than asked for."""

from threading import Barrier

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_array_equal
from sklearn.base import clone
from spcabench_methods import RSVDGP, GPower, GPowerBlock, SPCAvRP, SPCAvRPSubspace, TPower
from spcabench_methods.core.jobs import WAITING, each, libraries

METHODS = [
    TPower(2, 5, init="random", n_init=6, random_state=0),
    GPowerBlock(2, init="random", n_init=4, random_state=0),
    GPower(2, rho=0.2, init="random", n_init=4, random_state=0),
    RSVDGP(2, threshold=0.2, init="random", n_init=4, random_state=0),
    SPCAvRP(2, 4, n_groups=12, random_state=0),
    SPCAvRPSubspace(2, 4, n_groups=12, random_state=0),
]
SHAPES = {"matrix": (80, 20), "samples": (20, 300), "threads of BLAS": (150, 1000)}


@pytest.mark.filterwarnings("ignore:components .* did not converge")
@pytest.mark.parametrize(
    ("method", "shape"),
    [*((method, "matrix") for method in METHODS), (METHODS[0], "samples"), (METHODS[1], "threads of BLAS")],
    ids=repr,
)
def test_any_number_of_threads_has_the_same_result(method, shape):
    X = np.random.default_rng(0).standard_normal(SHAPES[shape])
    alone = clone(method).fit(X)
    for n_jobs in (1, 2, -1):
        found = clone(method).set_params(n_jobs=n_jobs).fit(X)
        assert_array_equal(found.components_, alone.components_)
        assert_array_equal(found.objective_, alone.objective_)
        assert_array_equal(found.n_iter_per_component_, alone.n_iter_per_component_)


def together(parties):
    """Return work of which no part ends before as many have begun."""
    barrier = Barrier(parties)

    def work(part):
        barrier.wait(timeout=60.0)
        return part

    return work


def test_as_many_parts_run_at_once_as_asked_for():
    assert each(together(3), range(6), 3) == [0, 1, 2, 3, 4, 5]
    with parallel_config(n_jobs=2):
        assert each(together(2), range(4), None) == [0, 1, 2, 3]


def test_few_parts_are_drawn_before_the_first_has_ended():
    drawn = []

    def parts():
        for part in range(40):
            drawn.append(part)
            yield part

    def ahead(part):
        return len(drawn) - part

    assert max(each(ahead, parts(), 2)) <= WAITING * 2 + 2


def blas_threads(_=None):
    return [library["num_threads"] for library in libraries().select(user_api="blas").info()]


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_blas_has_one_thread_while_parts_run(n_jobs):
    before = blas_threads()
    assert before
    with libraries().limit(limits=2, user_api="blas"):
        assert {count for counts in each(blas_threads, range(4), n_jobs) for count in counts} == {1}
        assert each(blas_threads, [0], n_jobs) == [blas_threads()]
    assert blas_threads() == before
