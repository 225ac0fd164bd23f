"""Where a verdict on published numbers changes: at two standard deviations, and where methods measure the same."""

import pytest

from spcabench.report.groups import Spread
from spcabench.report.published import Order, Pair
from spcabench.store.frame import Level
from spcabench.suite.columns import Column


def pair(published, mean, sd=1.0, method="a"):
    return Pair("Paper", "toy", Level(4), method, Column("err"), published, Spread(mean, sd, 3), 0.0, "")


@pytest.mark.parametrize(
    ("sds", "verdict"),
    [(0.0, "matches"), (1.9, "within the spread"), (-1.9, "within the spread"), (2.1, "differs"), (-2.9, "differs")],
)
def test_the_spread_is_two_standard_deviations(sds, verdict):
    assert pair(80.0, 80.0 + 3.0 * sds, sd=3.0).verdict == verdict


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_methods_that_measure_the_same_do_not_agree_with_an_order(better):
    order = Order(Column("err", better=better), [pair(1.0, 5.0, method="a"), pair(2.0, 5.0, method="b")])
    assert len(order.ranked) == len(order.disagreeing) == 1
