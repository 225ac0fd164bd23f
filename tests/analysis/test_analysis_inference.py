"""One inference over sources: each pair by hand and by scipy, and what a whole site of equal methods says."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, rankdata, wilcoxon

from spcabench.analysis.inference import Contest, family, holm, least_sources
from spcabench.analysis.paired import pair_p, uneven


def contest(values, margin=0.0):
    n, m = np.shape(values)
    return Contest(
        tuple(f"m{j}" for j in range(m)), tuple(f"s{i}" for i in range(n)), np.asarray(values, float), margin
    )


def board(n=25, m=20, shift=(), noise=0.01, seed=0):
    """Return what m methods reach on n sources: a level of each source, noise of each method there, and shifts."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n, 1)) + noise * rng.standard_normal((n, m))
    for place, by in shift:
        values[:, place] += by
    return values


@pytest.mark.parametrize("n", [1, 6, 25])
def test_without_ties_a_pair_has_the_p_of_scipy(n):
    off = np.random.default_rng(n).permutation(np.linspace(-0.4, 1.1, n))
    assert not uneven(off)
    assert pair_p(off)[0] == pytest.approx(wilcoxon(off, method="exact").pvalue, rel=1e-9)


def test_with_ties_a_pair_has_the_share_of_signs_that_reach_as_much():
    off = np.array([0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 3.0, 3.0])
    weights = rankdata(np.abs(off))[off != 0]
    reached = [sum(r for r, sign in zip(weights, signs, strict=True) if sign) for signs in product((0, 1), repeat=6)]
    seen = rankdata(np.abs(off))[off > 0].sum()
    assert pair_p(off)[0] == pytest.approx(2 * np.mean(np.array(reached) >= seen))


def test_of_uneven_differences_the_signs_alone_count():
    off = np.array([-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, 0.9, 30.0])
    assert uneven(off)
    assert pair_p(off)[0] == pytest.approx(binomtest(2, 10).pvalue)
    assert uneven(-off) == uneven(np.abs(off))  # whatever the signs


def test_what_cannot_be_told_apart_is_no_member_of_the_family():
    p, least = np.array([0.004, 0.03, 0.6]), np.array([0.001, 0.03, 0.5])
    assert holm(p, least).tolist() == pytest.approx([0.004, 1.0, 1.0])
    assert holm(p, np.zeros(3)).tolist() == pytest.approx([0.012, 0.06, 0.6])


def test_differences_within_the_margin_are_ties_before_any_test():
    values = np.column_stack([np.zeros(20), np.full(20, 1e-7), np.full(20, -0.5)])
    (with_margin,), (without,) = family([contest(values, 1e-6)]), family([contest(values)])
    assert with_margin.p[0, 1] == 1.0
    assert with_margin.contest.mean_ranks.tolist() == [1.5, 1.5, 3.0]
    assert with_margin.tiers == (1, 1, 2)
    assert without.tiers == (2, 1, 3)


def test_nothing_is_said_below_the_sources_at_which_it_can_hold():
    values = np.arange(5.0) + np.zeros((30, 1))
    needed = least_sources(10)
    for n, said in ((needed - 1, False), (needed, True)):
        (found,) = family([contest(values[:n])])
        assert (found.can_tell, found.better.any(), found.needed) == (said, said, needed)
        assert found.tiers == ((5, 4, 3, 2, 1) if said else (None,) * 5)


def test_other_questions_make_it_harder():
    values = board(14, 8, [(0, 0.03)])
    (alone,) = family([contest(values)])
    among = family([contest(values), *(contest(board(14, 8, seed=seed)) for seed in range(1, 8))])[0]
    assert (among.p >= alone.p).all()
    assert among.p.min() > alone.p.min()
    assert among.needed == alone.needed + 3


def test_a_method_that_enters_too_few_sources_has_no_tier_and_is_compared_where_it_enters():
    values = board(20, 4, [(0, 0.5)], seed=3)
    values[5:, 3] = np.nan
    (found,) = family([contest(values)])
    assert found.tiers[3] is None
    assert found.contest.entered.tolist() == [20, 20, 20, 5]
    assert found.contest.methods[found.leader] == "m0"
    assert np.isnan(found.contest.ranks[5:, 3]).all()


def test_a_cycle_of_methods_that_surely_beat_one_another_is_one_tier():
    rng, values = np.random.default_rng(0), np.full((24, 3), np.nan)
    for place, (ahead, behind) in enumerate(((0, 1), (1, 2), (2, 0))):
        rows = slice(8 * place, 8 * place + 8)
        values[rows, ahead], values[rows, behind] = 1 + rng.random(8), rng.random(8)
    (found,) = family([contest(values)])
    assert found.better[[0, 1, 2], [1, 2, 0]].all()
    assert found.tiers == (1, 1, 1)


