"""Claims of a suite: what they may say, and how they are judged."""

import pytest
from pydantic import ValidationError

from spcabench.report.papers import judged_claim
from spcabench.suite.claims import Claim, parsed


def claim(holds, tried=""):
    return Claim(name="one", says="It is so.", place="Paper, section 1", holds=holds, tried=tried)


@pytest.fixture
def results(make):
    cells = [make.cell("pca", seed, cpev=0.9) for seed in range(3)]
    for method, base, start in (("a", 0.6, "own"), ("b", 0.5, "own"), ("b", 0.3, "ones")):
        cells += [make.cell(method, s, n_nonzero=4, start=start, cpev=base + s / 100, fit_time=base) for s in range(3)]
    return make([*cells, make.cell("a", 0, n_nonzero=8, cpev=0.7)], starts=["own", "ones"])


@pytest.mark.parametrize(
    ("holds", "verdict", "ours"),
    [
        ("mean('cpev', 'a', n_nonzero=4) > mean('cpev', 'b')", "reproduced", "0.61 > 0.51"),
        ("0.5 < mean('cpev', 'b') < 0.51", "refuted", "0.5 < 0.51 < 0.51"),
        ("mean('cpev', 'b', start='ones') > 0.4", "refuted", "0.31 > 0.4"),
        ("least('cpev', 'b') == 0.5 and most('cpev', 'b') > 1", "refuted", "0.5 == 0.5 and 0.52 > 1"),
        ("abs(-least('cpev', 'b') - 1) > 1", "reproduced", "abs(-0.5 - 1) > 1"),
        ("max(1, 2) * mean('cpev', 'b') / 2 - 0.5 + 0 > min(0, 1)", "reproduced", None),
        ("ordered('cpev', 'pca', 'a', 'b', n_nonzero=4)", "reproduced", "True"),
        ("ordered('cpev', 'b', 'a', n_nonzero=4)", "refuted", "False"),
        ("mean('cpev', 'a', minus='b') > 0.09", "reproduced", "0.1 > 0.09"),
        ("mean('cpev', 'pca', minus='a', n_nonzero=4) > 0.28", "reproduced", "0.29 > 0.28"),
        ("mean('cpev', 'gone') > 1", "open", "no cpev of gone"),
        ("mean('nor', 'a', n_nonzero=4) > 1", "open", "no nor of a, n_nonzero = 4"),
        ("mean('cpev', 'a', dataset='other') > 1", "open", "no cpev of a, dataset = other"),
        ("ordered('cpev', 'a', 'a', n_nonzero=4)", "open", "no two methods surely differ in cpev"),
    ],
)
def test_a_claim_is_judged_by_the_numbers_of_the_run(results, holds, verdict, ours):
    found = judged_claim(results, claim(holds))
    assert found.verdict == verdict
    assert ours in (None, found.ours)


def test_a_claim_that_does_not_hold_is_explained_by_a_computation_alone(results):
    holds = "mean('cpev', 'b') > 1"
    assert judged_claim(results, claim(holds, "another start")).verdict == "refuted"
    assert judged_claim(results, claim(holds, "checks.py starts shows it")).verdict == "explained"


def test_a_draw_that_is_not_decided_reverses_nothing(make):
    cells = [
        make.cell(name, s, n_nonzero=4, cpev=v + s * w)
        for name, v, w in (("a", 0.5, 0.1), ("b", 0.51, -0.1))
        for s in (-1, 0, 1)
    ]
    cells += [make.cell("c", s, n_nonzero=4, cpev=0.1) for s in (-1, 0, 1)]
    assert judged_claim(make(cells), claim("ordered('cpev', 'a', 'b', 'c')")).verdict == "reproduced"
    one = [cell for cell in cells if cell["seed"] == 0]
    assert judged_claim(make(one), claim("ordered('cpev', 'a', 'b', 'c')")).verdict == "open"


def test_times_are_apart_by_a_tenth(make):
    def times(*seconds):
        clocks = [{"fit_time": 2 * s, "cpu_time": s} for s in seconds]
        return make([make.cell(name, **clock) for name, clock in zip("ab", clocks, strict=True)])

    for b, verdict in ((1.2, "reproduced"), (1.05, "open"), (0.8, "refuted")):
        assert judged_claim(times(1.0, b), claim("ordered('fit_time', 'a', 'b')")).verdict == verdict


@pytest.mark.parametrize(
    "holds",
    [
        "__import__('os').system('true')",
        "(1).real",
        "mean.__globals__",
        "open('x')",
        "[x for x in 'a']",
        "lambda: 1",
        "mean('a', **{})",
        "2 ** 9999999",
        "x > 1",
        "mean(",
        "1 if 1 else 2",
        "True",
        "1 < 2 or 2 < 1",
        "not 1 < 2",
        "'a' * 3 > " + "1" * 2000,
    ],
)
def test_an_expression_has_numbers_comparisons_and_known_functions_alone(holds):
    with pytest.raises(
        ValueError, match=r"an expression of comparisons, .*, without |an expression, such as|an expression of up to"
    ):
        parsed(holds)
    with pytest.raises(ValidationError):
        claim(holds)
