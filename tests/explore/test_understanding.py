"""A table is understood: its columns, what is missing, its scales."""

import numpy as np
import pandas as pd
import pytest

from spcabench.explore.understanding import understand

RNG = np.random.default_rng(0)
N = 60


def table(**columns):
    """Return a table of three features and what is given."""
    return pd.DataFrame({**{name: RNG.standard_normal(N) for name in "abc"}, **columns})


def said(frame, **how):
    return [str(remark) for remark in understand(frame, **how).remarks]


def test_a_table_of_features_needs_nothing():
    found = understand(table())
    assert found.features == ("a", "b", "c")
    assert (found.drop, found.label, found.missing) == ((), None, "error")
    assert (found.preprocess, found.remarks) == ("none", ())


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (np.arange(N), "columns that number or name the samples ('z'): left out (otherwise --keep COLUMN)"),
        ([f"s{i:03}" for i in range(N)], "columns that number or name the samples ('z'): left out (otherwise --keep"),
        (pd.date_range("2020", periods=N), "columns of dates ('z'): left out"),
        ([f"{i * 7 % 59} words" for i in range(N)], "columns of text ('z'): left out (otherwise --label"),
        (np.full(N, 3.0), "columns that do not vary ('z'): left out"),
        (np.full(N, np.nan), "columns that do not vary ('z'): left out"),
        (
            np.where(np.arange(N) < 30, np.nan, RNG.standard_normal(N)),
            "columns that lack more than 30% of their values ('z'): left out",
        ),
    ],
)
def test_what_is_no_feature_is_left_out(column, words):
    found = understand(table(z=column))
    assert found.features == ("a", "b", "c")
    assert found.drop == ("z",)
    assert str(found.remarks[0]).startswith(words)
    assert len(found.remarks) == 1


def test_numbers_by_the_name_of_an_id_are_one_if_distinct():
    order = RNG.permutation(N)
    assert understand(table(patient_id=order)).drop == ("patient_id",)
    assert understand(table(patient_id=order), keep=["patient_id"]).drop == ()
    assert understand(table(z=order)).drop == ()
    assert understand(table(id=order // 2)).drop == ()
    assert understand(table(id=RNG.standard_normal(N))).drop == ()


def test_a_column_named_like_a_target_is_no_feature_unless_it_is_kept():
    frame = table(target=RNG.integers(0, 3, N), **{"tumour class": RNG.random(N)}, targets=RNG.random(N))
    assert (understand(frame).label, understand(frame).drop) == ("target", ("tumour class",))
    last = table(grade=RNG.integers(0, 3, N))
    assert understand(last).label == "grade"
    assert "grade" in understand(last, keep=["grade"]).features
    items = pd.DataFrame(RNG.integers(1, 8, (N, 5))).rename(columns="q{}".format)
    assert understand(items).label is None
    assert "columns named like a target ('target', 'tumour class'): left out (otherwise --keep COLUMN)" in said(frame)
    assert "target" in understand(frame, keep=["target"]).features


def test_text_with_few_values_is_the_label_and_the_next_is_left_out():
    frame = table(kind=["x", "y", "z"] * 20, sex=["f", "m"] * 30, flag=[True, False] * 30)
    found = understand(frame)
    assert (found.label, found.drop) == ("kind", ("sex",))
    assert "flag" in found.features
    assert "'kind' is text with 3 values: kept as label, for colour alone (otherwise --label COLUMN)" in said(frame)
    other = understand(frame, label="sex", drop=["kind"])
    assert (other.label, other.drop) == ("sex", ("kind",))


def test_rows_are_left_out_if_few_lack_values():
    few, many = table(), table()
    few.loc[:5, "a"] = np.nan
    many.loc[:6, "a"] = np.nan
    assert understand(few).missing == "drop"
    assert said(few) == ["6 of 60 rows lack values of 'a': rows left out (otherwise --missing median)"]
    assert understand(many).missing == "median"


@pytest.mark.parametrize(("scale", "preprocess", "count"), [(1, "none", 0), (6, "none", 0), (60, "standardise", 1)])
def test_scales_far_apart_are_standardised(scale, preprocess, count):
    found = understand(table(z=scale * RNG.standard_normal(N)))
    assert found.preprocess == preprocess
    assert len(found.remarks) == count


def test_what_is_standardised_stays_so():
    frame = table()
    numbers = frame.select_dtypes("number")
    frame[numbers.columns] = (numbers - numbers.mean()) / numbers.std()
    found = understand(frame)
    assert found.preprocess == "standardise"
    assert said(frame) == ["standard deviations are equal: standardised, other rows too (otherwise --no-standardise)"]


def test_scales_apart_are_warned_of_if_one_feature_leads():
    many = table(**{f"f{i}": RNG.standard_normal(N) for i in range(12)}, z=6 * RNG.standard_normal(N))
    found = understand(many)
    assert found.preprocess == "none"
    assert "centred only (otherwise --standardise)" in str(found.remarks[0])


def test_readers_are_cautioned():
    rows = table().iloc[:10]
    assert "10 samples: nothing is held out, and stability is not judged" in said(rows)
    assert any(text.startswith("10 rows repeat others") for text in said(pd.concat([table(), rows, rows])))


@pytest.mark.parametrize(
    ("value", "rows", "scale", "is_said"),
    [(-999, 3, 1, True), (99, 2, 1, True), (999, 1, 1, False), (-99, 3, 50, False), (98, 3, 1, False)],
    ids=["below", "above", "once", "within reach", "no sentinel"],
)
def test_numbers_that_stand_for_missing_values_are_warned_of(value, rows, scale, is_said):
    column = scale * np.linspace(-1, 1, N)
    column[:rows] = value
    remarks = [one for one in understand(table(z=column)).remarks if "far from all other values" in one.found]
    assert [one.warning for one in remarks] == [True] * is_said
    if is_said:
        assert str(remarks[0]) == (
            f"'z' is {value} in {rows} rows, far from all other values: kept as a number "
            "(otherwise write NA where a value is missing)"
        )
