import math

import pytest

from spcabench.report.render.text import NOTHING, duration, number, with_sd


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (905.0617, "905.1"),
        (0.87, "0.8700"),
        (0.80133, "0.8013"),
        (18.0, "18"),
        (12345.6, "12346"),
        (0.0, "0"),
        (-2.5, "-2.500"),
        (1.2e-7, "1.200e-07"),
        (math.inf, "inf"),
        (math.nan, NOTHING),
    ],
)
def test_four_significant_digits(value, text):
    assert number(value) == text


def test_the_deviation_ends_where_the_mean_ends():
    assert with_sd(905.0617, 2.34) == "905.1 ± 2.3"
    assert with_sd(905.0617, math.nan) == "905.1"
    assert with_sd(0.00001, 0.5) == "0.0000 ± 0.5000"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0"),
        (2e-6, "2 µs"),
        (0.0123, "12.30 ms"),
        (2.26, "2.260 s"),
        (561.23, "9.354 min"),
        (36000.0, "10 h"),
    ],
)
def test_times_have_sensible_units(seconds, text):
    assert duration(seconds) == text