def test_what_is_planted_is_said():
    noise = 0.01
    values = board(20, 20, [(2, -0.02)], noise)
    values[:, 1] = values[:, 0] + 1e-9 * np.random.default_rng(1).standard_normal(20)  # a copy
    values[0, 3], values[1:, 3] = values[0].max() + 1.0, values[1:].min(axis=1) - 0.05  # good on one source
    (found,) = family([contest(values, 1e-6)])
    assert (found.p[0, 1], found.contest.mean_ranks[0]) == (1.0, found.contest.mean_ranks[1])
    assert found.tiers[3] > 1
    assert found.better[:, 2].any()


@pytest.mark.parametrize(
    "share", [pytest.param(0.34, marks=pytest.mark.weekly), pytest.param(0.83, marks=pytest.mark.nightly)]
)
def test_in_at_most_one_of_twenty_sites_of_equal_methods_anything_surely_is_false(share):
    """Methods share an interaction with each source over its variants: these are averaged before anything is tested.

    Its share of a method's variance is .34 in the recovery and .83 in the robustness of the default leaderboard.
    """
    rng, sites, false, held, intervals = np.random.default_rng(0), 200, 0, 0, 0
    for _ in range(sites):
        asked = []
        for n, variants in ((28, 1), (25, 3), (10, 4)):
            own = np.sqrt(share) * rng.standard_normal((n, 1, 25))
            within = np.sqrt(1 - share) * rng.standard_normal((n, variants, 25))
            asked.append(contest((own + within).mean(axis=1)))
        said = family(asked)
        false += any(one.better.any() for one in said)
        for one in said:
            held += sum(interval.holds(13.0) for interval in one.contest.intervals)
            intervals += 25
    assert binomtest(false, sites, 0.05, alternative="greater").pvalue > 0.01
    assert 0.93 <= held / intervals <= 0.97


@pytest.mark.parametrize(
    "spread", [pytest.param(0.1, marks=pytest.mark.weekly), pytest.param(1.0, marks=pytest.mark.nightly)]
)
def test_one_sided_noise_makes_no_false_statement(spread):
    """Half of the methods have one-sided noise, moved so that either half is as often ahead of the other."""
    rng, sites, false = np.random.default_rng(0), 200, 0
    noise = 1 - rng.exponential(size=10**6) - spread * rng.standard_normal(10**6)
    for _ in range(sites):
        values = spread * rng.standard_normal((32, 20))
        values[:, :10] = 1 - rng.exponential(size=(32, 10)) - np.median(noise)
        (said,) = family([contest(values)])
        false += said.better[:10, 10:].any() or said.better[10:, :10].any()
    assert false / sites <= 0.05


def planted(seed, n=20, m=20, noise=0.02, seeds=8):
    """Return a board whose second method is a copy of the first, and whose third is the first made 2 % worse."""
    rng = np.random.default_rng(seed)
    effects, own = -np.abs(rng.normal(0, 0.02, m)), rng.normal(0, 0.01, (n, m))
    effects[:3], own[:, :3] = effects[0] - np.array([0.0, 0.0, 0.02]), own[:, :1]
    of_seeds = noise / np.sqrt(seeds) * rng.standard_normal((n, m))
    return rng.uniform(0.3, 0.8, (n, 1)) * (1.0 + effects + own + of_seeds)


@pytest.mark.nightly
def test_two_percent_worse_is_found_with_twenty_sources_and_a_copy_is_not():
    """The noise is 2 % a seed, of 8 seeds.

    Measured: found in 100 of 100 boards of 20 methods, with one question and with three; with 5 %, in 24.
    """
    copies = found = 0
    for seed in range(40):
        said = family([contest(planted(seed))])[0].better
        found += said[0, 2]
        copies += said[0, 1] or said[1, 0]
    assert found >= 36
    assert copies <= 1


@pytest.mark.nightly
@pytest.mark.parametrize(("n", "least"), [(20, 0.5), (25, 0.95)])
def test_how_often_two_percent_worse_is_found_among_the_pairs_of_the_default_board(n, least):
    """A hundred methods in five questions: a pair alone is found if its p is at most 5 % over all their pairs.

    Measured over 300 boards: .64 with 20 sources, .85 with 22, .98 with 25 and .99 with 28; with noise of 1 % a seed
    always, with 3 % in .15 and .54 (20 and 25 sources).
    """
    pairs = 5 * 100 * 99 / 2
    offs = [contest(planted(seed, n, 3)).off(0, 2) for seed in range(200)]
    assert np.mean([off.mean() > 0 and pair_p(off)[0] <= 0.05 / pairs for off in offs]) >= least
