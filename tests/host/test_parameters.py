"""What values a parameter takes: the test and the words agree."""

import math
from dataclasses import replace
from numbers import Integral, Real
from typing import Annotated, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils._param_validation import Interval, StrOptions

from spcabench import (
    FLAG,
    NOTHING,
    Anything,
    DatasetSpec,
    Either,
    Fields,
    ListOf,
    MethodSpec,
    Number,
    OneOf,
    Parameter,
    Text,
    Whole,
    parameter_faults,
)
from spcabench.parameters import nearest, shown, unknown_name

POINT = Fields({"x": Parameter(0.0, Number(0, 1)), "kind": Parameter("a", OneOf("alpha", "beta"))})


@pytest.mark.parametrize(
    ("valid", "good", "bad", "words"),
    [
        (Number(), [0, -1.5, 10**6, np.float32(2)], [math.nan, math.inf, True, "1", None, 10**400], "a finite number"),
        (Number(0, 1, low_open=True), [1e-300, 1], [0, 1.1], "a number in (0, 1]"),
        (Number(0, 1, high_open=True), [0, 0.999], [1], "a number in [0, 1)"),
        (Number(0), [0, 1e300], [-1e-300, math.inf], "a number in [0, inf)"),
        (Whole(1, 9), [1, 9, np.int64(3)], [0, 10, 2.0, True, "3", None], "a whole number from 1 to 9"),
        (Whole(1), [1, 2**31 - 1], [0, 2**31], "a whole number from 1"),
        (OneOf("a", "b"), ["a", np.str_("a")], ["c", None, 1], "one of a, b"),
        (OneOf(1, None), [1, None], [True, 1.0], "one of 1, null"),
        (NOTHING, [None], [0, "", False], "null"),
        (FLAG, [True, False, np.True_], [0, 1, np.int64(1), "true", None], "one of false, true"),
        (Text("a path"), ["x"], ["", "a\0b", 3, None], "a path"),
        (
            ListOf(Whole(1)),
            [[1], (1, 2), np.array([3])],
            [[], [0], 1, "12", {1: 1}, {1}, iter([1]), np.array(1)],
            "a list, each a whole number from 1",
        ),
        (ListOf(Whole(0, 9), 2), [[1, 2]], [[1], [1, 2, 3]], "a list of 2, each a whole number from 0 to 9"),
        (POINT, [{}, {"x": 1}], [{"y": 1}, {"x": 2}, [], None], "a mapping of x: a number in [0, 1]; kind: one of"),
        (Either(NOTHING, Whole(1, 3)), [None, 3], [0, "x"], "null, or a whole number from 1 to 3"),
        (Anything("an array"), [None, object(), math.nan], [], "an array"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",  # those of other values may hold addresses
)
def test_what_is_accepted_and_how_it_is_said(valid, good, bad, words):
    assert all(valid.accepts(value) for value in good), good
    assert not any(valid.accepts(value) for value in bad), bad
    assert str(valid).startswith(words)


def test_our_own_bound_is_named_only_where_a_value_exceeds_it():
    assert str(Whole(1)) == "a whole number from 1"
    declared = {
        "n": Parameter(1, Whole(1)),
        "m": Parameter(None, Either(NOTHING, Whole(1), ListOf(Whole(1)))),
        "t": Parameter(1.0, Number(0, 1)),
    }
    assert parameter_faults({"n": 0, "m": 3 * 10**9, "t": 3 * 10**9}, declared) == [
        ("n", "n is 0; valid is a whole number from 1"),
        (
            "m",
            "m is 3000000000, more than 2147483647; valid is null, or a whole number from 1, or a list, "
            "each a whole number from 1",
        ),
        ("t", "t is 3000000000; valid is a number in [0, 1]"),
    ]


class Declared:
    """An estimator as scikit-learn has them.

    Parameters
    ----------
    n, m : int
        How many,
        at least 1.
    word : {"a", "b"}
        Which.
    """

    _parameter_constraints: ClassVar = {
        "n": [Interval(Integral, 1, None, closed="left")],
        "m": [None, Interval(Integral, 0, 5, closed="neither"), "array-like"],
        "word": [StrOptions({"b", "a"}), None],
        "share": [Interval(Real, 0, 1, closed="right")],
        "flag": ["boolean"],
    }

    def __init__(self, n=1, m=None, word="a", share=1, flag=False, free=None, **others):
        pass


def test_a_class_declares_its_parameters_itself():
    spec = MethodSpec(name="m", estimator=f"{__name__}:Declared", params={"n": 3, "flag": True}, settable={"flag"})
    found = {name: (p.default, str(p.valid), p.meaning) for name, p in spec.parameters.items()}
    assert found == {
        "m": (None, "null, or a whole number from 1 to 4, or an array-like", "How many, at least 1."),
        "word": ("a", "one of a, b, or null", "Which."),
        "share": (1, "a number in (0, 1]", ""),
        "flag": (True, "one of false, true", ""),
        "free": (None, "any value", ""),
    }
    assert spec.parameters["m"].valid.accepts([1, 2])
    assert "n" not in spec.parameters
    assert replace(spec, params={}).parameters["n"].valid == Whole(1)


def draw(rng, n: Annotated[int, Whole(2)] = 100, kinds: Annotated[list, ListOf(Whole())] = (1, 2), free=3):
    """Draw.

    Parameters
    ----------
    n : int
        Samples.
    """


def test_a_function_declares_its_parameters_itself():
    spec = DatasetSpec(name="d", load=f"{__name__}:draw")
    assert dict(spec.parameters) == {
        "n": Parameter(100, Whole(2), "Samples."),
        "kinds": Parameter((1, 2), ListOf(Whole()), ""),
    }
    assert dict(DatasetSpec(name="d", load="spcabench.own_parameters:documented").parameters) == {}
    said = {"n": Parameter(3, Whole(1), "said")}
    assert DatasetSpec(name="d", load=f"{__name__}:draw", parameters=said).parameters is said


def test_a_class_that_is_not_there_or_declares_nothing_has_no_parameters():
    assert dict(MethodSpec(name="m", estimator="no_such_module:C").parameters) == {}
    assert dict(MethodSpec(name="m", estimator="fractions:Fraction").parameters) == {}


@given(st.floats(), st.floats(-10, 10), st.floats(-10, 10), st.booleans(), st.booleans())
def test_a_number_is_accepted_as_the_interval_says(value, low, high, low_open, high_open):
    valid = Number(low, high, low_open=low_open, high_open=high_open)
    inside = (low < value if low_open else low <= value) and (value < high if high_open else value <= high)
    assert valid.accepts(value) == inside


def test_faults_name_what_was_found_what_is_valid_and_the_nearest():
    declared = {
        "tol": Parameter(0.1, Number(0)),
        "init": Parameter("pca", Either(OneOf("pca", "random"), Whole(1, 3))),
        "point": Parameter(None, Either(NOTHING, POINT)),
    }
    assert parameter_faults({"tol": 1, "init": 2, "point": {"x": 0.5}}, declared) == []
    assert parameter_faults({"tl": 1, "tol": -1, "init": "randm", "point": {"x": 7, "kid": 1}}, declared) == [
        ("tl", "unknown parameter 'tl'; valid are init, point, tol (did you mean 'tol'?)"),
        ("tol", "tol is -1; valid is a number in [0, inf)"),
        (
            "init",
            "init is 'randm'; valid is one of pca, random, or a whole number from 1 to 3 (did you mean 'random'?)",
        ),
        ("point", "in point: x is 7; valid is a number in [0, 1]"),
        ("point", "in point: unknown parameter 'kid'; valid are kind, x (did you mean 'kind'?)"),
    ]
    ((_, message),) = parameter_faults({"point": 3}, declared)
    assert message.startswith("point is 3; valid is null, or a mapping of x: ")


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=20))
def test_anything_is_shown_shortly(value):
    assert 0 < len(shown(value)) <= 60


def test_enormous_integers_are_shown():
    assert shown(10**5000) == "an enormous number"
    assert "enormous" in shown([{"a": 10**5000}])


@pytest.mark.parametrize("word", ["MNIST_outlier", "mnist-outlier", "MNIST outlier"])
def test_names(word):
    """Case does not count, nor what joins words."""
    assert nearest(word, ["mnistoutliers", "toy_outlier", "mnist_outlier"]) == " (did you mean 'mnist_outlier'?)"
    assert nearest("CPEV", ["Cpev"]) == " (did you mean 'Cpev'?)"
    assert nearest("tpowr", ["gpower", "tpower"]) == " (did you mean 'tpower'?)"
    assert nearest("x" * 10**6, ["gpower"]) == ""
    assert unknown_name("x", ["b", "a"]) == "; valid are a, b"
    assert unknown_name("x", []) == "; there are none"
