"""What decides: the rows of a table or its columns."""

import math

import numpy as np
import pytest

from spcabench.analysis.two_way import Split, split


def test_shares_of_rows_columns_and_the_rest():
    # By hand: the mean is 5/8, the squares of what differs from it sum to 11/16, of which the means of the rows, 1/2
    # and 3/4, have 1/16, and those of the columns, 1 and 1/4, have 9/16.
    found = split(np.array([[1.0, 0.0], [1.0, 0.5]]))
    assert [found.rows, found.columns, found.both] == pytest.approx([1 / 11, 9 / 11, 1 / 11])


def test_what_depends_on_both_is_neither():
    assert split(np.array([[1.0, 0.0], [0.0, 1.0]])) == Split(0.0, 0.0, 1.0)


def test_where_nothing_varies_nothing_is_explained():
    assert math.isnan(split(np.full((2, 3), 0.1)).rows)
